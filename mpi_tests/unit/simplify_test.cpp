// Predicates simplified by bounds and invariants: one test a rule, then random nets by brute force.

#include <gtest/gtest.h>

#include "dcheck/ctl/core.hpp"
#include "dcheck/ctl/text.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_formula.hpp"
#include "support/random_net.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

using Kind = Expression::Kind;

class Simplify : public testing::Test {
 protected:
  Expression parse(std::string_view text) const {
    const Formula formula = parse_formula(text, "--ctl", _model);
    EXPECT_EQ(formula.kind, Formula::Kind::atom) << text;
    return formula.predicate;
  }
  std::string simple(std::string_view text) const {
    return text_of(simplified(parse(text), _model.net, _structure), _model.net);
  }
  std::optional<Tokens> maximum(const std::string& sum) const {
    const auto form = linear_form(parse(sum + " == 1").children[0]);
    EXPECT_TRUE(form) << sum;
    return proven_maximum(*form, _structure);
  }

 private:
  // a, b, c have no bound; the ring holds 3 tokens, 2 x + y is 6, fixed stays 2, up - down stays 1.
  const Model _model = spn(R"(
    place a init 1, b, c, r[1..3] init 1, x init 3, y, fixed init 2, up init 1, down;
    trans grow : a -> 3 * a + b + c;
    trans more : -> c;
    trans free : a + b -> ;
    for i in 1..3 { trans turn[i] : r[i] -> r[i == 3 ? 1 : i + 1]; }
    trans split : x -> 2 * y;
    trans join : 2 * y -> x;
    trans lift : -> up + down;
    trans dead : 4 * r[1] -> 4 * r[2];
    trans idle inhibit x < 4 : fixed -> fixed;
    trans blocked inhibit fixed < 2 : x -> x;
    trans guarded when r[1] + r[2] <= 3 :  -> ;
    trans shut when fixed > 2 : -> ;)");
  const Structure _structure = analyse(_model.net);
};

TEST_F(Simplify, ComparisonsHaveOneWayOfBeingWritten) {
  for (const char* text : {"a <= b", "b >= a", "!(b < a)", "!(a > b)", "a - b <= 0", "2 * a <= 2 * b", "a < b + 1",
                           "a + c <= b + c", "3 * a - b <= 2 * b + 1"}) {
    EXPECT_EQ(simple(text), "a <= b") << text;
  }
  EXPECT_EQ(simple("a + 3 <= b"), "a + 3 <= b");
  EXPECT_EQ(simple("a <= b + 3"), "a <= b + 3");
  EXPECT_EQ(simple("2 * a >= 3"), "a >= 2");
  EXPECT_EQ(simple("2 * a <= 3"), "a <= 1");
  EXPECT_EQ(simple("4 * a + 2 * b < 7"), "2 * a + b <= 3");
}

TEST_F(Simplify, EqualitiesHaveOneWayOfBeingWritten) {
  for (const char* text : {"a == b", "b == a", "!(a != b)", "a - b == 0", "3 * b == 3 * a"}) {
    EXPECT_EQ(simple(text), "a == b") << text;
  }
  EXPECT_EQ(simple("!(2 * b - 2 == 2 * a)"), "a + 1 != b");
  EXPECT_EQ(simple("2 * a == 2 * b + 1"), "false");
  EXPECT_EQ(simple("2 * a != 2 * b + 1"), "true");
  EXPECT_EQ(simple("a - a == 0"), "true");
}

TEST_F(Simplify, BoundsDecide) {
  EXPECT_EQ(simple("x <= 3"), "true");
  EXPECT_EQ(simple("x > 3"), "false");
  EXPECT_EQ(simple("x + r[1] == 7"), "false");
  EXPECT_EQ(simple("x + r[1] != 7"), "true");
  EXPECT_EQ(simple("a >= 0"), "true");
  EXPECT_EQ(simple("a + b < 0"), "false");
  EXPECT_EQ(simple("x < a + 4"), "true");
  EXPECT_EQ(simple("x < a + 3"), "x <= a + 2");
}

TEST_F(Simplify, InvariantsDecide) {
  EXPECT_EQ(simple("r[1] + r[2] + r[3] == 3"), "true");
  EXPECT_EQ(simple("2 * r[1] + 2 * r[2] + 2 * r[3] > 5"), "true");
  EXPECT_EQ(simple("r[1] + r[2] <= 3"), "true");
  EXPECT_EQ(simple("r[1] + r[2] > r[3] + 3"), "false");
  EXPECT_EQ(simple("2 * x + y == 6"), "true");
  EXPECT_EQ(simple("x + y <= 6"), "true");
  EXPECT_EQ(simple("x + y >= 3"), "true");
  EXPECT_EQ(simple("x + y + r[1] + r[2] <= 9"), "true");
  EXPECT_EQ(simple("x + y <= 5"), "x + y <= 5");
  EXPECT_EQ(simple("fixed == 2"), "true");
  EXPECT_EQ(simple("up == down + 1"), "true");
  EXPECT_EQ(simple("up + x <= down + 4"), "true");
  EXPECT_EQ(simple("up <= 4"), "up <= 4");
}

TEST_F(Simplify, AnEqualityAtAnEndIsAnInequality) {
  EXPECT_EQ(simple("x == 3"), "x >= 3");
  EXPECT_EQ(simple("x == 0"), "x <= 0");
  EXPECT_EQ(simple("x != 0"), "x >= 1");
  EXPECT_EQ(simple("x == 1"), "x == 1");
}

TEST_F(Simplify, FireabilityIsDecidedByArcsAndGuards) {
  EXPECT_EQ(simple("fireable(dead)"), "false");
  EXPECT_EQ(simple("fireable(idle)"), "true");
  EXPECT_EQ(simple("fireable(blocked)"), "false");
  EXPECT_EQ(simple("fireable(guarded)"), "true");
  EXPECT_EQ(simple("fireable(shut)"), "false");
  EXPECT_EQ(simple("fireable(split)"), "fireable(split)");
  EXPECT_EQ(simple("!fireable(dead, split)"), "!fireable(split)");
}

TEST_F(Simplify, NegationsAreMovedToTheLeaves) {
  EXPECT_EQ(simple("!(a == 1 && !(b == 2 || initial))"), "b == 2 || a != 1 || initial");
  EXPECT_EQ(simple("!!deadlock"), "deadlock");
  EXPECT_EQ(simple("!(a * b < c)"), "c <= a * b");
}

TEST_F(Simplify, CombinationsAreFlatSortedAndWithoutDuplicates) {
  EXPECT_EQ(simple("c == 1 && (a == 1 && (b == 1 && c == 1))"), simple("(b == 1 && a == 1) && c == 1"));
  EXPECT_EQ(simple("a == 1 || a == 1"), "a == 1");
  EXPECT_EQ(simple("a == 1 && x <= 3"), "a == 1");
  EXPECT_EQ(simple("a == 1 || x <= 3"), "true");
  EXPECT_EQ(simple("fireable(split) && a == 1 && !fireable(split)"), "false");
  EXPECT_EQ(simple("a * b <= c || a * b > c"), "true");
}

TEST_F(Simplify, LimitsOnTheSameSumAreMerged) {
  EXPECT_EQ(simple("a <= 3 && a <= 5"), "a <= 3");
  EXPECT_EQ(simple("a <= 3 || a <= 5"), "a <= 5");
  EXPECT_EQ(simple("a <= 3 && a >= 4"), "false");
  EXPECT_EQ(simple("a <= 3 || a >= 4"), "true");
  EXPECT_EQ(simple("a <= 3 && a >= 3"), "a == 3");
  EXPECT_EQ(simple("a + b < 3 || b + a > 3"), "a + b != 3");
  EXPECT_EQ(simple("a <= 3 && a != 3 && a != 7"), "a <= 2");
  EXPECT_EQ(simple("a == 3 && a != 3"), "false");
  EXPECT_EQ(simple("a == 3 && a == 4"), "false");
  EXPECT_EQ(simple("a == 3 || a <= 2"), "a <= 3");
}

TEST_F(Simplify, NonLinearPartsAreLeftAlone) {
  EXPECT_EQ(simple("a * b <= 3"), "a * b <= 3");
  EXPECT_EQ(simple("(a + b) % 2 == 1"), "1 == (a + b) % 2");
  EXPECT_EQ(simple("a / 2 == a / 2"), "true");
  EXPECT_EQ(simple("a * b < a * b"), "false");
}

TEST_F(Simplify, HugeNumbersAreLeftAlone) {
  const std::string large = "9223372036854775807";
  EXPECT_EQ(simple("a <= " + large), "a <= " + large);
  EXPECT_EQ(simple("a * " + large + " + b * " + large + " <= 5"), large + " * a + " + large + " * b <= 5");
  EXPECT_EQ(simple("a == 0 - " + large + " - 1"), simple("0 - " + large + " - 1 == a"));
  EXPECT_EQ(simple("x * 4611686018427387904 + y <= 7"), "4611686018427387904 * x + y <= 7");
}

TEST_F(Simplify, SumsHaveTheLargestValueThatInvariantsAllow) {
  EXPECT_EQ(maximum("r[1]"), 3);
  EXPECT_EQ(maximum("r[1] + r[2] + r[3] + 4"), 7);
  EXPECT_EQ(maximum("r[1] + 2 * r[2]"), 6);
  EXPECT_EQ(maximum("x + y"), 6);
  EXPECT_EQ(maximum("x + y + r[2]"), 9);
  EXPECT_EQ(maximum("x - y"), 3);
  EXPECT_EQ(maximum("x + r[1] - r[2] - r[3]"), 6);
  EXPECT_EQ(maximum("up - down"), 1);
  EXPECT_EQ(maximum("x - a"), 3);
  EXPECT_EQ(maximum("a + x"), std::nullopt);
  EXPECT_EQ(maximum("fixed - x - y"), -1);
}

TEST(SimplifyFacts, WithoutAnyFactOnlyConstantsAreDecided) {
  const Model model = spn("place p init 1, q; trans t : p -> q;");
  const Structure nothing;
  const auto simple = [&](std::string_view text) {
    return text_of(simplified(parse_formula(text, "f", model).predicate, model.net, nothing), model.net);
  };
  EXPECT_EQ(simple("p <= 7"), "p <= 7");
  EXPECT_EQ(simple("p >= 0"), "true");
  EXPECT_EQ(simple("p + q == 1"), "p + q == 1");
  EXPECT_EQ(proven_maximum({{{Place{0}, 1}}, 0}, nothing), std::nullopt);
  EXPECT_EQ(proven_maximum({{{Place{0}, -1}}, 5}, nothing), 5);
}

/// Comparisons of sums, fireability and constants under boolean operators.
Expression random_atom(Dice& dice, const Net& net) {
  const auto comparison = [&] {
    return Expression::of(
        static_cast<Kind>(dice.between(static_cast<int>(Kind::less), static_cast<int>(Kind::not_equal))),
        {random_sum(dice, net), Expression::constant_of(dice.between(-2, 8))});
  };
  switch (dice.between(0, 4)) {
    case 0:
      return random_predicate(dice, net.place_count(), 3);
    case 1:
      return Expression::fireable_of(Transition{
          static_cast<std::uint32_t>(dice.between(0, static_cast<std::int64_t>(net.transition_count()) - 1))});
    case 2:
      return Expression::of(dice.one_in(2) ? Kind::conjunction : Kind::disjunction,
                            {random_atom(dice, net), random_atom(dice, net)});
    case 3:
      return Expression::of(Kind::negation, {random_atom(dice, net)});
    default:
      return comparison();
  }
}

TEST(SimplifyRandom, TheTruthIsTheSameInEveryReachableMarking) {
  std::size_t predicates = 0, decided = 0;
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph graph = explore_naively(net, {.states = 500, .tokens = 50});
    const Structure structure = analyse(net);
    Dice dice(seed);
    for (int i = 0; i < 30; ++i) {
      const Expression predicate = random_atom(dice, net);
      const Expression simple = simplified(predicate, net, structure);
      ASSERT_EQ(simplified(simple, net, structure), simple) << "seed " << seed << ": " << text_of(predicate, net);
      for (const auto& marking : graph.markings) {
        ASSERT_EQ(holds_naively(simple, net, marking), holds_naively(predicate, net, marking))
            << "seed " << seed << ": " << text_of(predicate, net) << " became " << text_of(simple, net);
      }
      ++predicates;
      decided += simple.kind == Kind::always || simple.kind == Kind::never ? 1 : 0;
    }
  }
  EXPECT_EQ(predicates, 45'000U);
  EXPECT_GT(decided, 4'500U);
  EXPECT_LT(decided, 40'000U);
}

TEST(SimplifyRandom, TheProvenMaximumIsNeverBelowTheTrueOne) {
  std::size_t proven = 0, tight = 0;
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph graph = explore_naively(net, {.states = 500, .tokens = 50});
    const Structure structure = analyse(net);
    Dice dice(seed);
    for (int i = 0; i < 20; ++i) {
      const Expression sum = random_sum(dice, net);
      const auto bound = proven_maximum(*linear_form(sum), structure);
      if (!bound) continue;
      Tokens most = evaluate_number(sum, graph.markings.front());
      for (const auto& marking : graph.markings) most = std::max(most, evaluate_number(sum, marking));
      ASSERT_GE(*bound, most) << "seed " << seed << ": " << text_of(sum, net);
      ++proven;
      tight += *bound == most ? 1 : 0;
    }
  }
  EXPECT_GT(proven, 10'000U);
  EXPECT_GT(tight, proven / 3);
}

}  // namespace
}  // namespace dcheck::test
