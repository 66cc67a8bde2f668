#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "dcheck/net/net_builder.hpp"
#include "dcheck/net/structure.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"

namespace dcheck {
namespace {

using test::explore_naively;
using test::NaiveGraph;

/// Fires the evidence step by step with the reference's rules.
void expect_replays(const Net& net, const UnboundedEvidence& evidence) {
  std::vector<Tokens> marking(net.initial().begin(), net.initial().end());
  const auto fire_all = [&](const std::vector<Transition>& path) {
    for (const Transition t : path) {
      ASSERT_TRUE(test::is_naively_enabled(net, t, marking));
      marking = test::fire_naively(net, t, marking);
    }
  };
  fire_all(evidence.prefix);
  const std::vector<Tokens> before = marking;
  ASSERT_FALSE(evidence.pump.empty());
  fire_all(evidence.pump);
  for (std::size_t p = 0; p < before.size(); ++p) ASSERT_GE(marking[p], before[p]);
  ASSERT_GT(marking[index(evidence.place)], before[index(evidence.place)]);
}

TEST(FindUnbounded, ASourceIsFoundAtOnce) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  const Transition t = builder.add_transition("t");
  builder.add_output(t, p, 2);
  const Net net = builder.build();
  const auto evidence = find_unbounded(net, 10);
  ASSERT_TRUE(evidence);
  EXPECT_EQ(evidence->place, p);
  EXPECT_TRUE(evidence->prefix.empty());
  EXPECT_EQ(evidence->pump, std::vector{t});
}

TEST(FindUnbounded, AProducerThatMustBeReachedFirstIsFound) {
  NetBuilder builder("n");
  const Place off = builder.add_place("off", 1), on = builder.add_place("on"), buffer = builder.add_place("buffer");
  const Transition start = builder.add_transition("start"), make = builder.add_transition("make"),
                   use = builder.add_transition("use");
  builder.add_input(start, off, 1);
  builder.add_output(start, on, 1);
  builder.add_input(make, on, 1);
  builder.add_output(make, on, 1);
  builder.add_output(make, buffer, 1);
  builder.add_input(use, buffer, 1);
  const Net net = builder.build();
  const auto evidence = find_unbounded(net, 100);
  ASSERT_TRUE(evidence);
  EXPECT_EQ(evidence->place, buffer);
  expect_replays(net, *evidence);
}

/// Bounded: the reference explored it all, or every place has a proven bound. All others of these nets
/// are unbounded: the search must not miss one.
TEST(FindUnbounded, BoundedNetsHaveNoEvidenceAndUnboundedOnesHave) {
  std::size_t bounded = 0, unbounded = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    test::Dice dice(~seed);
    test::NetFlavour flavour = test::NetFlavour::from(dice);
    flavour.inhibitors = flavour.guards = flavour.jumps = false;  // jumps are guarded, or inhibited
    const Net net = test::random_net(seed, flavour);
    const NaiveGraph graph = explore_naively(net, {.states = 2'000, .tokens = 60});
    const auto bounds = analyse(net).bounds;
    const bool is_bounded =
        graph.is_complete() || std::ranges::all_of(bounds, [](const auto& bound) { return bound.has_value(); });
    const auto evidence = find_unbounded(net, 100'000);
    ASSERT_EQ(evidence.has_value(), !is_bounded) << "seed " << seed;
    if (evidence) expect_replays(net, *evidence);
    ++(is_bounded ? bounded : unbounded);
  }
  EXPECT_GT(bounded, 400U);
  EXPECT_GT(unbounded, 150U);
}

TEST(FindUnbounded, SaysNothingWhereInhibitorsOrGuardsMakeCoveringMeaningless) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  const Transition t = builder.add_transition("t");
  builder.add_output(t, p, 1);
  builder.add_inhibitor(t, p, 3);
  EXPECT_FALSE(find_unbounded(builder.build(), 1'000));
  builder.add_place("p");
  const Transition u = builder.add_transition("u");
  builder.add_output(u, Place{0}, 1);
  builder.add_guard(
      u, Expression::of(Expression::Kind::less, {Expression::tokens_in(Place{0}), Expression::constant_of(3)}));
  EXPECT_FALSE(find_unbounded(builder.build(), 1'000));
}

TEST(FindUnbounded, TokensBeyond63BitsAreNotFired) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p", INT64_MAX);
  const Transition t = builder.add_transition("t");
  builder.add_output(t, p, 1);
  EXPECT_FALSE(find_unbounded(builder.build(), 1'000));
}

TEST(FindUnbounded, NoStepsMeanNoAnswer) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  builder.add_output(builder.add_transition("t"), p, 1);
  EXPECT_FALSE(find_unbounded(builder.build(), 0));
}

TEST(FindUnbounded, AMillionStepsInALargeNetTakeSeconds) {
  NetBuilder builder("rings");
  constexpr std::uint32_t n = 1'000;
  for (std::uint32_t i = 0; i < n; ++i) builder.add_place("p" + std::to_string(i), i % 2);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Transition t = builder.add_transition("t" + std::to_string(i));
    builder.add_input(t, Place{i}, 1);
    builder.add_output(t, Place{(i + 1) % n}, 1);
  }
  const Net net = builder.build();
  const std::clock_t begin = std::clock();
  EXPECT_FALSE(find_unbounded(net, 1'000'000));
  EXPECT_LT(std::clock() - begin, 20 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace dcheck
