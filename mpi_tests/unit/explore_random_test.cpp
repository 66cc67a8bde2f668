// The engine against the reference explorer on random nets: whatever the leaf and the store, the counts are the same.

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/explored.hpp"
#include "support/random_case.hpp"
#include "support/random_net.hpp"
#include "support/random_rows.hpp"

namespace dcheck::test {
namespace {

std::string describe(std::uint64_t seed, const ExploreOptions& options) {
  const LaneChoice& lanes = options.lanes;
  std::string text = "seed " + std::to_string(seed) + " lanes kind " + std::to_string(static_cast<int>(lanes.kind));
  for (const Place p : lanes.places) text += " " + std::to_string(index(p));
  return text + (options.levels ? " --levels " : " ") + describe_rows(options);
}

/// Returns how often the plan had to be widened.
std::uint64_t expect_agreement(std::uint64_t seed, const Net& net, const NaiveGraph& truth,
                               const ExploreOptions& options) {
  SCOPED_TRACE(describe(seed, options));
  const Exploration result = explore(net, analyse(net), options).figures;
  expect_complete_counts(result, truth, options.levels);
  return result.layouts - 1;
}

/// Returns the number of nets whose whole state space was compared.
std::size_t compare(std::uint64_t first_seed, std::uint64_t count) {
  std::size_t nets = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + count && !testing::Test::HasFailure(); ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {1500, 5000});
    if (!truth.is_complete()) continue;
    ++nets;
    Dice dice(seed);
    for (int i = 0; i < 3; ++i) {
      ExploreOptions options;
      options.lanes = random_lanes(dice, net);
      options.levels = dice.one_in(3);
      choose_rows(dice, options);
      expect_agreement(seed, net, truth, options);
    }
  }
  return nets;
}

class ExploreRandomNets : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ExploreRandomNets, CountsAgreeWithTheReferenceForEveryLeaf) {
  const std::size_t nets = compare(GetParam(), 1000);
  RecordProperty("nets", static_cast<int>(nets));
  EXPECT_GT(nets, 400U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ExploreRandomNets, testing::Values(1, 1001, 2001, 3001, 4001));

TEST(ExploreRandom, PortableBitsGiveTheSameCounts) {
  setenv("DCHECK_PORTABLE_BITS", "1", 1);
  const std::size_t nets = compare(100'000, 500);
  unsetenv("DCHECK_PORTABLE_BITS");
  EXPECT_GT(nets, 150U);
}

TEST(Explore, FiringsThatDoNotFitThePlanAreDoneAgainUnderAWiderOne) {
  const Net net = guarded_net();
  const NaiveGraph truth = explore_naively(net, {20'000, 1000});
  ASSERT_TRUE(truth.is_complete());
  const Place a = *net.find_place("a");
  const Place b = *net.find_place("b");
  Dice dice(3);
  for (int i = 0; i < 10; ++i)
    for (const bool levels : {false, true})
      for (const std::vector<Place>& leaf : {std::vector<Place>{}, {a}, {b}}) {
        ExploreOptions options;
        options.lanes = {leaf.empty() ? LaneChoice::Kind::off : LaneChoice::Kind::places, leaf};
        options.levels = levels;
        if (i != 0) choose_rows(dice, options);
        EXPECT_GT(expect_agreement(0, net, truth, options), 0U) << "no parked firing was tried";
      }
}

TEST(ExploreRandom, UnboundedNetsEndWithAProofThatReplays) {
  std::size_t proven = 0;
  for (std::uint64_t seed = 500'000; seed < 500'200; ++seed) {
    NetFlavour flavour;
    flavour.source = true;
    flavour.weights = seed % 2 == 0;
    const Net net = random_net(seed, flavour);
    if (explore_naively(net, {20'000, 1000}).is_complete()) continue;
    SCOPED_TRACE(seed);
    ExploreOptions options;
    options.limits.max_states = 20'000;
    const Exploration result = explore(net, analyse(net), options).figures;
    EXPECT_FALSE(result.complete);
    EXPECT_FALSE(result.stop_reason.empty());
    if (!result.unbounded) continue;
    ++proven;
    std::vector<Tokens> marking(net.initial().begin(), net.initial().end());
    const auto fire = [&](Transition t) {
      ASSERT_TRUE(is_naively_enabled(net, t, marking));
      marking = fire_naively(net, t, marking);
    };
    for (const Transition t : result.unbounded->prefix) fire(t);
    const std::vector<Tokens> before = marking;
    for (const Transition t : result.unbounded->pump) fire(t);
    for (std::size_t p = 0; p < marking.size(); ++p) EXPECT_GE(marking[p], before[p]);
    EXPECT_GT(marking[index(result.unbounded->place)], before[index(result.unbounded->place)]);
  }
  EXPECT_GT(proven, 30U);
}

}  // namespace
}  // namespace dcheck::test
