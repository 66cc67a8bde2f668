// Places that the user names for lanes: all of them are used, or the user hears why not.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dcheck/base/readable.hpp"
#include "dcheck/check/check.hpp"
#include "support/check_on_ranks.hpp"
#include "support/explored.hpp"
#include "support/random_case.hpp"
#include "support/random_rows.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

std::vector<Place> places_of(const Net& net, const std::vector<std::string>& names) {
  std::vector<Place> places;
  for (const std::string& name : names) places.push_back(*net.find_place(name));
  return places;
}

ExploreOptions with_lanes(const Net& net, const std::vector<std::string>& names) {
  ExploreOptions options;
  options.lanes = {LaneChoice::Kind::places, places_of(net, names)};
  return options;
}

/// `counters` pairs of places that share `tokens` tokens.
Net counters(std::int64_t count, std::int64_t tokens) {
  return spn(fmt::format("place x[1..{0}] init {1}, y[1..{0}];\nfor i in 1..{0} {{\n  trans f[i] : x[i] -> y[i];\n  "
                         "trans b[i] : y[i] -> x[i];\n}}\n",
                         count, tokens))
      .net;
}

TEST(LaneChoice, EveryPlaceIsUsedOrTheNumberOfLanesIsNamed) {
  Dice dice(1);
  std::size_t used = 0, refused = 0;
  for (int round = 0; round < 60; ++round) {
    const std::int64_t count = dice.between(1, 8), tokens = dice.between(1, 12);
    SCOPED_TRACE(fmt::format("{} counters of {} tokens", count, tokens));
    const Net net = counters(count, tokens);
    std::vector<std::string> names;
    std::size_t lanes = 1, fitting = 1, first = 0;
    for (std::int64_t i = 1; i <= count; ++i) {
      names.push_back(fmt::format("x[{}]", i));
      lanes *= static_cast<std::size_t>(tokens) + 1;
      if (lanes <= max_lanes) fitting = lanes;
      if (lanes <= max_lanes) ++first;
    }
    ExploreOptions options = with_lanes(net, names);
    options.limits.max_states = 20'000;
    std::string error;
    Exploration found;
    error = input_error_of([&] { found = explore(net, analyse(net), options).figures; });
    if (lanes <= max_lanes) {
      ++used;
      EXPECT_EQ(error, "");
      EXPECT_EQ(found.lanes, lanes);
      EXPECT_EQ(found.states, lanes);
      EXPECT_EQ(found.remark, "");
      continue;
    }
    ++refused;
    const std::string many = lanes > 65'536 ? "more than 65,536" : with_separators(lanes);
    EXPECT_NE(error.find(fmt::format(" make {} lanes and there may be 2,048", many)), std::string::npos) << error;
    EXPECT_NE(error.find(fmt::format("the first {} would fit with {}: x[1]", first, with_separators(fitting))),
              std::string::npos)
        << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  EXPECT_GT(used, 10U);
  EXPECT_GT(refused, 10U);
}

TEST(LaneChoice, IsRefusedOnAllRanksAlike) {
  const Net net = counters(6, 4);
  CheckOptions options;
  options.explore = with_lanes(net, {"x[1]", "x[2]", "x[3]", "x[4]", "x[5]", "x[6]"});
  EXPECT_THROW(check_on_ranks(net, {}, options, {3, 1, {}, {}}), InputError);
}

/// A place that holds up to `most` tokens. An inhibitor arc bounds it in a way that is known beforehand, this guard
/// does not.
Net growing_to(int most, bool has_guard) {
  const std::string condition =
      has_guard ? fmt::format("when heap % {} < {}", most + 1, most) : fmt::format("inhibit heap < {}", most);
  return spn(fmt::format("place a init 1, heap;\ntrans up {} : a -> a + heap;\ntrans down : heap -> ;\n", condition))
      .net;
}

TEST(LaneChoice, APlaceThatNoInvariantBoundsMayHoldFewTokens) {
  for (const int most : {1, 70, 1500, 2047})
    for (const bool has_guard : {false, true}) {
      const Net net = growing_to(most, has_guard);
      const Exploration found = explore(net, analyse(net), with_lanes(net, {"heap"})).figures;
      EXPECT_TRUE(found.complete) << found.stop_reason;
      EXPECT_EQ(found.states, static_cast<std::uint64_t>(most) + 1);
      EXPECT_GT(found.lanes, static_cast<std::uint64_t>(most));
    }
}

TEST(LaneChoice, LanesThatOutgrowTheLimitStopTheSearchWithThePlaceThatNoInvariantBounds) {
  for (const int ranks : {1, 3})
    for (const int most : {2048, 5000}) {
      const Net net = growing_to(most, true);
      CheckOptions options;
      options.explore = with_lanes(net, {"a", "heap"});
      for (const CheckOutcome& outcome : check_on_ranks(net, {}, options, {ranks, 1, {}, {}})) {
        const Exploration& found = outcome.exploration;
        EXPECT_FALSE(found.complete);
        EXPECT_NE(found.stop_reason.find("more than 2,048 markings"), std::string::npos) << found.stop_reason;
        EXPECT_NE(found.stop_reason.find("no invariant bounds heap"), std::string::npos) << found.stop_reason;
      }
    }
}

TEST(LaneChoice, ASearchThatOutgrowsItsLanesEndsWithWhatItFoundOnAnyStoreAndRank) {
  const Net net = guarded_net();
  const NaiveGraph truth = explore_naively(net, {20'000, 1000});
  Dice dice(5);
  for (int round = 0; round < 6; ++round) {
    CheckOptions options;
    options.explore = with_lanes(net, {"a", "b"});
    options.explore.levels = dice.one_in(2);
    choose_rows(dice, options.explore);
    const RankChoice ranks = random_ranks(dice);
    SCOPED_TRACE(describe(ranks));
    for (const CheckOutcome& outcome : check_on_ranks(net, {}, options, ranks)) {
      const Exploration& found = outcome.exploration;
      EXPECT_FALSE(found.complete);
      EXPECT_NE(found.stop_reason.find("no invariant bounds a, b"), std::string::npos) << found.stop_reason;
      EXPECT_GT(found.states, 500U);
      EXPECT_LT(found.states, truth.states());
    }
  }
}

TEST(LaneChoice, LanesThatWereChosenAutomaticallyNeverStopTheSearch) {
  const Net net = growing_to(5000, true);
  const Exploration found = explore(net, analyse(net), {}).figures;
  EXPECT_TRUE(found.complete) << found.stop_reason;
  EXPECT_EQ(found.states, 5001U);
}

TEST(LaneChoice, APlaceThatFollowsFromTheOthersIsToldSo) {
  const Net net = counters(2, 5);
  const Exploration found = explore(net, analyse(net), with_lanes(net, {"x[1]", "y[1]", "x[2]"})).figures;
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.lanes, 36U);
  const bool is_x = found.remark.find("x[1]") != std::string::npos;
  EXPECT_EQ(found.remark, fmt::format("--lanes: {} follows from other places by an invariant: no lanes of its own",
                                      is_x ? "x[1]" : "y[1]"));
}

}  // namespace
}  // namespace dcheck::test
