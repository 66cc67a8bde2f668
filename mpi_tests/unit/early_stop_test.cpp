// A search that ends as soon as everything is decided: its figures are lower bounds, and do not deny what it found.

#include <gtest/gtest.h>

#include "support/check_on_ranks.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_case.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

Formula deadlock() {
  return Formula::atom_of(Expression::of(Expression::Kind::deadlock));
}

/// A deadlock in which some place holds so few tokens.
Formula deadlock_with_at_most(Place place, Tokens tokens) {
  return Formula::atom_of(Expression::of(
      Expression::Kind::conjunction,
      {Expression::of(Expression::Kind::less_equal, {Expression::tokens_in(place), Expression::constant_of(tokens)}),
       Expression::of(Expression::Kind::deadlock)}));
}

TEST(EarlyStop, ADeadlockThatWasFoundIsCounted) {
  using Kind = Formula::Kind;
  std::size_t stopped_early = 0;
  for (std::uint64_t seed = 1; seed <= 300 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {1000, 300});
    if (!truth.is_complete() || truth.deadlocks == 0) continue;
    Dice dice(seed);
    const auto place = static_cast<Place>(dice.between(0, static_cast<std::int64_t>(net.place_count()) - 1));
    const Formula target = dice.one_in(2) ? deadlock() : deadlock_with_at_most(place, dice.between(0, 3));
    const bool is_invariant = dice.one_in(2);
    const Formula asked =
        is_invariant ? Formula::of(Kind::ag, {Formula::of(Kind::negation, {target})}) : Formula::of(Kind::ef, {target});
    CheckOptions options;
    options.explore.lanes = random_lanes(dice, net);
    options.witness = dice.one_in(3);
    const RankChoice ranks = random_ranks(dice);
    for (const CheckOutcome& outcome : check_on_ranks(net, {{"p", "p", asked, false, {}}}, options, ranks)) {
      const Exploration& found = outcome.exploration;
      EXPECT_LE(found.deadlocks, truth.deadlocks);
      EXPECT_LE(found.states, truth.states());
      const bool is_found = outcome.properties[0].verdict == (is_invariant ? Verdict::fails : Verdict::holds);
      if (!is_found) continue;
      EXPECT_GE(found.deadlocks, 1U);
      if (!found.complete) ++stopped_early;
    }
  }
  EXPECT_GT(stopped_early, 50U);
}

}  // namespace
}  // namespace dcheck::test
