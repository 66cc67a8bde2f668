// The engine against the reference explorer on random nets: whatever the leaf, the counts are the same.

#include <gtest/gtest.h>

#include <cstdlib>

#include "dcheck/explore/explore.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

LaneChoice random_lanes(Dice& dice, const Net& net) {
  LaneChoice choice;
  choice.kind = static_cast<LaneChoice::Kind>(dice.between(0, 2));
  if (choice.kind != LaneChoice::Kind::places) return choice;
  for (std::size_t p = 0; p < net.place_count(); ++p)
    if (dice.one_in(2)) choice.places.push_back(static_cast<Place>(p));
  return choice;
}

std::string describe(std::uint64_t seed, const LaneChoice& lanes) {
  std::string text = "seed " + std::to_string(seed) + " lanes kind " + std::to_string(static_cast<int>(lanes.kind));
  for (const Place p : lanes.places) text += " " + std::to_string(index(p));
  return text;
}

void expect_agreement(std::uint64_t seed, const Net& net, const NaiveGraph& truth, const LaneChoice& lanes) {
  SCOPED_TRACE(describe(seed, lanes));
  ExploreOptions options;
  options.lanes = lanes;
  const Exploration result = explore(net, options);
  ASSERT_TRUE(result.complete) << result.stop_reason;
  EXPECT_EQ(result.states, truth.states());
  EXPECT_EQ(result.arcs, truth.arcs);
  EXPECT_EQ(result.deadlocks, truth.deadlocks);
  EXPECT_EQ(result.max_tokens, truth.most_in_place);
  EXPECT_EQ(result.max_tokens_in_marking, truth.most_in_marking);
  EXPECT_GE(result.row_visits, result.rows);
  EXPECT_LE(result.row_operations, result.arcs);
}

/// Fills `checked` with the number of nets whose whole state space was compared.
void compare(std::uint64_t first_seed, std::uint64_t count, std::size_t& checked) {
  checked = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + count && !testing::Test::HasFailure(); ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {3000, 300});
    if (!truth.is_complete()) continue;
    ++checked;
    Dice dice(seed);
    for (int i = 0; i < 3; ++i) expect_agreement(seed, net, truth, random_lanes(dice, net));
  }
}

TEST(ExploreRandom, CountsAgreeWithTheReferenceForEveryLeaf) {
  std::size_t checked = 0;
  compare(1, 4000, checked);
  RecordProperty("nets", static_cast<int>(checked));
  EXPECT_GT(checked, 1500U);
}

TEST(ExploreRandom, PortableBitsGiveTheSameCounts) {
  setenv("DCHECK_PORTABLE_BITS", "1", 1);
  std::size_t checked = 0;
  compare(100'000, 600, checked);
  unsetenv("DCHECK_PORTABLE_BITS");
  EXPECT_GT(checked, 200U);
}

TEST(ExploreRandom, UnboundedNetsEndWithAProofThatReplays) {
  std::size_t proven = 0;
  for (std::uint64_t seed = 500'000; seed < 500'400; ++seed) {
    NetFlavour flavour;
    flavour.source = true;
    flavour.weights = seed % 2 == 0;
    const Net net = random_net(seed, flavour);
    if (explore_naively(net, {20'000, 1000}).is_complete()) continue;
    SCOPED_TRACE(seed);
    ExploreOptions options;
    options.limits.max_states = 200'000;
    const Exploration result = explore(net, options);
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
  EXPECT_GT(proven, 50U);
}

}  // namespace
}  // namespace dcheck::test
