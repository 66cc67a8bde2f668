// Deciding formulas from the initial marking, against textbook labelling.

#include "dcheck/ctl/local/local_search.hpp"

#include <gtest/gtest.h>

#include "dcheck/ctl/text.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_formula.hpp"
#include "support/random_net.hpp"
#include "support/reference_checker.hpp"

namespace dcheck::test {
namespace {

constexpr std::uint64_t plenty = 100'000'000;

/// a -> b -> c ... each with one token that moves on, `length` places in all, and back to the first where `is_circle`.
Net chain_net(std::size_t length, bool is_circle) {
  NetBuilder builder("chain");
  std::vector<Place> places;
  for (std::size_t i = 0; i < length; ++i) places.push_back(builder.add_place("p" + std::to_string(i), i == 0 ? 1 : 0));
  for (std::size_t i = 0; i + (is_circle ? 0 : 1) < length; ++i) {
    const Transition t = builder.add_transition("t" + std::to_string(i));
    builder.add_input(t, places[i], 1);
    builder.add_output(t, places[(i + 1) % length], 1);
  }
  return builder.build();
}

Formula is_marked(std::size_t place) {
  return Formula::atom_of(Expression::of(
      Expression::Kind::less_equal,
      {Expression::constant_of(1), Expression::tokens_in(static_cast<Place>(static_cast<std::uint32_t>(place)))}));
}

TEST(LocalSearch, DecidesEveryFormulaOfASmallNetAsLabellingDoes) {
  std::size_t formulas = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph graph = explore_naively(net, {.states = 300, .tokens = 50});
    if (!graph.is_complete()) continue;
    const Structure structure = analyse(net);
    CorePool pool(net, structure);
    LocalSearch local(net, pool);
    Dice dice(seed);
    for (int i = 0; i < 20; ++i, ++formulas) {
      const Formula formula = random_formula(dice, net, 1 + i % 5);
      const Truth truth = local.decide(pool.intern(formula), plenty);
      ASSERT_EQ(truth, truth_of(satisfying_states(formula, net, graph)[0]))
          << "seed " << seed << ": " << text_of(formula, net);
    }
  }
  EXPECT_GT(formulas, 5'000U);
}

TEST(LocalSearch, SaysNothingWrongHoweverFewStepsItMayTake) {
  std::size_t known = 0, unknown = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph graph = explore_naively(net, {.states = 300, .tokens = 50});
    if (!graph.is_complete()) continue;
    const Structure structure = analyse(net);
    CorePool pool(net, structure);
    Dice dice(seed);
    LocalSearch local(net, pool);
    for (int i = 0; i < 20; ++i) {
      const Formula formula = random_formula(dice, net, 1 + i % 5);
      const Truth truth = local.decide(pool.intern(formula), static_cast<std::uint64_t>(dice.between(0, 300)));
      ++(truth == Truth::unknown ? unknown : known);
      if (truth == Truth::unknown) continue;
      ASSERT_EQ(truth, truth_of(satisfying_states(formula, net, graph)[0]))
          << "seed " << seed << ": " << text_of(formula, net);
    }
  }
  EXPECT_GT(known, 1'000U);
  EXPECT_GT(unknown, 100U);
}

TEST(LocalSearch, LooksAtFewStatesWhereFewDecide) {
  const Net net = chain_net(20'000, true);
  const Structure structure = analyse(net);
  CorePool pool(net, structure);
  LocalSearch local(net, pool);
  using Kind = Formula::Kind;
  EXPECT_EQ(local.decide(pool.intern(Formula::of(Kind::ef, {is_marked(5)})), 10'000), Truth::yes);
  EXPECT_EQ(local.decide(pool.intern(Formula::of(Kind::ag, {is_marked(0)})), 10'000), Truth::no);
  EXPECT_LT(local.steps(), 200'000U);  // most of them for writing the net's places down
}

TEST(LocalSearch, GivesUpWhereItsStepsEnd) {
  const Net net = chain_net(5'000, false);
  const Structure structure = analyse(net);
  CorePool pool(net, structure);
  LocalSearch local(net, pool);
  const CoreId last = pool.intern(Formula::of(Formula::Kind::ef, {is_marked(4'999)}));
  EXPECT_EQ(local.decide(last, 1000), Truth::unknown);
  EXPECT_EQ(local.decide(last, plenty), Truth::yes);
  EXPECT_EQ(local.decide(pool.intern(Formula::of(Formula::Kind::af, {is_marked(4'999)})), plenty), Truth::yes);
}

TEST(LocalSearch, IsEndedByItsCallersPatience) {
  const Net net = chain_net(20'000, false);
  const Structure structure = analyse(net);
  CorePool pool(net, structure);
  LocalSearch local(net, pool);
  struct Enough {};
  Patience patience([] { throw Enough(); });
  EXPECT_THROW(local.decide(pool.intern(Formula::of(Formula::Kind::ef, {is_marked(19'999)})), plenty, patience),
               Enough);
}

TEST(LocalSearch, KnowsNothingOfMarkingsBeyond63Bits) {
  NetBuilder builder("grows");
  const Place few = builder.add_place("few", 1);
  const Place many = builder.add_place("many", Tokens{1} << 62);
  const Transition grow = builder.add_transition("grow");
  builder.add_input(grow, few, 1);
  builder.add_output(grow, few, 1);
  builder.add_output(grow, many, Tokens{1} << 61);
  const Net net = builder.build();
  const Structure structure = analyse(net);
  CorePool pool(net, structure);
  LocalSearch local(net, pool);
  EXPECT_EQ(local.decide(pool.intern(Formula::of(Formula::Kind::ef,
                                                 {Formula::atom_of(Expression::of(Expression::Kind::deadlock))})),
                         plenty),
            Truth::unknown);
}

}  // namespace
}  // namespace dcheck::test
