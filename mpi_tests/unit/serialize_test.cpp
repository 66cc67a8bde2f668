// What is sent to other ranks arrives as it was: nets, what is known of them, formulas, the task.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "app/task.hpp"
#include "dcheck/comm/collectives.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/random_formula.hpp"

namespace dcheck {
namespace {

/// As another rank gets it. What was there before must not matter, so it goes into the given value.
template <typename T>
T sent(const T& value, T into = {}) {
  from_bytes(to_bytes(value), into);
  return into;
}

void expect_same_arcs(std::span<const Arc> a, std::span<const Arc> b) {
  EXPECT_TRUE(std::ranges::equal(a, b));
}

void expect_same_transition(const Net& a, const Net& b, Transition t) {
  EXPECT_EQ(a.name(t), b.name(t));
  EXPECT_EQ(b.find_transition(a.name(t)), t);
  expect_same_arcs(a.pre(t), b.pre(t));
  expect_same_arcs(a.post(t), b.post(t));
  expect_same_arcs(a.inhibitors(t), b.inhibitors(t));
  expect_same_arcs(a.effect(t), b.effect(t));
  EXPECT_EQ(a.rate(t), b.rate(t));
  ASSERT_EQ(a.guard(t) == nullptr, b.guard(t) == nullptr);
  if (a.guard(t) != nullptr) {
    EXPECT_EQ(*a.guard(t), *b.guard(t));
  }
}

void expect_same_net(const Net& a, const Net& b) {
  EXPECT_EQ(a.name(), b.name());
  ASSERT_EQ(a.place_count(), b.place_count());
  ASSERT_EQ(a.transition_count(), b.transition_count());
  EXPECT_TRUE(std::ranges::equal(a.initial(), b.initial()));
  EXPECT_EQ(a.places_as_written(), b.places_as_written());
  EXPECT_EQ(a.has_guards(), b.has_guards());
  EXPECT_EQ(a.has_inhibitors(), b.has_inhibitors());
  EXPECT_EQ(a.units_claim_safe(), b.units_claim_safe());
  for (std::size_t p = 0; p < a.place_count(); ++p) {
    const auto place = static_cast<Place>(p);
    EXPECT_EQ(a.name(place), b.name(place));
    EXPECT_EQ(b.find_place(a.name(place)), place);
  }
  for (std::size_t t = 0; t < a.transition_count(); ++t) expect_same_transition(a, b, static_cast<Transition>(t));
  ASSERT_EQ(a.units().size(), b.units().size());
  for (std::size_t u = 0; u < a.units().size(); ++u) {
    EXPECT_EQ(a.units()[u].name, b.units()[u].name);
    EXPECT_EQ(a.units()[u].places, b.units()[u].places);
    EXPECT_EQ(a.units()[u].subunits, b.units()[u].subunits);
  }
}

/// With everything a net can have.
Net rich_net() {
  NetBuilder builder(
      "r\xC3\xAD"
      "ch \"net\"");
  const Place a = builder.add_place("a", std::numeric_limits<Tokens>::max());
  const Place b = builder.add_place("b[1,2]");
  const Transition t = builder.add_transition("t");
  const Transition u = builder.add_transition("u");
  builder.add_input(t, a, 3);
  builder.add_output(t, b, std::numeric_limits<Tokens>::max() - 1);
  builder.add_inhibitor(t, b, 7);
  builder.add_guard(u, Expression::of(Expression::Kind::less, {Expression::tokens_in(a), Expression::constant_of(-5)}));
  builder.set_rate(u, 0.36);
  builder.set_units({{"root", {}, {1}}, {"leaf", {a, b}, {}}}, true);
  return builder.build();
}

TEST(Serialize, ANetKeepsEverythingIncludingItsNames) {
  const Net net = rich_net();
  expect_same_net(net, sent(net));
}

TEST(Serialize, ANetReplacesWhateverWasThere) {
  const Net net = rich_net();
  const Net other = test::random_net(3);
  ASSERT_FALSE(net.find_place(other.name(Place{0})));
  const Net copy = sent(net, other);
  expect_same_net(net, copy);
  EXPECT_FALSE(copy.find_place(other.name(Place{0})));
  expect_same_net(Net(), sent(Net(), rich_net()));
}

TEST(Serialize, APlaceIsStillShownWhereItStoodInTheText) {
  const Net net = rich_net();
  const Net turned = renumbered(net, {{Place{1}, Place{0}}, {Transition{1}, Transition{0}}});
  ASSERT_NE(turned.places_as_written(), net.places_as_written());
  expect_same_net(turned, sent(turned));
}

TEST(Serialize, RandomNetsAndFormulasArriveAsTheyWere) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Net net = test::random_net(seed);
    expect_same_net(net, sent(net));
    test::Dice dice(seed);
    const Property property{"id", "as written", test::random_formula(dice, net, 4), seed % 2 == 0,
                            test::random_sum(dice, net)};
    const Property copy = sent(property);
    EXPECT_EQ(copy.id, property.id);
    EXPECT_EQ(copy.text, property.text);
    EXPECT_EQ(copy.formula, property.formula);
    EXPECT_EQ(copy.is_upper_bound, property.is_upper_bound);
    EXPECT_EQ(copy.bound_of, property.bound_of);
  }
}

TEST(Serialize, WhatIsKnownOfANetArrivesAsItWas) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Structure structure = analyse(test::random_net(seed));
    const Structure copy = sent(structure);
    ASSERT_EQ(copy.invariants.size(), structure.invariants.size());
    for (std::size_t i = 0; i < copy.invariants.size(); ++i) {
      EXPECT_EQ(copy.invariants[i].terms, structure.invariants[i].terms);
      EXPECT_EQ(copy.invariants[i].constant, structure.invariants[i].constant);
    }
    EXPECT_EQ(copy.semiflows.size(), structure.semiflows.size());
    EXPECT_EQ(copy.semiflows_of, structure.semiflows_of);
    EXPECT_EQ(copy.bounds, structure.bounds);
    EXPECT_EQ(copy.dead, structure.dead);
  }
}

TEST(Serialize, TheProofThatAPlaceIsUnboundedArrivesAsItWas) {
  const UnboundedEvidence evidence{Place{7}, {Transition{1}, Transition{0}}, {Transition{4'000'000'000}}};
  const UnboundedEvidence copy = sent(evidence);
  EXPECT_EQ(copy.place, evidence.place);
  EXPECT_EQ(copy.prefix, evidence.prefix);
  EXPECT_EQ(copy.pump, evidence.pump);
}

TEST(Serialize, AFormulaAsDeepAsParsersAllowArrives) {
  Formula formula = Formula::atom_of(Expression::of(Expression::Kind::deadlock));
  for (int i = 0; i < 2'000; ++i) {
    std::vector<Formula> child;
    child.push_back(std::move(formula));
    formula = Formula::of(i % 2 == 0 ? Formula::Kind::ex : Formula::Kind::negation, std::move(child));
  }
  EXPECT_EQ(sent(formula), formula);
}

TEST(Serialize, ATaskCarriesEveryOptionOfTheEngines) {
  Task task;
  task.net = rich_net();
  task.options.explore.lanes = {LaneChoice::Kind::places, {Place{1}}};
  task.options.explore.limits = {.max_states = 5, .max_memory_bytes = {}, .max_seconds = 1.5};
  task.options.explore.levels = task.options.witness = true;
  task.exchange = {.buffer_bytes = 64, .flush_after_ms = 0, .cache_bytes = 11, .max_in_flight = 12};
  Task other;
  other.options.explore.limits.max_memory_bytes = 9;
  const Task copy = sent(task, other);
  expect_same_net(task.net, copy.net);
  EXPECT_EQ(copy.options.explore.lanes.kind, LaneChoice::Kind::places);
  EXPECT_EQ(copy.options.explore.lanes.places, std::vector<Place>{Place{1}});
  EXPECT_EQ(copy.options.explore.limits.max_states, 5U);
  EXPECT_EQ(copy.options.explore.limits.max_memory_bytes, std::nullopt);
  EXPECT_EQ(copy.options.explore.limits.max_seconds, 1.5);
  EXPECT_TRUE(copy.options.explore.levels && copy.options.witness);
  EXPECT_FALSE(copy.options.full || copy.options.sat_counts);
  EXPECT_EQ(copy.exchange.buffer_bytes, 64U);
  EXPECT_EQ(copy.exchange.flush_after_ms, 0U);
  EXPECT_EQ(copy.exchange.cache_bytes, 11U);
  EXPECT_EQ(copy.exchange.max_in_flight, 12U);
}

}  // namespace
}  // namespace dcheck
