// The models that are there for the tables of papers are what their comments say, counted by the reference explorer.

#include <gtest/gtest.h>

#include <utility>

#include "unit/spn_models_support.hpp"

namespace dcheck::test {
namespace {

/// That AG of a predicate holds, where it is the first check of a model.
void expect_first_check_everywhere(const Model& model) {
  const Formula& check = model.checks.at(0).formula;
  ASSERT_EQ(check.kind, Formula::Kind::ag);
  for (const auto& marking : explore_naively(model.net).markings) {
    EXPECT_TRUE(holds_naively(check.children[0].predicate, model.net, marking));
  }
}

TEST(SpnPaperModels, DiningHasTheIndependentSetsOfARing) {
  std::size_t lucas = 4, next_lucas = 7, fibonacci = 1, next_fibonacci = 2;  // Lucas(n) and Fib(n-1)
  for (std::size_t n = 3; n <= 16; ++n) {
    EXPECT_EQ(count(model("dining", {{"N", std::to_string(n)}})), (Counts{lucas, 2 * n * fibonacci, 0})) << n;
    lucas = std::exchange(next_lucas, lucas + next_lucas);
    fibonacci = std::exchange(next_fibonacci, fibonacci + next_fibonacci);
  }
  expect_first_check_everywhere(model("dining"));
}

TEST(SpnPaperModels, AnInitialStepIsOneStateAndOneArcMore) {
  for (const char* name : {"dining", "database", "simple_protocol"}) {
    const ParameterTexts size{{"N", "4"}};
    Counts counts = count(model(name, size));
    ++counts.states;
    ++counts.arcs;
    ParameterTexts with_step = size;
    with_step.emplace_back("STEP", "1");
    EXPECT_EQ(count(model(name, with_step)), counts) << name;
  }
}

TEST(SpnPaperModels, ChairsKeepPhilosophersFromDeadlock) {
  EXPECT_EQ(count(model("dining_chairs", {{"N", "3"}})), (Counts{31, 63, 0}));
  EXPECT_EQ(count(model("dining_chairs", {{"N", "5"}})), (Counts{491, 1895, 0}));
}

TEST(SpnPaperModels, SilentLeaderIsTheLargestOnEveryPath) {
  const Model leader = model("leader_silent", {{"N", "5"}});
  const NaiveGraph graph = explore_naively(leader.net);
  EXPECT_EQ((Counts{graph.states(), graph.arcs, graph.deadlocks}), (Counts{219, 770, 1}));
  const std::size_t largest = index(leader.net.find_place("leader[5]").value());
  for (std::size_t state = 0; state < graph.states(); ++state) {
    EXPECT_TRUE(!graph.successors[state].empty() || graph.markings[state][largest] == 1);
  }
  expect_first_check_everywhere(leader);
}

TEST(SpnPaperModels, PetersonWithFlagsLetsOneProcessIn) {
  const Model two = model("peterson_flags", {{"N", "2"}});
  EXPECT_EQ(count(two), (Counts{158, 316, 0}));
  expect_first_check_everywhere(two);
}

TEST(SpnPaperModels, SieveEndsWithEveryTesterDone) {
  EXPECT_EQ(count(model("sieve", {{"N", "10"}})), (Counts{384, 873, 1}));
  EXPECT_EQ(count(model("sieve", {{"N", "20"}})), (Counts{10802, 35089, 1}));
  const Model sieve = model("sieve");
  ASSERT_EQ(sieve.definitions.at(0).name, "sieved");
  const NaiveGraph graph = explore_naively(sieve.net);
  for (std::size_t state = 0; state < graph.states(); ++state) {
    const bool is_sieved = holds_naively(sieve.definitions[0].formula.predicate, sieve.net, graph.markings[state]);
    EXPECT_EQ(is_sieved, graph.successors[state].empty());
  }
}

TEST(SpnPaperModels, SimpleProtocolNeverGetsAheadOfTheReceiver) {
  EXPECT_EQ(count(model("simple_protocol", {{"N", "2"}, {"C", "1"}})), (Counts{17, 22, 1}));
  const Model protocol = model("simple_protocol");
  EXPECT_EQ(count(protocol), (Counts{217, 557, 1}));
  expect_first_check_everywhere(protocol);
}

TEST(SpnPaperModels, NamedTokensAreAnywhere) {
  const Model tokens = model("named_tokens");
  EXPECT_EQ(count(tokens), (Counts{1024, 7680, 0}));
  expect_first_check_everywhere(tokens);
}

TEST(SpnPaperModels, AllParseWithTheirDefaultsAndHaveChecks) {
  for (const char* name :
       {"dining", "dining_chairs", "leader_silent", "named_tokens", "peterson_flags", "sieve", "simple_protocol"}) {
    const Model read = model(name);
    EXPECT_FALSE(read.checks.empty()) << name;
    EXPECT_EQ(read.net.name(), name);
  }
}

}  // namespace
}  // namespace dcheck::test
