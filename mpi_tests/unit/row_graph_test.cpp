// The kept graph: lists of predecessors that are read back as they were written, and the arcs of random nets, whatever
// rows are kept in and on any number of ranks.

#include "dcheck/graph/row_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/comm/transport/loopback.hpp"
#include "dcheck/explore/explore.hpp"
#include "dcheck/parse/model.hpp"
#include "dcheck/walk/row_reader.hpp"
#include "support/check_on_ranks.hpp"
#include "support/hurdles.hpp"
#include "support/naive_explorer.hpp"
#include "support/paths.hpp"
#include "support/random_rows.hpp"

namespace dcheck::test {
namespace {

using Codes = std::vector<RowCode>;

/// Codes below 2^42: next to the row, anywhere, few different ones, or one again and again.
Codes random_sources(Dice& dice, RowCode row) {
  constexpr std::int64_t most = (std::int64_t{1} << 42) - 1;
  Codes sources(static_cast<std::size_t>(dice.one_in(3) ? dice.between(0, 300) : dice.between(0, 4)));
  const auto shape = dice.between(0, 3);
  const RowCode one = static_cast<RowCode>(dice.between(0, most));
  for (RowCode& source : sources) {
    if (shape == 0)
      source = static_cast<RowCode>(
          std::clamp<std::int64_t>(static_cast<std::int64_t>(row) + dice.between(-99, 99), 0, most));
    else if (shape == 1)
      source = static_cast<RowCode>(dice.between(0, most));
    else if (shape == 2)
      source = one ^ static_cast<RowCode>(dice.between(0, 3));
    else
      source = one;
  }
  return sources;
}

Codes sorted(Codes codes) {
  std::ranges::sort(codes);
  return codes;
}

TEST(PredecessorLists, AreReadBackAsMultisets) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const auto rank_bits = static_cast<unsigned>(dice.between(0, 10));
    const auto own = static_cast<RowCode>(dice.between(0, (std::int64_t{1} << rank_bits) - 1));
    const auto row_at = [&](std::size_t number) { return RowCode{number} << rank_bits | own; };
    std::vector<Codes> expected;
    PredecessorLists lists;
    const auto count = static_cast<std::size_t>(dice.between(0, 4000));  // in blocks of 1024
    for (std::size_t number = 0; number < count; ++number) {
      Codes sources = random_sources(dice, row_at(number));
      expected.push_back(sorted(sources));
      lists.add(row_at(number), sources);
    }
    lists.finish();
    ASSERT_EQ(lists.size(), count);
    for (std::size_t number = 0; number < count; ++number) {
      Codes found;
      lists.for_each(static_cast<std::uint32_t>(number), row_at(number), [&](RowCode code) { found.push_back(code); });
      ASSERT_EQ(sorted(found), expected[number]) << "row " << number;
    }
  }
}

TEST(PredecessorLists, OfNeighboursTakeTwoBytesASource) {
  PredecessorLists lists;
  constexpr std::size_t rows = 1'000'000;
  for (std::size_t number = 0; number < rows; ++number) {
    Codes sources;
    for (std::size_t i = 1; i <= 8; ++i) sources.push_back(number + rows - i * 500);
    lists.add(number + rows, sources);
  }
  lists.finish();
  EXPECT_LT(lists.bytes(), rows * (8 * 2 + 5 + 4));
}

TEST(PredecessorLists, RefuseSourcesThatAreTooFarApart) {
  PredecessorLists lists;
  Codes apart{0, RowCode{1} << 57}, nearer{0, (RowCode{1} << 57) - 1};
  EXPECT_THROW(lists.add(0, apart), ResourceError);
  lists.add(0, nearer);
  lists.finish();
  Codes found;
  lists.for_each(0, 0, [&](RowCode code) { found.push_back(code); });
  EXPECT_EQ(found, nearer);
}

/// What one rank's graph says of its rows.
struct GraphRow {
  Marking marking;
  Codes sources;
  std::uint64_t successors = 0;
  bool operator==(const GraphRow&) const = default;
};
using GraphRows = std::map<RowCode, GraphRow>;

template <typename View>
GraphRows rows_of(const StateSpace& space, const RowGraph& graph) {
  GraphRows rows;
  RowReader<PortableBits, View> reader(space);
  reader.rows.for_each_row([&](Row row) {
    reader.read(row);
    const std::uint32_t number = graph.number(row);
    const RowCode code = graph.own_code(number);
    EXPECT_LT(number, graph.row_count());
    EXPECT_TRUE(graph.is_own(code));
    EXPECT_EQ(graph.number_of(code), number);
    GraphRow& found = rows[code];
    found.marking = space.plan->marking(reader.stored().data(), Lane{0});
    found.successors = graph.successors(number);
    EXPECT_LE(found.successors, graph.most_successors());
    graph.predecessors().for_each(number, code, [&](RowCode source) { found.sources.push_back(source); });
  });
  EXPECT_EQ(rows.size(), graph.row_count()) << "two rows have the same number";
  return rows;
}

GraphRows rows_of_graph(const StateSpace& space, const RunLimit& limit = {}) {
  EXPECT_TRUE(can_have_graph(space));
  LabellingStep step;
  const std::unique_ptr<RowGraph> graph = make_graph(space, limit, step);
  EXPECT_EQ(step.rows_done, space.state.row_count());
  EXPECT_EQ(space.ranks.sum(graph->arcs()), space.ranks.sum(space.state.counts.arcs));
  return space.state.slots ? rows_of<SlotView>(space, *graph) : rows_of<OneLaneView>(space, *graph);
}

void expect_arcs_of(const NaiveGraph& truth, const GraphRows& rows) {
  ASSERT_EQ(rows.size(), truth.states());
  Predecessors found;
  for (const auto& [code, row] : rows) {
    const auto state = truth.find(row.marking);
    ASSERT_TRUE(state);
    EXPECT_EQ(row.successors, truth.successors[*state].size());
    for (const RowCode source : row.sources) {
      ASSERT_TRUE(rows.contains(source));
      found[row.marking].push_back(rows.at(source).marking);
    }
  }
  for (auto& [marking, sources] : found) std::ranges::sort(sources);
  EXPECT_EQ(found, predecessors_in(truth));
}

/// Any way to keep rows of one lane.
ExploreOptions random_options(Dice& dice) {
  ExploreOptions options;
  options.lanes.kind = LaneChoice::Kind::off;
  options.levels = dice.one_in(4);
  if (dice.one_in(2)) choose_rows(dice, options);
  return options;
}

TEST(RowGraph, HasTheArcsOfTheNaiveExplorerWhateverRowsAreKeptIn) {
  std::size_t slots = 0, dense = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {2000, 300});
    if (!truth.is_complete() || net.place_count() == 0) continue;
    Dice dice(seed);
    const ExploreOptions options = random_options(dice);
    SCOPED_TRACE(std::to_string(seed) + ": " + describe_rows(options) + (options.levels ? " --levels" : ""));
    const Structure structure = analyse(net);
    const Explored explored = explore(net, structure, options);
    ++(explored.space->state.slots ? slots : dense);
    expect_arcs_of(truth, rows_of_graph(*explored.space));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(slots, 50U);
  EXPECT_GT(dense, 50U);
}

TEST(RowGraph, HasTheSameArcsOnAnyNumberOfRanks) {
  std::size_t across = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {1000, 300});
    if (!truth.is_complete() || net.place_count() == 0) continue;
    Dice dice(seed);
    ExploreOptions options = random_options(dice);
    const RankChoice choice = random_ranks(dice);
    options.allocation = choice.allocation;
    SCOPED_TRACE(std::to_string(seed) + ": " + describe_rows(options) + (options.levels ? " --levels" : "") + ", " +
                 describe(choice));
    const Structure structure = analyse(net);
    std::vector<GraphRows> of_rank(static_cast<std::size_t>(choice.ranks));
    run_loopback({.ranks = choice.ranks, .seed = choice.seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Ranks ranks(cluster, choice.exchange);
      const Explored explored = explore(net, structure, options, ranks);
      of_rank[index(ranks.rank())] = rows_of_graph(*explored.space);
      cluster.close();
    });
    GraphRows all;
    for (GraphRows& rows : of_rank) all.merge(rows);
    for (const GraphRows& twice : of_rank) EXPECT_TRUE(twice.empty()) << "two ranks have the same code";
    expect_arcs_of(truth, all);
    if (HasFatalFailure()) return;
    across += choice.ranks > 1 ? 1 : 0;
  }
  EXPECT_GT(across, 50U);
}

TEST(RowGraph, IsTheSameWhereMakingItIsPausedAgainAndAgain) {
  const Model model = read_model(source_dir() + "/models/kanban.spn", {{"N", "3"}});
  const Structure structure = analyse(model.net);
  ExploreOptions options;
  options.lanes.kind = LaneChoice::Kind::off;
  const Explored explored = explore(model.net, structure, options);
  ASSERT_TRUE(explored.space->state.slots);
  Hurdles hurdles(Hurdles::Kind::pause, 3);
  EXPECT_TRUE(rows_of_graph(*explored.space, hurdles.limit()) == rows_of_graph(*explored.space));
  EXPECT_GT(hurdles.met(), 3U);
}

TEST(RowGraph, IsAnotherOneWhereRowsHaveManyLanes) {
  const Model model = read_model(source_dir() + "/models/kanban.spn", {{"N", "2"}});
  const Structure structure = analyse(model.net);
  ExploreOptions options;
  options.lanes.kind = LaneChoice::Kind::places;
  for (const char* const name : {"pm[1]", "pout[1]", "pkan[1]"})
    options.lanes.places.push_back(*model.net.find_place(name));
  EXPECT_TRUE(has_many_lanes(*explore(model.net, structure, options).space));
  options.lanes = {LaneChoice::Kind::off, {}};
  EXPECT_FALSE(has_many_lanes(*explore(model.net, structure, options).space));
}

}  // namespace
}  // namespace dcheck::test
