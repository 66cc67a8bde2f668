// The kept graph of rows with many lanes: operations that are read back as they were written, kinds that are there
// once, and the arcs of random nets.

#include "dcheck/walk/lane_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "dcheck/base/bits.hpp"
#include "dcheck/explore/explore.hpp"
#include "dcheck/net/marking.hpp"
#include "dcheck/parse/model.hpp"
#include "dcheck/walk/lane_graph_maker.hpp"
#include "support/naive_explorer.hpp"
#include "support/paths.hpp"
#include "support/random_rows.hpp"

namespace dcheck::test {
namespace {

/// Kanban with lanes, one in a cell: its plan has transitions that stay in a row and others that do not.
class KanbanWithLanes {
 public:
  explicit KanbanWithLanes(const char* size)
      : _model(read_model(source_dir() + "/models/kanban.spn", {{"N", size}})), _structure(analyse(_model.net)) {
    ExploreOptions options;
    options.lanes.kind = LaneChoice::Kind::places;
    for (const char* const name : {"pm[1]", "pout[1]", "pkan[1]"})
      options.lanes.places.push_back(*_model.net.find_place(name));
    _explored = explore(_model.net, _structure, options);
  }
  const Plan& plan() const { return *_explored.space->plan; }

 private:
  Model _model;
  Structure _structure;
  Explored _explored;
};

TEST(OperationKinds, AreThereOnceHoweverManyThereAre) {
  const KanbanWithLanes kanban("5");  // 56 lanes: one word
  ASSERT_EQ(kanban.plan().words(), 1U);
  const RowTransition& first = kanban.plan().transitions()[0];
  const RowTransition& second = kanban.plan().transitions()[1];
  OperationKinds kinds(kanban.plan(), nullptr);
  const std::uint32_t plain = kinds.plain(first);
  std::map<std::uint64_t, std::uint32_t> numbers;
  for (std::uint64_t mask = 1; mask <= 5000; ++mask) numbers[mask] = kinds.with_sources(first, &mask);
  for (const auto& [mask, number] : numbers) {
    ASSERT_EQ(kinds.with_sources(first, &mask), number);
    ASSERT_EQ(*kinds[number].sources, mask);
    ASSERT_EQ(kinds[number].transition, &first);
  }
  const std::uint64_t mask = 7;
  EXPECT_NE(kinds.with_sources(second, &mask), numbers[7]);
  EXPECT_EQ(kinds.plain(first), plain);
  EXPECT_TRUE(kinds[plain].is_plain);
  EXPECT_EQ(kinds.size(), 5002U);
}

TEST(LaneGraph, ReadsOperationsBackAsTheyWereWritten) {
  const KanbanWithLanes kanban("5");
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const auto rows = static_cast<std::uint64_t>(dice.between(1, 5000));
    LaneGraph graph(kanban.plan(), rows, nullptr);
    std::vector<std::vector<LaneGraph::Operation>> expected(rows);
    std::vector<LaneGraph::Operation> operations;
    std::vector<std::uint32_t> ends;
    for (std::uint64_t row = 0; row < rows; ++row) {
      // Kinds become more from block to block, and so do the bits that they need.
      const auto mask = static_cast<std::uint64_t>(dice.between(1, 1 << 20));
      graph.kinds.with_sources(kanban.plan().transitions()[0], &mask);
      expected[row].resize(static_cast<std::size_t>(dice.one_in(9) ? dice.between(0, 90) : dice.between(0, 3)));
      for (LaneGraph::Operation& operation : expected[row]) {
        operation.kind = static_cast<std::uint32_t>(dice.between(0, static_cast<std::int64_t>(graph.kinds.size()) - 1));
        operation.source = static_cast<std::uint32_t>(dice.between(0, static_cast<std::int64_t>(rows)));
      }
      operations.insert(operations.end(), expected[row].begin(), expected[row].end());
      ends.push_back(static_cast<std::uint32_t>(operations.size()));
      if (ends.size() < LaneGraph::rows_per_block && row + 1 < rows) continue;
      graph.add_block(operations, ends);
      operations.clear();
      ends.clear();
    }
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::vector<LaneGraph::Operation> found(graph.count(row));
      graph.read(row, found.data());
      ASSERT_EQ(found.size(), expected[row].size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].kind, expected[row][i].kind);
        ASSERT_EQ(found[i].source, expected[row][i].source);
      }
    }
  }
}

/// All arcs that the graph of a space stands for.
template <int W>
Predecessors arcs_of(const StateSpace& space) {
  using Walk = RowWalk<PortableBits, ManyLanesView<W>>;
  Walk walk(space, {});
  const StateSet reached = walk.rows.reached_states(walk.sets);
  LabellingStep step;
  const std::unique_ptr<LaneGraph> graph = LaneGraphMaker<Walk>(walk, reached, step).make();
  EXPECT_EQ(step.rows_done, space.state.row_count());
  const auto marking = [&](Row row, Lane lane) {
    walk.read(row);
    return walk.plan.marking(walk.stored().data(), lane);
  };
  Predecessors arcs;
  for (const Row row : FirstIds<Row>(walk.rows.row_limit())) {
    std::vector<LaneGraph::Operation> operations(graph->count(static_cast<std::uint32_t>(row)));
    graph->read(static_cast<std::uint32_t>(row), operations.data());
    for_each_lane(walk.rows.get(reached, row).word.data(), walk.ops.count(), [&](Lane to) {
      Mask<W> one = walk.ops.zero();
      add_lane(one.word.data(), to);
      for (const LaneGraph::Operation& operation : operations) {
        const OperationKinds::Kind& kind = graph->kinds[operation.kind];
        const Row source{operation.source};
        Mask<W> from = lanes_before<PortableBits>(walk.plan, *kind.transition, walk.ops, one);
        walk.ops.keep(from, kind.sources);
        walk.ops.keep(from, walk.rows.get(reached, source).word.data());
        for_each_lane(from.word.data(), walk.ops.count(),
                      [&](Lane lane) { arcs[marking(row, to)].push_back(marking(source, lane)); });
      }
    });
  }
  for (auto& [target, sources] : arcs) std::ranges::sort(sources);
  return arcs;
}

TEST(LaneGraph, HasTheArcsOfTheNaiveExplorerWhateverTheLeafAndTheStore) {
  std::size_t compared = 0, with_masks = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {1500, 300});
    if (!truth.is_complete() || net.place_count() == 0) continue;
    Dice dice(seed);
    ExploreOptions options;
    options.lanes.kind = LaneChoice::Kind::places;
    for (const auto place : FirstIds<Place>(net.place_count()))
      if (dice.one_in(2)) options.lanes.places.push_back(place);
    if (dice.one_in(2)) choose_rows(dice, options);
    SCOPED_TRACE(std::to_string(seed) + ": " + describe_rows(options));
    const Structure structure = analyse(net);
    Explored explored;
    try {
      explored = explore(net, structure, options);
    } catch (const std::runtime_error&) {  // too many lanes
      continue;
    }
    const StateSpace& space = *explored.space;
    if (!space.is_complete || space.state.slots || space.plan->leaf().empty()) continue;
    ++compared;
    with_width(space.plan->words(), [&](auto width) { EXPECT_EQ(arcs_of<width()>(space), predecessors_in(truth)); });
    with_masks +=
        std::ranges::any_of(space.plan->transitions(), [](const RowTransition& t) { return t.tests_key_by_lane(); });
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 100U);
  EXPECT_GT(with_masks, 20U);
}

}  // namespace
}  // namespace dcheck::test
