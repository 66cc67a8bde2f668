// Formulas that are labelled side by side on a kept graph, up to 64 in one word and more than that, have the sets and
// verdicts that each has by itself without the graph.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <ostream>

#include "dcheck/comm/transport/loopback.hpp"
#include "dcheck/explore/explore.hpp"
#include "dcheck/label/labelling.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"
#include "support/check_on_ranks.hpp"
#include "support/hurdles.hpp"
#include "support/paths.hpp"
#include "support/random_formula.hpp"
#include "support/random_rows.hpp"
#include "support/reference_checker.hpp"

namespace dcheck::test {
namespace {

/// What is found out about one formula. The number of its states only where all of them are asked for.
struct Found {
  bool holds = false;
  std::optional<std::uint64_t> states = std::nullopt;
  bool operator==(const Found&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Found& found) {
  out << (found.holds ? "holds" : "fails");
  return found.states ? out << " (" << *found.states << " states)" : out;
}

struct Asked {
  std::vector<Formula> formulas;
  std::vector<bool> as_set;
};

Asked random_formulas(Dice& dice, const Net& net, std::int64_t count, int depth) {
  Asked asked;
  const auto sets = dice.between(0, 2);  // none, all, some
  for (std::int64_t i = 0; i < count; ++i) {
    asked.formulas.push_back(random_formula(dice, net, depth));
    asked.as_set.push_back(sets == 1 || (sets == 2 && dice.one_in(2)));
  }
  return asked;
}

std::vector<Found> by_reference(const Asked& asked, const Net& net, const NaiveGraph& truth) {
  std::vector<Found> result;
  for (std::size_t i = 0; i < asked.formulas.size(); ++i) {
    const std::vector<bool> states = satisfying_states(asked.formulas[i], net, truth);
    result.push_back({states[0], std::nullopt});
    if (asked.as_set[i]) result.back().states = static_cast<std::uint64_t>(std::ranges::count(states, true));
  }
  return result;
}

/// With `at_once` > 0 so many formulas are labelled together before each is asked for. What a limit ends is begun
/// again.
std::vector<Found> by_labels(const StateSpace& space, const Structure& structure, const Asked& asked,
                             Operators& operators, std::size_t at_once) {
  CorePool pool(space.net, structure);
  std::vector<LabelWish> wishes;
  for (std::size_t i = 0; i < asked.formulas.size(); ++i)
    wishes.push_back({pool.intern(asked.formulas[i]), asked.as_set[i]});
  Labelling labels(pool, operators, space.net, wishes, false);
  const auto insist = [](const auto& work) {
    for (bool is_done = false; !is_done;) try {
        work();
        is_done = true;
      } catch (const ResourceError&) {
      }
  };
  std::vector<Found> result(wishes.size());
  for (std::size_t first = 0, last = 0; first < wishes.size(); first = last) {
    last = std::min(wishes.size(), first + std::max<std::size_t>(1, at_once));
    if (at_once != 0) insist([&] { labels.fulfil_together(first, last); });
    const std::uint64_t steps = operators.step().number;
    for (std::size_t i = first; i < last; ++i) {
      insist([&] { labels.fulfil(i); });
      result[i].holds = labels.holds_initially(wishes[i].root);
      if (wishes[i].as_set) result[i].states = operators.size(labels.sat(wishes[i].root));
      labels.finish(i);
    }
    EXPECT_TRUE(at_once == 0 || operators.step().number == steps) << "something was left to do";
  }
  return result;
}

/// Nets small enough for the reference, with their states.
template <typename Use>
void for_each_net(std::uint64_t seeds, std::size_t most_states, Use&& use) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {most_states, 300});
    if (!truth.is_complete() || net.place_count() == 0) continue;
    Dice dice(seed);
    use(net, analyse(net), truth, dice);
  }
}

ExploreOptions random_options(Dice& dice) {
  ExploreOptions options;
  options.lanes.kind = LaneChoice::Kind::off;
  if (dice.one_in(2)) choose_rows(dice, options);
  return options;
}

std::unique_ptr<Operators> graph_operators(const StateSpace& space, const RunLimit& limit) {
  LabellingStep step;
  return make_graph_operators(space, limit, step);
}

TEST(LabellingSideBySide, FindsWhatEachFormulaHasByItself) {
  std::size_t formulas = 0, kept = 0;
  for_each_net(250, 500, [&](const Net& net, const Structure& structure, const NaiveGraph& truth, Dice& dice) {
    const Asked asked = random_formulas(dice, net, dice.between(1, dice.one_in(3) ? 70 : 12), 3);
    const Explored explored = explore(net, structure, random_options(dice));
    const std::unique_ptr<Operators> plain = make_operators(*explored.space, AuMethod::count, {});
    const std::vector<Found> expected = by_labels(*explored.space, structure, asked, *plain, 0);
    EXPECT_EQ(expected, by_reference(asked, net, truth));
    const std::unique_ptr<Operators> on_graph = graph_operators(*explored.space, {});
    const auto few = static_cast<std::size_t>(dice.between(1, 5));
    for (const std::size_t at_once : {asked.formulas.size(), few, std::size_t{0}})
      EXPECT_EQ(by_labels(*explored.space, structure, asked, *on_graph, at_once), expected);
    kept += on_graph->graph() ? 1 : 0;
    formulas += asked.formulas.size();
  });
  EXPECT_GT(formulas, 2000U);
  EXPECT_GT(kept, 100U);
}

TEST(LabellingSideBySide, TakesMoreFormulasThanAWordHasBits) {
  for_each_net(12, 2000, [&](const Net& net, const Structure& structure, const NaiveGraph& truth, Dice& dice) {
    for (const std::int64_t count : {8, 9, 16, 17, 32, 33, 63, 64, 65, 150}) {
      SCOPED_TRACE(count);
      const Asked asked = random_formulas(dice, net, count, 2);
      const Explored explored = explore(net, structure, random_options(dice));
      const std::unique_ptr<Operators> on_graph = graph_operators(*explored.space, {});
      EXPECT_EQ(by_labels(*explored.space, structure, asked, *on_graph, asked.formulas.size()),
                by_reference(asked, net, truth));
    }
  });
}

TEST(LabellingSideBySide, FindsTheSameOnAnyNumberOfRanks) {
  for_each_net(150, 300, [&](const Net& net, const Structure& structure, const NaiveGraph& truth, Dice& dice) {
    const Asked asked = random_formulas(dice, net, dice.between(1, dice.one_in(3) ? 70 : 8), 3);
    const std::vector<Found> expected = by_reference(asked, net, truth);
    const RankChoice choice = random_ranks(dice);
    SCOPED_TRACE(describe(choice));
    ExploreOptions options = random_options(dice);
    options.allocation = choice.allocation;
    run_loopback({.ranks = choice.ranks, .seed = choice.seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Ranks ranks(cluster, choice.exchange);
      const Explored explored = explore(net, structure, options, ranks);
      const std::unique_ptr<Operators> on_graph = graph_operators(*explored.space, {});
      EXPECT_EQ(by_labels(*explored.space, structure, asked, *on_graph, asked.formulas.size()), expected);
      cluster.close();
    });
  });
}

/// The graph is begun anew after each error.
std::unique_ptr<Operators> insistently_made(const StateSpace& space, const RunLimit& limit) {
  while (true) try {
      return graph_operators(space, limit);
    } catch (const ResourceError&) {
    }
}

TEST(LabellingSideBySide, ThatIsInterruptedAgainAndAgainFindsTheSame) {
  std::atomic<std::uint64_t> met{0};
  for_each_net(300, 300, [&](const Net& net, const Structure& structure, const NaiveGraph& truth, Dice& dice) {
    const Asked asked = random_formulas(dice, net, dice.between(1, 20), 3);
    const std::vector<Found> expected = by_reference(asked, net, truth);
    const RankChoice choice = random_ranks(dice);
    const auto kind = dice.one_in(2) ? Hurdles::Kind::pause : Hurdles::Kind::error;
    // Often, but not so often that no phase comes to its end: ranks that wait for others ask too.
    const auto every = static_cast<std::uint64_t>(dice.between(3, 10) * choice.ranks);
    SCOPED_TRACE(describe(choice));
    ExploreOptions options = random_options(dice);
    options.allocation = choice.allocation;
    run_loopback({.ranks = choice.ranks, .seed = choice.seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Ranks ranks(cluster, choice.exchange);
      const Explored explored = explore(net, structure, options, ranks);
      Hurdles hurdles(kind, every);
      const std::unique_ptr<Operators> on_graph = insistently_made(*explored.space, hurdles.limit());
      EXPECT_EQ(by_labels(*explored.space, structure, asked, *on_graph, asked.formulas.size()), expected);
      met += hurdles.met();
      cluster.close();
    });
  });
  EXPECT_GT(met, 500U);
}

TEST(LabellingSideBySide, ThatIsInterruptedAloneFindsTheSame) {
  const Model model = read_model(source_dir() + "/models/kanban.spn", {{"N", "3"}});
  const Structure structure = analyse(model.net);
  Asked asked;
  for (const char* const text : {"EF pm[1] == 3", "AF pm[1] < 3", "E[pm[1] >= 1 U pout[4] == 3]", "AG EF initial",
                                 "EX pm[2] == 1", "A[pm[1] < 3 U pout[1] + pm[1] >= 2]", "EG !fireable(sync2)"}) {
    asked.formulas.push_back(parse_property(text, "test", model).formula);
    asked.as_set.push_back(true);
  }
  for (const bool levels : {false, true}) {  // rows in slots, and dense ones
    ExploreOptions options;
    options.lanes.kind = LaneChoice::Kind::off;
    options.levels = levels;
    const Explored explored = explore(model.net, structure, options);
    const std::unique_ptr<Operators> plain = make_operators(*explored.space, AuMethod::count, {});
    const std::vector<Found> expected = by_labels(*explored.space, structure, asked, *plain, 0);
    for (const auto kind : {Hurdles::Kind::pause, Hurdles::Kind::error}) {
      Hurdles hurdles(kind, 4);
      const std::unique_ptr<Operators> on_graph = insistently_made(*explored.space, hurdles.limit());
      EXPECT_EQ(by_labels(*explored.space, structure, asked, *on_graph, asked.formulas.size()), expected);
      EXPECT_GT(hurdles.met(), 0U);
    }
  }
}

}  // namespace
}  // namespace dcheck::test
