// Our models are what their comments say, counted by the reference explorer.

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/spn_models_support.hpp"

namespace dcheck::test {
namespace {

std::string text_of(int n) {
  return std::to_string(n);
}

TEST(SpnModels, KanbanHasThePapersCounts) {
  EXPECT_EQ(count(model("kanban", {{"N", "1"}})), (Counts{160, 616, 0}));
  EXPECT_EQ(count(model("kanban", {{"N", "2"}})), (Counts{4600, 28120, 0}));
}

TEST(SpnModels, Kanban9IsKanbanWithNineCards) {
  const Model fixed = model("kanban9"), general = model("kanban", {{"N", "9"}});
  EXPECT_TRUE(fixed.parameters.empty());
  ASSERT_EQ(fixed.net.transition_count(), general.net.transition_count());
  EXPECT_TRUE(std::ranges::equal(fixed.net.initial(), general.net.initial()));
  for (std::size_t i = 0; i < fixed.net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    EXPECT_EQ(fixed.net.name(t), general.net.name(t));
    EXPECT_TRUE(std::ranges::equal(fixed.net.pre(t), general.net.pre(t)));
    EXPECT_TRUE(std::ranges::equal(fixed.net.post(t), general.net.post(t)));
  }
}

TEST(SpnModels, PhilosophersAreLucasNumbersWithTwoDeadlocks) {
  EXPECT_EQ(count(model("philosophers", {{"N", "3"}})), (Counts{76, 213, 2}));
  EXPECT_EQ(count(model("philosophers", {{"N", "4"}})), (Counts{322, 1204, 2}));
  EXPECT_EQ(count(model("philosophers", {{"N", "5"}})), (Counts{1364, 6375, 2}));
}

TEST(SpnModels, PhilosophersKnowWhoEats) {
  const Model philosophers = model("philosophers", {{"N", "3"}});
  ASSERT_EQ(philosophers.definitions.at(0).name, "eating");
  const Expression& eating = philosophers.definitions[0].formula.predicate;
  const NaiveGraph graph = explore_naively(philosophers.net);
  const auto eats = [&](const auto& marking) { return holds_naively(eating, philosophers.net, marking); };
  EXPECT_EQ(std::ranges::count_if(graph.markings, eats), 24);
}

TEST(SpnModels, DatabaseManagersFollowTheStandardFormula) {
  std::size_t power = 3;
  for (int n = 2; n <= 6; ++n, power *= 3) {
    const Counts counts = count(model("database", {{"N", text_of(n)}}));
    EXPECT_EQ(counts.states, static_cast<std::size_t>(n) * power + 1);
    EXPECT_EQ(counts.deadlocks, 0U);
  }
}

TEST(SpnModels, FmsHasTheContestsCounts) {
  EXPECT_EQ(count(model("fms", {{"N", "2"}})), (Counts{3444, 16311, 0}));
}

TEST(SpnModels, MutexFollowsItsFormula) {
  for (int n = 1; n <= 8; ++n) {
    const auto wanted = static_cast<std::size_t>(n + 2) << static_cast<unsigned>(n - 1);
    EXPECT_EQ(count(model("mutex", {{"N", text_of(n)}})).states, wanted);
  }
}

TEST(SpnModels, PetersonLetsOneProcessIn) {
  EXPECT_EQ(count(model("peterson", {{"N", "2"}})), (Counts{32, 64, 0}));
  const Model peterson = model("peterson", {{"N", "3"}});
  const NaiveGraph graph = explore_naively(peterson.net);
  EXPECT_EQ(graph.states(), 1626U);
  EXPECT_EQ(*std::ranges::max_element(graph.most_in_place), 1);
  const Formula& exclusion = peterson.checks.at(0).formula;
  ASSERT_EQ(exclusion.kind, Formula::Kind::ag);
  for (const auto& marking : graph.markings) {
    EXPECT_TRUE(holds_naively(exclusion.children[0].predicate, peterson.net, marking));
  }
}

TEST(SpnModels, LeaderElectsTheLargestOnEveryPath) {
  const Model leader = model("leader", {{"N", "5"}});
  const NaiveGraph graph = explore_naively(leader.net);
  EXPECT_EQ((Counts{graph.states(), graph.arcs, graph.deadlocks}), (Counts{299, 1010, 1}));
  const auto place = [&](const char* name) { return index(leader.net.find_place(name).value()); };
  for (std::size_t state = 0; state < graph.states(); ++state) {
    for (const char* other : {"leader[1]", "leader[2]", "leader[3]", "leader[4]"}) {
      EXPECT_EQ(graph.markings[state][place(other)], 0);
    }
    EXPECT_TRUE(!graph.successors[state].empty() || graph.markings[state][place("leader[5]")] == 1);
  }
}

TEST(SpnModels, EratosthenesEndsWithThePrimes) {
  const Model sieve = model("eratosthenes", {{"N", "20"}});
  EXPECT_EQ(count(sieve), (Counts{402, 846, 1}));
  for (const char* prime : {"prime[2]", "prime[11]", "prime[19]"}) EXPECT_TRUE(sieve.net.find_place(prime));
  EXPECT_FALSE(sieve.net.find_place("prime[9]"));
}

TEST(SpnModels, StopAndWaitDeliversInOrder) {
  const Model protocol = model("stop_and_wait", {{"N", "3"}, {"C", "2"}});
  const NaiveGraph graph = explore_naively(protocol.net);
  EXPECT_EQ((Counts{graph.states(), graph.arcs, graph.deadlocks}), (Counts{184, 762, 1}));
  const Formula& in_order = protocol.checks.at(0).formula;
  for (const auto& marking : graph.markings) {
    EXPECT_TRUE(holds_naively(in_order.children[0].predicate, protocol.net, marking));
  }
}

TEST(SpnModels, ColouredOnesAreTheSameNetsAsTheOthers) {
  const auto expect_same = [](const std::string& name, const ParameterTexts& parameters) {
    SCOPED_TRACE(name);
    const Model plain = model(name, parameters), coloured = model(name + "_coloured", parameters);
    EXPECT_EQ(coloured.net.place_count(), plain.net.place_count());
    EXPECT_EQ(coloured.net.transition_count(), plain.net.transition_count());
    EXPECT_EQ(count(coloured), count(plain));
  };
  expect_same("database", {{"N", "4"}});
  expect_same("eratosthenes", {{"N", "20"}});
  expect_same("philosophers", {{"N", "4"}});
  expect_same("stop_and_wait", {{"N", "3"}, {"C", "2"}});
}

TEST(SpnModels, AllParseWithTheirDefaultsAndHaveChecks) {
  for (const char* name : {"kanban", "kanban9", "philosophers", "database", "peterson", "mutex", "leader",
                           "eratosthenes", "fms", "stop_and_wait", "database_coloured", "eratosthenes_coloured",
                           "philosophers_coloured", "stop_and_wait_coloured"}) {
    const Model read = model(name);
    EXPECT_FALSE(read.checks.empty()) << name;
    EXPECT_EQ(read.net.name(), name);
    EXPECT_EQ(read.sha256.size(), 64U);
  }
}

}  // namespace
}  // namespace dcheck::test
