// Formulas over the names of a model: precedence, meaning, mistakes.

#include <gtest/gtest.h>

#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

using Kind = Formula::Kind;

class FormulaParser : public testing::Test {
 protected:
  Formula parse(std::string_view text) const { return parse_formula(text, "--ctl", _model); }
  std::string error(std::string_view text) const {
    return input_error_of([&] { parse(text); });
  }
  Property property(std::string_view text) const { return parse_property(text, "ctl-1", _model); }
  /// The lines shown below the message.
  std::string excerpt(std::string_view text) const {
    try {
      parse(text);
    } catch (const InputError& error) {
      return error.excerpt();
    }
    return "nothing is wrong";
  }
  /// Both texts mean the same tree.
  void expect_same(std::string_view text, std::string_view other) const {
    EXPECT_EQ(parse(text), parse(other)) << text;
  }
  bool holds(std::string_view text, std::vector<Tokens> marking) const {
    const Formula formula = parse(text);
    EXPECT_EQ(formula.kind, Kind::atom) << text;
    return evaluate(formula.predicate, _model.net, marking);
  }

 private:
  const Model _model = spn(R"(
    param N = 3;
    place p init 1, q, r[1..3], "odd name";
    trans t : p -> q;
    trans back[i in 1..2] : q -> p;
    let busy = q >= 1;
    let total = p + q;
    let live = AG EF p == 1;)");
};

TEST_F(FormulaParser, BindsAsTheGrammarSays) {
  expect_same("!p == 1", "!(p == 1)");
  expect_same("EF p == 1 && q == 1", "(EF (p == 1)) && (q == 1)");
  expect_same("p == 1 && q == 1 || p == 2 && q == 2", "((p == 1) && (q == 1)) || ((p == 2) && (q == 2))");
  expect_same("p == 1 -> q == 1 -> p == 2", "(p == 1) -> ((q == 1) -> (p == 2))");
  expect_same("p == 1 || q == 1 -> busy", "((p == 1) || (q == 1)) -> busy");
  expect_same("p == 1 -> q == 1 <-> busy", "((p == 1) -> (q == 1)) <-> busy");
  expect_same("p + 2 * q == 1", "(p + (2 * q)) == 1");
  expect_same("p - q - r[1] == 0", "(p - (q + r[1])) == 0");
  expect_same("exists i in 1..2 : r[i] == 1 && q == i", "exists i in 1..2 : (r[i] == 1 && q == i)");
  expect_same("(sum i in 1..3 : r[i] + p) == 1", "((sum i in 1..3 : r[i]) + p) == 1");
  expect_same("AG EF initial", "AG (EF (initial))");
  expect_same("p > q", "q < p");
  expect_same("p >= q", "q <= p");
}

TEST_F(FormulaParser, MakesTheTreeOfAnUntil) {
  const Formula until = parse("A[ p == 1 U E[ true U deadlock ] ]");
  ASSERT_EQ(until.kind, Kind::au);
  EXPECT_EQ(until.children[0].predicate.kind, Expression::Kind::equal);
  ASSERT_EQ(until.children[1].kind, Kind::eu);
  EXPECT_TRUE(until.children[1].children[0].is_always());
  EXPECT_EQ(until.children[1].children[1].predicate.kind, Expression::Kind::deadlock);
}

TEST_F(FormulaParser, CombinationsOfPredicatesAreOneAtom) {
  EXPECT_EQ(parse("!(p == 1 && (q == 2 || deadlock)) -> initial").kind, Kind::atom);
  EXPECT_EQ(parse("p == 1 && EF q == 1").kind, Kind::conjunction);
  EXPECT_EQ(parse("p == 1 -> EF q == 1").kind, Kind::disjunction);
  EXPECT_EQ(parse("!AG busy").kind, Kind::negation);
}

TEST_F(FormulaParser, FoldsConstants) {
  EXPECT_TRUE(parse("N == 3 && 7 % 4 == 3 && -7 % 4 == 1 && -7 / 2 == -4").is_always());
  EXPECT_TRUE(parse("forall i in 1..0 : p == 9").is_always());
  EXPECT_TRUE(parse("exists i in 1..0 : p == 9").is_never());
  EXPECT_TRUE(parse("(sum i in 1..0 : p) == 0").is_always());
  expect_same("N > 2 && p == 1", "p == 1");
  expect_same("N > 2 ? p == 1 : nonsense", "p == 1");
}

TEST_F(FormulaParser, PredicatesMeanWhatTheySay) {
  // p, q, r[1], r[2], r[3], "odd name"
  EXPECT_TRUE(holds("p + q * 2 - 1 == 4", {1, 2, 0, 0, 0, 0}));
  EXPECT_TRUE(holds("(sum i in 1..N where i != 2 : i * r[i]) == 10", {0, 0, 1, 5, 3, 0}));
  EXPECT_TRUE(holds("exists i in 1..3, j in i+1..3 : r[i] == r[j] && r[i] > 0", {0, 0, 4, 0, 4, 0}));
  EXPECT_FALSE(holds("exists i in 1..3, j in i+1..3 : r[i] == r[j] && r[i] > 0", {0, 0, 4, 0, 3, 0}));
  EXPECT_TRUE(holds("\"odd name\" % 2 == 1 && \"r[3]\" / 2 == 3", {0, 0, 0, 0, 7, 5}));
  EXPECT_TRUE(holds("fireable(t)", {1, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(holds("fireable(t)", {0, 1, 0, 0, 0, 0}));
  EXPECT_TRUE(holds("fireable(t, back[2])", {0, 1, 0, 0, 0, 0}));
  EXPECT_TRUE(holds("deadlock", {0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(holds("initial", {1, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(holds("initial", {1, 0, 0, 0, 0, 1}));
  EXPECT_TRUE(holds("busy && total == 3", {2, 1, 0, 0, 0, 0}));
  EXPECT_TRUE(holds("busy <-> p == 1", {0, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(holds("busy <-> p == 1", {1, 0, 0, 0, 0, 0}));
}

TEST_F(FormulaParser, UsesTheModelsDefinitions) {
  expect_same("live", "AG EF p == 1");
  expect_same("total == N", "p + q == 3");
}

std::string mistake(const std::string& formula, const Model& model) {
  return input_error_of([&] { parse_formula(formula, "f", model); });
}

TEST(FormulaFamilies, AreNamedWithTheirRangeWhereAMemberIsMissing) {
  const Model model = spn(R"(
    place p[1..4], s[1..2, -1..1], one[7..7], q;
    for i in 1..3, j in 1..3 where i != j { place sent[i, j]; }
    trans t[i in 1..4] : p[i] -> ; trans u[1..2, 0..3] : q -> ;
    let full[i in 2..3] = p[i] == 1;
    check c[1..2] : true;)");
  const auto error = [&](const std::string& formula) { return mistake(formula, model); };
  EXPECT_EQ(error("p == 1"), "f:1:1: 'p' is a family of places: expected a member, p[1..4]");
  EXPECT_EQ(error("EF s >= 1"), "f:1:4: 's' is a family of places: expected a member, s[1..2,-1..1]");
  EXPECT_EQ(error("one == 1"), "f:1:1: 'one' is a family of places: expected a member, one[7]");
  EXPECT_EQ(error("sent == 1"),
            "f:1:1: 'sent' is a family of places: expected a member, sent[1..3,1..3] with gaps, 6 members");
  EXPECT_EQ(error("full"), "f:1:1: 'full' is a family of definitions: expected a member, full[2..3]");
  EXPECT_EQ(error("fireable(t)"), "f:1:10: 't' is a family of transitions: expected a member, t[1..4]");
  EXPECT_EQ(error("fireable(t[1], u)"), "f:1:16: 'u' is a family of transitions: expected a member, u[1..2,0..3]");
  EXPECT_EQ(error("t == 1"), "f:1:1: 't' is a family of transitions: expected a place, or 'fireable' of a member");
  EXPECT_EQ(error("p[5] == 1"), "f:1:1: unknown name 'p[5]': the family has p[1..4]");
  EXPECT_EQ(error("p[1,1] == 1"), "f:1:1: unknown name 'p[1,1]': the family has p[1..4]");
  EXPECT_EQ(error("fireable(u[3,0])"), "f:1:10: unknown transition 'u[3,0]': the family has u[1..2,0..3]");
  EXPECT_EQ(error("c"), "f:1:1: unknown name 'c'");
  EXPECT_EQ(spn_error("place p[1..4]; trans t : p -> ;"),
            "m.spn:1:26: 'p' is a family of places: expected a member, p[1..4]");
  EXPECT_EQ(spn_error("place p[1..4]; trans t inhibit p : -> ;"),
            "m.spn:1:32: 'p' is a family of places: expected a member, p[1..4]");
}

TEST(FormulaFamilies, AreUnknownToPnml) {
  const Model model = parse_pnml(
      "<pnml><net id='n' type='ptnet'><place id='pm[1]'/><place id='pm[2]'/><transition id='t1'/></net></pnml>",
      "m.pnml");
  EXPECT_EQ(mistake("pm[1] == 1", model), "");
  EXPECT_EQ(mistake("pm == 1", model), "f:1:1: unknown name 'pm'");
  EXPECT_EQ(mistake("fireable(t)", model), "f:1:10: unknown transition 't'; did you mean 't1'?");
}

TEST_F(FormulaParser, MistakesSayWhereAndWhatIsNear) {
  EXPECT_EQ(error("AG (bsuy ->\n EF p == 1)"), "--ctl:1:5: unknown name 'bsuy'; did you mean 'busy'?");
  EXPECT_EQ(error("EF\n  totl == 1"), "--ctl:2:3: unknown name 'totl'; did you mean 'total'?");
  EXPECT_EQ(error("EF r[4] == 1"), "--ctl:1:4: unknown name 'r[4]': the family has r[1..3]");
  EXPECT_EQ(error("fireable(back[3])"), "--ctl:1:10: unknown transition 'back[3]': the family has back[1..2]");
  EXPECT_EQ(error("fireable(p)"), "--ctl:1:10: unknown transition 'p'");
  EXPECT_EQ(error("EF p"), "--ctl:1:4: expected a formula, found a number: compare it, as in 'p >= 1'");
  EXPECT_EQ(error("p + 1"), "--ctl:1:3: expected a formula, found a number: compare it, as in 'p >= 1'");
  EXPECT_EQ(error("busy + 1 == 2"), "--ctl:1:1: expected a number, found a formula");
  EXPECT_EQ(error("EF p == 1 q"), "--ctl:1:11: expected an operator or the end of the formula, found the name 'q'");
  EXPECT_EQ(error(""), "--ctl:1:1: expected a name, a number or an expression, found the end of the text");
  EXPECT_EQ(error("E[p == 1]"), "--ctl:1:9: expected 'U' between the two formulas, found ']'");
  EXPECT_EQ(error("E(p == 1 U q == 1)"),
            "--ctl:1:2: expected '[' after 'E', as in E[p U q] (a name needs double quotes), found '('");
  EXPECT_EQ(error("p == 99999999999999999999"),
            "--ctl:1:6: number '99999999999999999999' is too large: expected at most 9223372036854775807");
  EXPECT_EQ(error("(p == 1"), "--ctl:1:8: expected ')' to close the parenthesis, found the end of the text");
}

TEST_F(FormulaParser, UnknownOperatorsNameTheNearestOne) {
  EXPECT_EQ(error("AG firable(t)"), "--ctl:1:4: unknown operator 'firable'; did you mean 'fireable'?");
  EXPECT_EQ(error("AG Ef (p == 1)"), "--ctl:1:4: unknown operator 'Ef'; did you mean 'EF'?");
  EXPECT_EQ(error("Ag EF p == 1"), "--ctl:1:1: unknown operator 'Ag'; did you mean 'AG'?");
  EXPECT_EQ(error("ef !busy"), "--ctl:1:1: unknown operator 'ef'; did you mean 'EF'?");
  EXPECT_EQ(error("wibble(p)"), "--ctl:1:1: unknown operator 'wibble'");
  EXPECT_EQ(error("AG dedlock"), "--ctl:1:4: unknown name 'dedlock'; did you mean 'deadlock'?");
}

TEST_F(FormulaParser, UpperBoundsStandAlone) {
  const Property bound = property(" bound(p + 2 *\n q) // most\n");
  EXPECT_TRUE(bound.is_upper_bound);
  EXPECT_EQ(bound.text, "bound(p + 2 * q)");
  EXPECT_EQ(evaluate_number(bound.bound_of, std::vector<Tokens>{5, 7, 0, 0, 0, 0}), 19);
  EXPECT_EQ(evaluate_number(property("bound(p * q)").bound_of, std::vector<Tokens>{5, 7, 0, 0, 0, 0}), 35);
  EXPECT_EQ(evaluate_number(property("bound(N)").bound_of, std::vector<Tokens>{}), 3);

  EXPECT_EQ(error("bound(p == 1)"), "--ctl:1:9: expected a number, found a formula");
  EXPECT_EQ(error("bound(p) <= 3"),
            "--ctl:1:10: expected the end of the formula: 'bound(...)' stands alone, found '<='");
  EXPECT_EQ(error("AG bound(p) <= 3"), "--ctl:1:4: 'bound(...)' asks for a number: it can only be a whole formula");
  EXPECT_EQ(error("bound(bound(p))"), "--ctl:1:7: 'bound(...)' asks for a number: it can only be a whole formula");
  EXPECT_EQ(error("bound(p"), "--ctl:1:8: expected ')' to close 'bound', found the end of the text");
  EXPECT_EQ(error("bound(p)"), "--ctl:1:1: expected a formula, found an upper bound");
}

TEST_F(FormulaParser, BoundIsNoKeyword) {
  const Model model = spn("place bound init 1; trans t : bound -> ; check most : bound(bound);");
  EXPECT_FALSE(parse_property("EF bound == 0", "ctl-1", model).is_upper_bound);
  EXPECT_TRUE(parse_property("bound(bound)", "ctl-1", model).is_upper_bound);
  ASSERT_EQ(model.checks.size(), 1U);
  EXPECT_TRUE(model.checks[0].is_upper_bound);
  EXPECT_EQ(model.checks[0].bound_of, Expression::tokens_in(Place{0}));
}

TEST_F(FormulaParser, PropertiesKeepWhatWasWrittenOnOneLine) {
  const Property asked = property("AG  // always\n  (EF \"odd name\" >= 1)");
  EXPECT_EQ(asked.id, "ctl-1");
  EXPECT_EQ(asked.text, "AG (EF \"odd name\" >= 1)");
  EXPECT_FALSE(asked.is_upper_bound);
  EXPECT_EQ(asked.formula, parse("AG EF \"odd name\" >= 1"));
}

TEST_F(FormulaParser, MistakesShowTheLineWithACaretUnderThePlace) {
  EXPECT_EQ(excerpt("AG EF bsuy"),
            "  AG EF bsuy\n"
            "        ^");
  EXPECT_EQ(excerpt("AG (busy ->\r\n\tEF totl == 1)\n&& busy"),
            "   EF totl == 1)\n"
            "      ^");
  EXPECT_EQ(excerpt("(p == 1  // never closed\n\n"),
            "  (p == 1  // never closed\n"
            "         ^");
  EXPECT_EQ(excerpt(""), "  \n  ^");
  EXPECT_EQ(excerpt("p == 1 && q == x\xFF"),
            "  p == 1 && q == x?\n"
            "                  ^");
}

TEST_F(FormulaParser, CaretsStandUnderThePlaceBehindWideCharactersAndMarks) {
  // Two of two columns; then one letter with a mark of its own.
  EXPECT_EQ(excerpt("\"\u6F22\u5B57\" == q"), "  \"\u6F22\u5B57\" == q\n  ^");
  EXPECT_EQ(excerpt("/* \u6F22\u5B57 */ x == 1"), "  /* \u6F22\u5B57 */ x == 1\n             ^");
  EXPECT_EQ(excerpt("/* a\u0301 */ x == 1"), "  /* a\u0301 */ x == 1\n          ^");
  EXPECT_EQ(excerpt("/* \u00E9\u00DF */ x == 1"), "  /* \u00E9\u00DF */ x == 1\n           ^");
}

TEST_F(FormulaParser, LongLinesAreCutAroundThePlace) {
  std::string left, right;
  for (int i = 0; i < 100'000; ++i) left += "p == 1 && ";
  for (int i = 0; i < 100'000; ++i) right += " && q == 2";
  for (const std::string& text : {left + "totl == 1" + right, "totl == 1" + right, left + "totl == 1"}) {
    const std::string shown = excerpt(text);
    const std::size_t newline = shown.find('\n');
    ASSERT_NE(newline, std::string::npos);
    const std::string line = shown.substr(0, newline), caret = shown.substr(newline + 1);
    EXPECT_LE(line.size(), 110U) << line;
    EXPECT_GE(line.size(), 90U) << line;
    EXPECT_EQ(line.substr(caret.find('^'), 9), "totl == 1");
    EXPECT_EQ(line.starts_with("  ..."), text.starts_with('p'));
    EXPECT_EQ(line.ends_with("..."), text.ends_with('2'));
  }
}

TEST_F(FormulaParser, ModelsAreRefusedInOneLine) {
  try {
    spn("place p;\ntrans t : pp -> ;");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.excerpt(), "");
  }
}

TEST_F(FormulaParser, ExpressionsThatUnfoldTooFarAreRefused) {
  EXPECT_NE(error("exists i in 1..1000, j in 1..1000 : p == i * j").find("unfolds to more than 1000000"),
            std::string::npos);
  EXPECT_NE(error("forall i in 1..1000000000 : p == i").find("is too large"), std::string::npos);
}

TEST_F(FormulaParser, RandomDamageIsReadOrRefused) {
  const std::string whole =
      "AG ((exists i in 1..N : r[i] >= 2 && fireable(t)) -> A[busy U E[total % 2 == 1 U !initial]])";
  expect_read_or_refused(whole, 4, [&](const std::string& text) { return error(text); });
}

}  // namespace
}  // namespace dcheck::test
