// Exploration on several ranks in the loopback, whatever the order of delivery: the counts of the reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "dcheck/base/run_clock.hpp"
#include "dcheck/comm/transport/loopback.hpp"
#include "dcheck/explore/limit_check.hpp"
#include "dcheck/net/net_builder.hpp"
#include "dcheck/owners/partition.hpp"
#include "support/check_on_ranks.hpp"
#include "support/explored.hpp"
#include "support/random_case.hpp"
#include "support/random_net.hpp"
#include "support/random_rows.hpp"

namespace dcheck::test {
namespace {

struct Case : RankChoice {
  ExploreOptions options;
  bool clock_stands = false;  // owners that are chosen by measured time are then the same on a busy machine
};

class StandingClock : public RunClock::Source {
  std::uint64_t now_ns() override { return 1; }
};

Case random_shape(Dice& dice) {
  Case chosen{random_ranks(dice), {}};
  chosen.exchange.buffer_bytes = std::size_t{8} << dice.between(0, 10);  // from one record on
  chosen.options.levels = dice.one_in(3);
  choose_rows(dice, chosen.options);
  return chosen;
}

/// look(explored) on every rank.
void explore_on_ranks(const Net& net, const Case& chosen, const std::function<void(Explored)>& look) {
  const Structure structure = analyse(net);
  run_loopback({.ranks = chosen.ranks, .seed = chosen.seed}, [&](Transport& transport) {
    StandingClock standing;
    std::optional<RunClock::Replaced> clock;
    if (chosen.clock_stands) clock.emplace(standing);
    Cluster cluster(transport);
    Ranks ranks(cluster, chosen.exchange);
    ExploreOptions options = chosen.options;
    options.allocation = chosen.allocation;
    look(explore(net, structure, options, ranks));
    cluster.close();
  });
}

TEST(ExploreRanks, CountsAgreeWithTheReferenceForEveryLeaf) {
  std::size_t nets = 0, shared = 0, moved = 0;
  for (std::uint64_t seed = 1; seed <= 600 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {1000, 300});
    if (!truth.is_complete()) continue;
    ++nets;
    Dice dice(seed);
    Case chosen = random_shape(dice);
    chosen.options.lanes = random_lanes(dice, net);
    SCOPED_TRACE(describe_rows(chosen.options));
    explore_on_ranks(net, chosen, [&](const Explored& explored) {
      expect_complete_counts(explored.figures, truth, chosen.options.levels);
      if (explored.space->state.counts.cross_arcs != 0) ++shared;
      if (explored.figures.allocation.find("rows moved") != std::string::npos) ++moved;
    });
  }
  EXPECT_GT(nets, 250U);
  EXPECT_GT(shared, 400U) << "hardly anything was sent";
  EXPECT_GT(moved, 40U) << "hardly any row was moved";
}

TEST(ExploreRanks, FiringsThatDoNotFitThePlanAreDoneAgainUnderAWiderOne) {
  const Net net = guarded_net();
  const NaiveGraph truth = explore_naively(net, {20'000, 1000});
  ASSERT_TRUE(truth.is_complete());
  const Place a = *net.find_place("a");
  const Place b = *net.find_place("b");
  Dice dice(7);
  for (const bool levels : {false, true})
    for (const std::vector<Place>& leaf : {std::vector<Place>{}, {a}, {b}}) {
      Case chosen = random_shape(dice);
      chosen.ranks = 3;
      chosen.options.levels = levels;
      if (levels) chosen.options.order = Order::breadth_first;
      chosen.options.lanes = {leaf.empty() ? LaneChoice::Kind::off : LaneChoice::Kind::places, leaf};
      explore_on_ranks(net, chosen, [&](const Explored& explored) {
        expect_complete_counts(explored.figures, truth, levels);
        EXPECT_GT(explored.figures.layouts, 1U) << "no parked firing was tried";
      });
    }
}

TEST(ExploreRanks, GoalsMetOnDifferentRanksAreEnoughTogether) {
  std::size_t decided = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {1000, 300});
    if (!truth.is_complete() || net.place_count() == 0) continue;
    Dice dice(seed);
    Case chosen = random_shape(dice);
    SearchGoals& goals = chosen.options.goals;
    for (int i = 0; i < 3; ++i) goals.targets.push_back(random_predicate(dice, net.place_count()));
    goals.may_end_early = true;
    for (std::size_t i = 0; i < 3; ++i) {
      goals.decision.nodes.push_back({.kind = Decision::Kind::target, .target = i});
      goals.questions.push_back(i);
    }
    std::vector<bool> expected;
    for (const Expression& target : goals.targets)
      expected.push_back(std::any_of(truth.markings.begin(), truth.markings.end(),
                                     [&](const auto& marking) { return evaluate(target, net, marking); }));
    explore_on_ranks(net, chosen, [&](const Explored& explored) {
      EXPECT_EQ(explored.space->state.goals.found, expected);
      EXPECT_EQ(explored.figures.is_enough, expected == std::vector<bool>(3, true));
      EXPECT_TRUE(explored.figures.complete || explored.figures.is_enough);
      if (explored.figures.is_enough) ++decided;
    });
  }
  EXPECT_GT(decided, 50U);
}

TEST(ExploreRanks, StatesOfAllRanksCountTowardsTheLimit) {
  for (int ranks = 1; ranks <= 7; ++ranks) {
    const Net net = guarded_net();
    Case chosen{{ranks, 5, {}, {}}, {}};
    chosen.options.limits.max_states = 500;
    explore_on_ranks(net, chosen, [&](const Explored& explored) {
      EXPECT_FALSE(explored.figures.complete);
      EXPECT_EQ(explored.figures.stop_reason.substr(0, 51), "the limit of 500 states (--max-states) was reached;");
      EXPECT_GE(explored.figures.states, 500U);
      EXPECT_LT(explored.figures.states, 1500U);
    });
  }
}

/// Four places that count from 0 to `most` each.
Net counters_net(Tokens most) {
  NetBuilder build("counters");
  for (const std::string name : {"a", "b", "c", "d"}) {
    const Place up = build.add_place(name);
    const Place down = build.add_place(name + "_left", most);
    const Transition t = build.add_transition("count_" + name);
    build.add_input(t, down, 1);
    build.add_output(t, up, 1);
  }
  return build.build();
}

TEST(ExploreRanks, ARankWithoutMemoryStopsAllWithOneReason) {
  const Net net = counters_net(34);
  const Structure structure = analyse(net);
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    std::set<std::string> reasons;
    run_loopback({.ranks = 3, .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Ranks ranks(cluster, {});
      ExploreOptions options;
      options.lanes.kind = LaneChoice::Kind::off;
      if (cluster.rank() == Rank{2}) options.limits.max_memory_bytes = resident_bytes() + 2'500'000;
      const Exploration figures = explore(net, structure, options, ranks).figures;
      EXPECT_FALSE(figures.complete);
      reasons.insert(figures.stop_reason);
      cluster.close();
    });
    ASSERT_EQ(reasons.size(), 1U);
    EXPECT_EQ(reasons.begin()->find("rank 2: the memory limit of "), 0U) << *reasons.begin();
  }
}

AllocationChoice local_with_looks(std::uint64_t after_rows) {
  AllocationChoice choice;
  choice.kind = AllocationChoice::Kind::local;
  choice.look_after_rows = after_rows;
  choice.look_after_ns = 0;
  choice.least_gain = -10;  // any classes will do
  return choice;
}

TEST(ExploreRanks, LocalOwnersLetAtMostHalfOfTheArcsCrossThatHashDoesAndKeepPartitionsEven) {
  const Net net = counters_net(9);
  for (const int count : {2, 5}) {
    Case chosen{{count, 3, {}, local_with_looks(1024)}, {}, true};
    chosen.options.lanes.kind = LaneChoice::Kind::off;
    chosen.options.is_labelled = true;
    std::vector<std::uint64_t> states;
    std::uint64_t cross = 0;
    explore_on_ranks(net, chosen, [&](const Explored& explored) {
      EXPECT_EQ(explored.figures.states, 10'000U);
      states.push_back(explored.space->state.counts.states);
      cross += explored.space->state.counts.cross_arcs;
    });
    EXPECT_LT(imbalance(states), 0.05);
    const auto by_hash = static_cast<std::uint64_t>(36'000 * (count - 1) / count);
    EXPECT_LT(cross, by_hash / 2) << "of 36 000 arcs";
  }
}

/// The first states of the search are all in a few classes, of which there are hardly any states in the end.
TEST(ExploreRanks, PartitionsBecomeEvenWhereTheFirstStatesWereNoGoodSample) {
  NetBuilder build("once");
  std::vector<Place> counter;
  for (int i = 0; i < 12; ++i) {
    const Place before = build.add_place("before" + std::to_string(i), 1);
    const Place after = build.add_place("after" + std::to_string(i));
    const Transition t = build.add_transition("once" + std::to_string(i));
    build.add_input(t, before, 1);
    build.add_output(t, after, 1);
    counter.push_back(after);
  }
  // Never enabled, but the plan must have room for them.
  for (int i = 0; i < 12; ++i) {
    const Transition t = build.add_transition("never" + std::to_string(i));
    build.add_input(t, counter[static_cast<std::size_t>(i)], 3);
    build.add_output(t, counter[static_cast<std::size_t>((i + 1) % 12)], 3);
  }
  const Net net = build.build();
  for (const bool has_lanes : {false, true}) {
    Case chosen{{4, 9, {}, local_with_looks(64)}, {}};
    chosen.options.lanes = {has_lanes ? LaneChoice::Kind::places : LaneChoice::Kind::off, {}};
    if (has_lanes) chosen.options.lanes.places = {counter[0], counter[1]};
    chosen.options.is_labelled = true;
    std::vector<std::uint64_t> states;
    explore_on_ranks(net, chosen, [&](const Explored& explored) {
      EXPECT_EQ(explored.figures.states, 4096U);
      EXPECT_EQ(explored.figures.arcs, 4096U * 6);
      states.push_back(explored.space->state.counts.states);
    });
    EXPECT_LT(imbalance(states), 0.1);
  }
}

TEST(ExploreRanks, AnUnboundedNetIsProvenUnboundedOnAllRanks) {
  NetFlavour flavour;
  flavour.source = true;
  std::size_t proven = 0;
  for (std::uint64_t seed = 500'000; seed < 500'040; ++seed) {
    const Net net = random_net(seed, flavour);
    if (explore_naively(net, {20'000, 1000}).is_complete()) continue;
    Case chosen{{3, seed, {}, {}}, {}};
    chosen.options.limits.max_states = 20'000;
    explore_on_ranks(net, chosen, [&](const Explored& explored) {
      EXPECT_FALSE(explored.figures.complete);
      if (explored.figures.unbounded) ++proven;
    });
    EXPECT_EQ(proven % 3, 0U) << "some ranks know what others do not";
  }
  EXPECT_GT(proven, 10U);
}

}  // namespace
}  // namespace dcheck::test
