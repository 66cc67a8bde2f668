// Formulas back to text: how they look, and that reading them again gives the same tree.

#include <gtest/gtest.h>

#include <limits>

#include "dcheck/ctl/text.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_formula.hpp"
#include "support/random_net.hpp"
#include "support/reference_checker.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

using Kind = Expression::Kind;

class FormulaText : public testing::Test {
 protected:
  Formula parse(std::string_view text) const { return parse_formula(text, "--ctl", _model); }
  std::string text(const Formula& formula) const { return text_of(formula, _model.net); }
  std::string text(const Expression& expression) const { return text_of(expression, _model.net); }
  std::string again(std::string_view written) const { return text(parse(written)); }
  void expect_kept(std::string_view written) const { EXPECT_EQ(again(written), written); }
  /// The number is compared with p, since only predicates can be read.
  void expect_read_back(const Expression& number) const {
    const Expression comparison = Expression::of(Kind::equal, {number, Expression::tokens_in(Place{0})});
    EXPECT_EQ(parse(text(comparison)).predicate, comparison) << text(comparison);
  }

 private:
  const Model _model = spn(R"(
    place p init 1, q, r[1..3], g[-1..0, 2..3], "odd name", "U", "1e5", a.b;
    trans t : p -> q;
    trans back[i in 1..2] : q -> p;
    trans "EF" : q -> p;
    let nested = p * q;)");
};

TEST_F(FormulaText, ParenthesesStandOnlyWhereTheyAreNeeded) {
  for (const char* written : {
           "AG EF initial",
           "E[p == 1 U A[q < 2 U deadlock]]",
           "!EX p != 2 && (q == 1 || EG r[2] <= 3)",
           "p == 1 && q == 1 || !(p == 2) && q == 2",
           "(p == 1 || q == 1) && fireable(t, back[1])",
           "(p == 1 && q == 1) && EX initial",
           "!fireable(t)",
           "!(p == 1 && q == 2)",
           "AX true || AF false",
       }) {
    expect_kept(written);
  }
  EXPECT_EQ(again("((p) == (1)) && (EX (q == 1))"), "p == 1 && EX q == 1");
}

TEST_F(FormulaText, ShorthandsAreWrittenOut) {
  EXPECT_EQ(again("AG (p >= 1 -> AF q >= 1)"), "AG (!(p >= 1) || AF q >= 1)");
  EXPECT_EQ(again("exists i in 1..3 : r[i] == i"), "r[1] == 1 || r[2] == 2 || r[3] == 3");
  EXPECT_EQ(again("2 > p && 2 < p"), "p < 2 && p > 2");
}

TEST_F(FormulaText, ArithmeticKeepsItsTree) {
  for (const char* written : {
           "p + q - r[1] - r[2] == 0",
           "p - (q - r[1]) == 0",
           "(p + q) + r[1] == 0",
           "p + 1 - (q + 2) == 0",
           "2 * p + 3 * q <= r[1] + 1",
           "p * q / 2 % 3 == 1",
           "p / 2 * q == 1",
           "p * (q / 2) == 1",
           "(p + q) * r[1] - 3 == q",
           "0 - p < q",
           "(0 - p) * q + r[1] == 0",
           "q * (p * q) == 0",
           "1 * (p * q) * q == 0",
           "-1 * p + q == 0",
           "p - 4 == -2",
       }) {
    expect_kept(written);
  }
  EXPECT_EQ(again("nested * q == 0"), "1 * (p * q) * q == 0");
}

TEST_F(FormulaText, NumbersAtTheEndsOfTheRangeAreReadBack) {
  constexpr Tokens least = std::numeric_limits<Tokens>::min(), most = std::numeric_limits<Tokens>::max();
  for (const Tokens value : {least, least + 1, most, Tokens{-1}, Tokens{0}}) {
    expect_read_back(Expression::constant_of(value));
    const Expression q = Expression::tokens_in(Place{1});
    if (value != 0) expect_read_back(Expression::of(Kind::add, {q, Expression::constant_of(value)}));
    expect_read_back(Expression::of(Kind::subtract, {Expression::constant_of(value), q}));
    if (value != 0) expect_read_back(Expression::of(Kind::multiply, {Expression::constant_of(value), q}));
  }
}

TEST_F(FormulaText, NamesAreQuotedWhereTheyNeedIt) {
  for (const char* written :
       {"r[2] == g[-1,3]", "\"odd name\" == \"U\"", "\"1e5\" == a.b", "fireable(\"EF\", back[2])"}) {
    expect_kept(written);
  }
}

TEST(FormulaTextNames, AnyNameIsReadBack) {
  const std::vector<std::string> names{"param",
                                       "place",
                                       "trans",
                                       "for",
                                       "in",
                                       "where",
                                       "let",
                                       "check",
                                       "init",
                                       "rate",
                                       "when",
                                       "sum",
                                       "exists",
                                       "forall",
                                       "inhibit",
                                       "true",
                                       "false",
                                       "EX",
                                       "AX",
                                       "EF",
                                       "AF",
                                       "EG",
                                       "AG",
                                       "E",
                                       "A",
                                       "U",
                                       "initial",
                                       "deadlock",
                                       "fireable",
                                       "7",
                                       "1.5",
                                       "1e9",
                                       "2x",
                                       "a.b",
                                       ".a",
                                       "a.",
                                       "a..b",
                                       "a-b",
                                       "a b",
                                       "\"",
                                       "\\",
                                       "a\"b\\",
                                       "p[1]",
                                       "p[01]",
                                       "p[-1]",
                                       "p[-0]",
                                       "p[1,2]",
                                       "p[1, 2]",
                                       "p[]",
                                       "p[1",
                                       "p]",
                                       "[1]",
                                       "p[1][2]",
                                       "p[x]",
                                       "_",
                                       "\u00e9t\u00e9",
                                       "p[99999999999999999999]",
                                       "E[1]",
                                       "p[1,]",
                                       "(p)",
                                       "//",
                                       "p[+1]",
                                       "p[1]x"};
  NetBuilder builder("names");
  for (const std::string& name : names) builder.add_place(name);
  for (const std::string& name : names) builder.add_transition(name);
  Model model;
  model.net = builder.build();
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    const Expression both = Expression::of(
        Kind::conjunction, {Expression::of(Kind::less, {Expression::tokens_in(Place{i}), Expression::constant_of(3)}),
                            Expression::fireable_of(Transition{i})});
    const std::string text = text_of(both, model.net);
    EXPECT_EQ(parse_formula(text, "f", model).predicate, both) << text;
  }
}

/// Arithmetic of any shape; the divisor is a positive constant.
Expression random_number(Dice& dice, std::size_t places, int depth) {
  const auto child = [&] { return random_number(dice, places, depth - 1); };
  if (depth > 0) {
    switch (dice.between(0, 5)) {
      case 0:
        return Expression::of(Kind::add, {child(), child(), child()});
      case 1:
        return Expression::of(Kind::subtract, {child(), child()});
      case 2:
        return Expression::of(Kind::multiply, {child(), child()});
      case 3:
        return Expression::of(dice.one_in(2) ? Kind::divide : Kind::remainder,
                              {child(), Expression::constant_of(dice.between(1, 5))});
      default:
        break;
    }
  }
  if (dice.one_in(3)) return Expression::constant_of(dice.between(-3, 3));
  return Expression::tokens_in(
      Place{static_cast<std::uint32_t>(dice.between(0, static_cast<std::int64_t>(places) - 1))});
}

TEST(FormulaTextRandom, NumbersAreReadBackToTheSameTreeOnceFolded) {
  Model model = spn("place a, b, c; trans t : a -> b;");
  Dice dice(11);
  std::size_t compared = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Expression first = Expression::of(dice.one_in(2) ? Kind::equal : Kind::less_equal,
                                            {random_number(dice, 3, 4), random_number(dice, 3, 3)});
    const std::string text = text_of(first, model.net);
    const Formula read = parse_formula(text, "f", model);
    ASSERT_EQ(parse_formula(text_of(read, model.net), "f", model), read) << text;
    for (int round = 0; round < 4; ++round) {
      const std::vector<Tokens> marking{dice.between(0, 5), dice.between(0, 5), dice.between(0, 5)};
      ASSERT_EQ(holds_naively(read.predicate, model.net, marking), holds_naively(first, model.net, marking)) << text;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 80'000U);
}

TEST(FormulaTextRandom, FormulasAreReadBackToTheSameTreeOnceFolded) {
  std::size_t formulas = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Model model;
    model.net = random_net(seed);
    const NaiveGraph graph = explore_naively(model.net, {.states = 100, .tokens = 30});
    Dice dice(seed);
    for (int i = 0; i < 20; ++i) {
      const Formula first = random_formula(dice, model.net, i % 6);
      const std::string text = text_of(first, model.net);
      const Formula read = parse_formula(text, "f", model);
      ASSERT_EQ(parse_formula(text_of(read, model.net), "f", model), read) << text;
      if (graph.is_complete()) {
        ASSERT_EQ(satisfying_states(read, model.net, graph), satisfying_states(first, model.net, graph)) << text;
      }
      ++formulas;
    }
  }
  EXPECT_EQ(formulas, 8'000U);
}

}  // namespace
}  // namespace dcheck::test
