#include "dcheck/net/expression.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "dcheck/base/error.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"

namespace dcheck {
namespace {

using Kind = Expression::Kind;
using Terms = std::vector<LinearForm::Term>;

constexpr Place p{0}, q{1}, r{2};
constexpr Tokens largest = std::numeric_limits<Tokens>::max();

Expression number(Tokens value) {
  return Expression::constant_of(value);
}
Expression in(Place place) {
  return Expression::tokens_in(place);
}

TEST(EvaluateNumber, DivisionAndRemainderRoundTowardsMinusInfinity) {
  const std::vector<Tokens> marking;
  const auto value = [&](Kind kind, Tokens a, Tokens b) {
    return evaluate_number(Expression::of(kind, {number(a), number(b)}), marking);
  };
  EXPECT_EQ(value(Kind::divide, 7, 2), 3);
  EXPECT_EQ(value(Kind::divide, -7, 2), -4);
  EXPECT_EQ(value(Kind::divide, -8, 2), -4);
  EXPECT_EQ(value(Kind::remainder, 7, 3), 1);
  EXPECT_EQ(value(Kind::remainder, -7, 3), 2);
  EXPECT_EQ(value(Kind::remainder, -9, 3), 0);
}

TEST(EvaluateNumber, ValuesBeyond64BitsAreResourceErrors) {
  const std::vector<Tokens> marking{largest, 2};
  EXPECT_THROW(evaluate_number(Expression::of(Kind::add, {in(p), number(1)}), marking), ResourceError);
  EXPECT_THROW(evaluate_number(Expression::of(Kind::multiply, {in(p), in(q)}), marking), ResourceError);
  EXPECT_THROW(evaluate_number(Expression::of(Kind::subtract, {number(-2), in(p)}), marking), ResourceError);
  EXPECT_EQ(evaluate_number(Expression::of(Kind::subtract, {number(-1), in(p)}), marking),
            std::numeric_limits<Tokens>::min());
}

TEST(Evaluate, AgreesWithTheReferenceOnRandomPredicates) {
  test::Dice dice(7);
  NetBuilder builder("n");
  for (const char* name : {"p", "q", "r"}) builder.add_place(name);
  const Net net = builder.build();
  int true_count = 0;
  for (int i = 0; i < 5'000; ++i) {
    const Expression predicate = test::random_predicate(dice, 3, 3);
    std::vector<Tokens> marking;
    for (int k = 0; k < 3; ++k) marking.push_back(dice.between(0, 4));
    const bool expected = test::holds_naively(predicate, net, marking);
    ASSERT_EQ(evaluate(predicate, net, marking), expected) << i;
    true_count += expected ? 1 : 0;
  }
  EXPECT_GT(true_count, 500);
  EXPECT_LT(true_count, 4'500);
}

TEST(Evaluate, EmptyConjunctionIsTrueAndEmptyDisjunctionFalse) {
  const Net net = NetBuilder("n").build();
  EXPECT_TRUE(evaluate(Expression::of(Kind::conjunction), net, {}));
  EXPECT_FALSE(evaluate(Expression::of(Kind::disjunction), net, {}));
}

TEST(Evaluate, FireableDeadlockAndInitialLookAtTheNet) {
  NetBuilder builder("n");
  builder.add_place("p", 1);
  const Transition t = builder.add_transition("t");
  builder.add_input(t, p, 1);
  const Net net = builder.build();
  const std::vector<Tokens> full{1}, empty{0};
  EXPECT_TRUE(evaluate(Expression::fireable_of(t), net, full));
  EXPECT_FALSE(evaluate(Expression::fireable_of(t), net, empty));
  EXPECT_FALSE(evaluate(Expression::of(Kind::deadlock), net, full));
  EXPECT_TRUE(evaluate(Expression::of(Kind::deadlock), net, empty));
  EXPECT_TRUE(evaluate(Expression::of(Kind::initial), net, full));
  EXPECT_FALSE(evaluate(Expression::of(Kind::initial), net, empty));
}

TEST(Evaluate, MixingNumbersAndPredicatesIsALogicError) {
  const Net net = NetBuilder("n").build();
  EXPECT_THROW(evaluate(number(1), net, {}), std::logic_error);
  EXPECT_THROW(evaluate_number(Expression::of(Kind::always), {}), std::logic_error);
}

TEST(LinearForm, SumsDifferencesAndConstantFactorsAreCollectedByPlace) {
  // 2 * (q + 3 * p - 1) - (p - r) + q
  const auto form = linear_form(Expression::of(
      Kind::add,
      {Expression::of(
           Kind::subtract,
           {Expression::of(
                Kind::multiply,
                {number(2),
                 Expression::of(Kind::subtract,
                                {Expression::of(Kind::add, {in(q), Expression::of(Kind::multiply, {in(p), number(3)})}),
                                 number(1)})}),
            Expression::of(Kind::subtract, {in(p), in(r)})}),
       in(q)}));
  ASSERT_TRUE(form);
  EXPECT_EQ(form->terms, (Terms{{p, 5}, {q, 3}, {r, 1}}));
  EXPECT_EQ(form->constant, -2);
}

TEST(LinearForm, TermsThatCancelDisappear) {
  const auto form = linear_form(Expression::of(Kind::subtract, {in(p), in(p)}));
  ASSERT_TRUE(form);
  EXPECT_TRUE(form->terms.empty());
}

TEST(LinearForm, ProductsOfPlacesAreNotLinear) {
  EXPECT_FALSE(linear_form(Expression::of(Kind::multiply, {in(p), in(q)})));
  EXPECT_FALSE(linear_form(Expression::of(Kind::add, {in(p), Expression::of(Kind::multiply, {in(p), in(p)})})));
}

TEST(LinearForm, DivisionIsLinearOnlyWhereTheDivisorDividesEveryCoefficient) {
  const Expression six_p = Expression::of(Kind::multiply, {number(6), in(p)});
  const auto exact =
      linear_form(Expression::of(Kind::divide, {Expression::of(Kind::add, {six_p, number(-4)}), number(3)}));
  ASSERT_TRUE(exact);
  EXPECT_EQ(exact->terms, (Terms{{p, 2}}));
  EXPECT_EQ(exact->constant, -2);
  EXPECT_FALSE(linear_form(Expression::of(Kind::divide, {six_p, number(4)})));
  const auto rest =
      linear_form(Expression::of(Kind::remainder, {Expression::of(Kind::add, {six_p, number(-4)}), number(3)}));
  ASSERT_TRUE(rest);
  EXPECT_TRUE(rest->terms.empty());
  EXPECT_EQ(rest->constant, 2);
  EXPECT_FALSE(linear_form(Expression::of(Kind::remainder, {in(p), number(2)})));
}

TEST(LinearForm, CoefficientsBeyond64BitsGiveNone) {
  EXPECT_FALSE(
      linear_form(Expression::of(Kind::add, {Expression::of(Kind::multiply, {number(largest), in(p)}), in(p)})));
  EXPECT_FALSE(linear_form(Expression::of(Kind::multiply, {number(largest), number(2), in(p)})));
}

TEST(LinearForm, HasTheValueOfItsExpressionInRandomMarkings) {
  test::Dice dice(11);
  int linear = 0;
  for (int i = 0; i < 2'000; ++i) {
    const Expression predicate = test::random_predicate(dice, 3, 0);
    for (const Expression& side : predicate.children) {
      const auto form = linear_form(side);
      if (!form) continue;
      ++linear;
      const std::vector<Tokens> marking{dice.between(0, 9), dice.between(0, 9), dice.between(0, 9)};
      Tokens value = form->constant;
      for (const LinearForm::Term& term : form->terms) value += term.coefficient * marking[index(term.place)];
      ASSERT_EQ(value, evaluate_number(side, marking));
    }
  }
  EXPECT_GT(linear, 1'000);
}

TEST(LinearForm, ASumOfTenThousandPlacesIsQuick) {
  std::vector<Expression> places;
  for (std::uint32_t i = 0; i < 10'000; ++i) places.push_back(in(Place{9'999 - i}));
  const auto form = linear_form(Expression::of(Kind::add, std::move(places)));
  ASSERT_TRUE(form);
  ASSERT_EQ(form->terms.size(), 10'000U);
  EXPECT_EQ(form->terms.front().place, Place{0});
}

}  // namespace
}  // namespace dcheck
