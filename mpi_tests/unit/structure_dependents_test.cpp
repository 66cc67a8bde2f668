#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <numeric>

#include "dcheck/net/net_builder.hpp"
#include "dcheck/net/structure.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"

namespace dcheck {
namespace {

using test::Dice;
using test::explore_naively;
using test::NaiveGraph;
using test::random_net;

std::vector<Place> all_places(const Net& net) {
  std::vector<Place> places;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) places.push_back(Place{p});
  return places;
}

std::vector<Place> shuffled(std::vector<Place> places, Dice& dice) {
  for (std::size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1], places[static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(i) - 1))]);
  }
  return places;
}

/// The tokens of the dependent place as its equation gives them; -1 where they are no whole number.
Tokens solve(const Dependent& dependent, const std::vector<Tokens>& marking) {
  Tokens sum = dependent.constant;
  for (const LinearForm::Term& term : dependent.terms) sum += term.coefficient * marking[index(term.place)];
  return sum % dependent.scale == 0 ? sum / dependent.scale : -1;
}

bool is_one_of(std::span<const Dependent> dependents, Place place) {
  return std::ranges::find(dependents, place, &Dependent::place) != dependents.end();
}

TEST(SolveForDependents, EveryResultHoldsInEveryReachableMarkingForRandomOrders) {
  std::size_t scaled = 0, constant = 0, results = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    const Net net = random_net(seed);
    const Structure structure = analyse(net);
    const NaiveGraph graph = explore_naively(net, {.states = 300, .tokens = 50});
    Dice dice(seed);
    for (int order = 0; order < 3; ++order) {
      const auto dependents = solve_for_dependents(net, structure, shuffled(all_places(net), dice));
      ASSERT_EQ(dependents.size(), structure.invariants.size()) << "seed " << seed;
      for (const Dependent& dependent : dependents) {
        Tokens divisor = std::gcd(dependent.scale, dependent.constant);
        for (const LinearForm::Term& term : dependent.terms) {
          ASSERT_FALSE(is_one_of(dependents, term.place)) << "seed " << seed;
          ASSERT_NE(term.coefficient, 0);
          divisor = std::gcd(divisor, term.coefficient);
        }
        ASSERT_EQ(divisor, 1) << "seed " << seed;
        ASSERT_GT(dependent.scale, 0);
        for (const auto& marking : graph.markings) {
          ASSERT_EQ(solve(dependent, marking), marking[index(dependent.place)]) << "seed " << seed;
        }
        scaled += dependent.scale > 1 ? 1 : 0;
        constant += dependent.terms.empty() ? 1 : 0;
        ++results;
      }
    }
  }
  EXPECT_GT(results, 4'000U);
  EXPECT_GT(scaled, 100U);
  EXPECT_GT(constant, 100U);
}

/// A dependent place may not be exchanged for a later independent one: its equation mentions only places
/// that stand earlier. This characterises the greedy choice.
TEST(SolveForDependents, LaterPlacesBecomeDependentFirst) {
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    const Net net = random_net(seed);
    Dice dice(seed);
    const std::vector<Place> keep = shuffled(all_places(net), dice);
    const auto position = [&](Place p) { return std::ranges::find(keep, p) - keep.begin(); };
    for (const Dependent& dependent : solve_for_dependents(net, analyse(net), keep)) {
      for (const LinearForm::Term& term : dependent.terms) {
        ASSERT_LT(position(term.place), position(dependent.place)) << "seed " << seed;
      }
    }
  }
}

TEST(SolveForDependents, AWeightGivesAScale) {
  NetBuilder builder("n");
  const Place pairs = builder.add_place("pairs", 3), single = builder.add_place("single", 1);
  const Transition split = builder.add_transition("split");
  builder.add_input(split, pairs, 1);
  builder.add_output(split, single, 2);
  const Net net = builder.build();
  const Structure structure = analyse(net);
  const auto by_single = solve_for_dependents(net, structure, std::vector{single, pairs});
  ASSERT_EQ(by_single.size(), 1U);
  EXPECT_EQ(by_single[0].place, pairs);
  EXPECT_EQ(by_single[0].scale, 2);
  EXPECT_EQ(by_single[0].constant, 7);
  EXPECT_EQ(by_single[0].terms, (std::vector<LinearForm::Term>{{single, -1}}));
  const auto by_pairs = solve_for_dependents(net, structure, std::vector{pairs, single});
  ASSERT_EQ(by_pairs.size(), 1U);
  EXPECT_EQ(by_pairs[0].place, single);
  EXPECT_EQ(by_pairs[0].scale, 1);
  EXPECT_EQ(by_pairs[0].terms, (std::vector<LinearForm::Term>{{pairs, -2}}));
}

TEST(SolveForDependents, NumbersBeyond31BitsLeaveThePlaceIndependent) {
  NetBuilder builder("n");
  const Place a = builder.add_place("a", 1), b = builder.add_place("b"), c = builder.add_place("c", 1),
              d = builder.add_place("d");
  const Transition large = builder.add_transition("large"), small = builder.add_transition("small");
  builder.add_input(large, a, 1);
  builder.add_output(large, b, Tokens{1} << 40);
  builder.add_input(small, c, 1);
  builder.add_output(small, d, 1);
  const Net net = builder.build();
  const Structure structure = analyse(net);
  EXPECT_EQ(structure.invariants.size(), 2U);
  const auto dependents = solve_for_dependents(net, structure, all_places(net));
  ASSERT_EQ(dependents.size(), 1U);
  EXPECT_EQ(dependents[0].place, d);
}

TEST(SolveForDependents, AnOrderThatIsNoPermutationIsALogicError) {
  const Net net = random_net(1);
  const Structure structure = analyse(net);
  std::vector<Place> keep = all_places(net);
  keep.back() = keep.front();
  EXPECT_THROW(solve_for_dependents(net, structure, keep), std::logic_error);
  keep.pop_back();
  EXPECT_THROW(solve_for_dependents(net, structure, keep), std::logic_error);
}

TEST(SolveForDependents, AWrongInvariantIsNoticed) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p", 1), q = builder.add_place("q");
  const Transition t = builder.add_transition("t");
  builder.add_input(t, p, 1);
  builder.add_output(t, q, 1);
  const Net net = builder.build();
  Structure structure = analyse(net);
  structure.invariants.at(0).constant += 1;
  EXPECT_THROW(solve_for_dependents(net, structure, std::vector{p, q}), std::logic_error);
  structure.invariants.at(0).constant -= 1;
  structure.invariants.at(0).terms.at(0).coefficient += 1;
  EXPECT_THROW(solve_for_dependents(net, structure, std::vector{p, q}), std::logic_error);
}

/// 100 philosophers: 500 places (thinking, left, eating, right, fork), 200 invariants that overlap.
TEST(SolveForDependents, FiveHundredPlacesTakeMillisecondsACall) {
  NetBuilder builder("philosophers");
  constexpr std::uint32_t n = 100;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const char* name : {"think", "left", "eat", "right", "fork"}) {
      const std::string kind = name;
      builder.add_place(kind + std::to_string(i), kind == "think" || kind == "fork" ? 1 : 0);
    }
  }
  const auto place = [](std::uint32_t i, std::uint32_t kind) { return Place{i % n * 5 + kind}; };
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto add = [&](const char* name, const std::vector<Place>& in, const std::vector<Place>& out) {
      const Transition t = builder.add_transition(name + std::to_string(i));
      for (const Place p : in) builder.add_input(t, p, 1);
      for (const Place p : out) builder.add_output(t, p, 1);
    };
    add("take_left", {place(i, 0), place(i, 4)}, {place(i, 1)});
    add("take_right", {place(i, 1), place(i + 1, 4)}, {place(i, 2)});
    add("drop_left", {place(i, 2)}, {place(i, 3), place(i, 4)});
    add("drop_right", {place(i, 3)}, {place(i, 0), place(i + 1, 4)});
  }
  const Net net = builder.build();
  const Structure structure = analyse(net);
  ASSERT_EQ(structure.invariants.size(), 2U * n);
  ASSERT_EQ(structure.semiflows.size(), 2U * n);
  Dice dice(1);
  constexpr int calls = 20;
  const std::clock_t begin = std::clock();
  for (int i = 0; i < calls; ++i) {
    EXPECT_EQ(solve_for_dependents(net, structure, shuffled(all_places(net), dice)).size(), 2U * n);
  }
  // Measured: 0.3 ms a call; the limit leaves room for sanitizers.
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / calls, 0.05);
}

}  // namespace
}  // namespace dcheck
