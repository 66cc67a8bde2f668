// The reference itself is checked against figures known by other means, and the generator of random nets for covering
// what it promises.

#include "support/naive_explorer.hpp"

#include <gtest/gtest.h>

#include <set>

#include "dcheck/net/net_builder.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

/// n places in a ring with `tokens` tokens.
Net ring(std::uint32_t n, Tokens tokens) {
  NetBuilder builder("ring");
  for (std::uint32_t i = 0; i < n; ++i) builder.add_place("p" + std::to_string(i), i == 0 ? tokens : 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Transition t = builder.add_transition("t" + std::to_string(i));
    builder.add_input(t, Place{i}, 1);
    builder.add_output(t, Place{(i + 1) % n}, 1);
  }
  return builder.build();
}

TEST(NaiveExplorer, CountsTheRingByItsClosedForm) {
  // k tokens on n places: C(n + k - 1, k) markings; each place is marked in C(n + k - 2, k - 1) of them.
  const NaiveGraph graph = explore_naively(ring(4, 3));
  EXPECT_TRUE(graph.is_complete());
  EXPECT_EQ(graph.states(), 20U);
  EXPECT_EQ(graph.arcs, 4U * 10U);
  EXPECT_EQ(graph.deadlocks, 0U);
  EXPECT_EQ(graph.most_in_place, (std::vector<Tokens>{3, 3, 3, 3}));
  EXPECT_EQ(graph.most_in_marking, 3);
}

TEST(NaiveExplorer, CountsParallelTransitionsAndSelfLoopsAsArcs) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p", 1);
  for (const char* name : {"t", "twin"}) builder.add_input(builder.add_transition(name), p, 1);
  const Transition idle = builder.add_transition("idle");
  builder.add_input(idle, p, 1);
  builder.add_output(idle, p, 1);
  const NaiveGraph graph = explore_naively(builder.build());
  EXPECT_EQ(graph.states(), 2U);
  EXPECT_EQ(graph.arcs, 3U);
  EXPECT_EQ(graph.deadlocks, 1U);
  EXPECT_EQ(graph.successors[0], (std::vector<NaiveArc>{{Transition{0}, 1}, {Transition{1}, 1}, {idle, 0}}));
}

TEST(NaiveExplorer, InhibitorArcsAndGuardsRestrictFiring) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  const Place q = builder.add_place("q");
  const Transition fill = builder.add_transition("fill");
  builder.add_output(fill, p, 1);
  builder.add_inhibitor(fill, p, 4);
  const Transition count = builder.add_transition("count");
  builder.add_output(count, q, 1);
  builder.add_guard(count,
                    Expression::of(Expression::Kind::less, {Expression::tokens_in(q), Expression::tokens_in(p)}));
  const NaiveGraph graph = explore_naively(builder.build());
  EXPECT_EQ(graph.states(), 15U);  // 0 <= q <= p <= 4
  EXPECT_EQ(graph.deadlocks, 1U);
  EXPECT_EQ(graph.most_in_marking, 8);
}

TEST(NaiveExplorer, StopsAtTheLimitOfTokensOrOfStates) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  builder.add_output(builder.add_transition("t"), p, 1);
  const Net net = builder.build();
  const NaiveGraph by_tokens = explore_naively(net, {.states = 1'000, .tokens = 10});
  EXPECT_EQ(by_tokens.cut, NaiveGraph::Cut::tokens);
  EXPECT_EQ(by_tokens.most_in_place[0], 11);
  const NaiveGraph by_states = explore_naively(net, {.states = 7, .tokens = 1'000});
  EXPECT_EQ(by_states.cut, NaiveGraph::Cut::states);
  EXPECT_EQ(by_states.states(), 8U);
}

TEST(NaiveExplorer, ANetWithoutPlacesHasOneState) {
  const NaiveGraph nothing = explore_naively(NetBuilder("n").build());
  EXPECT_EQ(nothing.states(), 1U);
  EXPECT_EQ(nothing.deadlocks, 1U);
  NetBuilder builder("n");
  builder.add_transition("t");
  EXPECT_EQ(explore_naively(builder.build()).arcs, 1U);
}

TEST(RandomNet, TheSameSeedGivesTheSameNet) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const NaiveGraph a = explore_naively(random_net(seed), {.states = 500, .tokens = 20});
    const NaiveGraph b = explore_naively(random_net(seed), {.states = 500, .tokens = 20});
    ASSERT_EQ(a.markings, b.markings);
    ASSERT_EQ(a.arcs, b.arcs);
  }
}

TEST(RandomNet, SeedsCoverWhatTheGeneratorPromises) {
  int complete = 0, cut = 0, inhibited = 0, guarded = 0, deadlocked = 0, trivial = 0;
  std::set<std::size_t> sizes;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    const Net net = random_net(seed);
    ASSERT_GE(net.place_count(), 2U);
    ASSERT_GE(net.transition_count(), 1U);
    const NaiveGraph graph = explore_naively(net, {.states = 2'000, .tokens = 20});
    (graph.is_complete() ? complete : cut)++;
    inhibited += net.has_inhibitors() ? 1 : 0;
    guarded += net.has_guards() ? 1 : 0;
    deadlocked += graph.is_complete() && graph.deadlocks > 0 ? 1 : 0;
    trivial += graph.states() == 1 ? 1 : 0;
    sizes.insert(graph.states());
  }
  RecordProperty("complete", complete);
  EXPECT_GT(complete, 500);
  EXPECT_GT(cut, 50);
  EXPECT_GT(inhibited, 100);
  EXPECT_GT(guarded, 100);
  EXPECT_GT(deadlocked, 100);
  EXPECT_LT(trivial, 250);
  EXPECT_GT(sizes.size(), 100U);
}

}  // namespace
}  // namespace dcheck::test
