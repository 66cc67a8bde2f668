// Plans on nets small enough to know what must come out, and on random ones.

#include "dcheck/rows/plan.hpp"

#include <gtest/gtest.h>

#include "dcheck/net/net_builder.hpp"
#include "dcheck/rows/mask.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

/// A cell of n tokens in three places and a free place, fed from a buffer.
Net cell_net(Tokens n) {
  NetBuilder build("cell");
  const Place free = build.add_place("free", n);
  const Place busy = build.add_place("busy");
  const Place done = build.add_place("done");
  const Place buffer = build.add_place("buffer", n);
  const auto move = [&](const char* name, const std::vector<Place>& from, const std::vector<Place>& to) {
    const Transition t = build.add_transition(name);
    for (const Place p : from) build.add_input(t, p, 1);
    for (const Place p : to) build.add_output(t, p, 1);
  };
  move("start", {free, buffer}, {busy});
  move("work", {busy}, {done});
  move("leave", {done}, {free, buffer});
  return build.build();
}

TEST(Plan, PlacesThatAnInvariantTiesToTheLeafAreStoredNowhere) {
  const Net net = cell_net(3);
  PlanRequest request;
  request.leaf = {*net.find_place("busy"), *net.find_place("done")};
  const Plan plan = make_plan(net, analyse(net), request);
  EXPECT_EQ(plan.leaf().size(), 2U);
  EXPECT_TRUE(plan.key_places().empty());
  EXPECT_EQ(plan.layout().stored_bits(), 0U);
  EXPECT_EQ(plan.lane_count(), 10U);  // pairs of sum at most 3
  EXPECT_TRUE(plan.lanes().closed);
}

TEST(Plan, LanesAreLexicographic) {
  const Net net = cell_net(4);
  PlanRequest request;
  request.leaf = {*net.find_place("busy"), *net.find_place("done")};
  const Plan plan = make_plan(net, analyse(net), request);
  EXPECT_TRUE(std::is_sorted(plan.lanes().lanes.begin(), plan.lanes().lanes.end()));
}

TEST(Plan, TransitionsThatMoveOnlyTheLeafStayInTheirRow) {
  const Net net = cell_net(2);
  PlanRequest request;
  request.leaf = {*net.find_place("busy"), *net.find_place("done")};
  const Plan plan = make_plan(net, analyse(net), request);
  for (const RowTransition& t : plan.transitions()) {
    EXPECT_TRUE(t.stays);
    EXPECT_TRUE(t.moves_lanes);
  }
}

TEST(Plan, MarkingsSurviveTheWayThroughKeyAndLane) {
  for (std::uint64_t seed = 1; seed < 400; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {500, 50});
    if (!truth.is_complete()) continue;
    SCOPED_TRACE(seed);
    Dice dice(seed);
    PlanRequest request;
    request.min_width.assign(net.place_count(), 8);
    for (std::size_t p = 0; p < net.place_count(); ++p)
      if (dice.one_in(2)) request.leaf.push_back(static_cast<Place>(p));
    request.open_lanes = max_lanes;
    const Plan plan = make_plan(net, analyse(net), request);
    for (const auto& marking : truth.markings) {
      const auto lane = plan.lanes().find(plan.leaf_marking(marking));
      if (!lane) {
        EXPECT_FALSE(plan.lanes().closed) << "a reachable leaf marking is missing from closed lanes";
        continue;
      }
      EXPECT_EQ(plan.marking(plan.stored_key(marking).data(), *lane), marking);
    }
  }
}

TEST(Plan, EveryTransitionThatCanFireStandsInExactlyOneWatchList) {
  for (std::uint64_t seed = 1; seed < 200; ++seed) {
    const Net net = random_net(seed);
    const Plan plan = make_plan(net, analyse(net), {});
    std::vector<int> seen(plan.transitions().size(), 0);
    for (const PlanTransition t : plan.watch_before().always) ++seen[index(t)];
    for (const PlanTransition t : plan.watch_before().list) ++seen[index(t)];
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << "seed " << seed;
  }
}

TEST(LaneQuantity, ThresholdsGiveTheLanesThatReachThem) {
  for (const std::vector<Tokens>& values :
       {std::vector<Tokens>{3, -2, 0, 3, 7}, std::vector<Tokens>{1'000'000'000'000, -5, 40'000, 7},
        std::vector<Tokens>{4}}) {
    const LaneQuantity quantity(values, 1);
    std::vector<Tokens> thresholds{std::numeric_limits<Tokens>::min(), std::numeric_limits<Tokens>::max()};
    for (const Tokens value : values)
      for (const Tokens step : {-1, 0, 1}) thresholds.push_back(value + step);
    for (const Tokens threshold : thresholds) {
      std::uint64_t expected = 0;
      for (std::size_t lane = 0; lane < values.size(); ++lane)
        if (values[lane] >= threshold) expected |= std::uint64_t{1} << lane;
      EXPECT_EQ(*quantity.at_least(threshold), expected) << threshold;
    }
  }
}

TEST(RowPredicate, AgreesWithTheReferenceOnEveryMarkingAndLane) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed < 300; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {200, 50});
    if (!truth.is_complete()) continue;
    Dice dice(seed);
    PlanRequest request;
    request.min_width.assign(net.place_count(), 8);
    for (std::size_t p = 0; p < net.place_count(); ++p)
      if (dice.one_in(3)) request.leaf.push_back(static_cast<Place>(p));
    const Plan plan = make_plan(net, analyse(net), request);
    const Expression predicate = random_predicate(dice, net.place_count());
    const RowPredicate on_rows(predicate, plan);
    std::vector<std::uint64_t> working(plan.layout().working_words());
    for (const auto& marking : truth.markings) {
      const auto lane = plan.lanes().find(plan.leaf_marking(marking));
      if (!lane) continue;
      std::vector<std::uint64_t> among(plan.words(), 0);
      std::vector<std::uint64_t> got(plan.words(), 0);
      add_lane(among.data(), *lane);
      plan.layout().decode(plan.stored_key(marking).data(), working.data());
      on_rows.lanes(plan, working.data(), among.data(), got.data());
      ++compared;
      ASSERT_EQ(got == among, holds_naively(predicate, net, marking)) << "seed " << seed;
    }
  }
  EXPECT_GT(compared, 1000U);
}

}  // namespace
}  // namespace dcheck::test
