// What is wrong with a .spn text is said in one line, with the place where it is wrong.

#include <gtest/gtest.h>

#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

struct BadModel {
  const char* behaviour;
  const char* text;
  const char* message;
};

class SpnErrors : public testing::TestWithParam<BadModel> {};

TEST_P(SpnErrors, AreOneLineWithPosition) {
  EXPECT_EQ(spn_error(GetParam().text), std::string("m.spn:") + GetParam().message);
}

const BadModel grammar_cases[] = {
    {"MissingSemicolon", "place p", "1:8: expected ';' or ',' or 'init' after the place, found the end of the text"},
    {"UnknownStatement", "plase p;",
     "1:1: expected 'param', 'colour', 'place', 'trans', 'for', 'let' or 'check', found the name 'plase'"},
    {"KeywordAsName", "place in;",
     "1:7: expected the name of a place, found 'in': a keyword needs double quotes to be a name"},
    {"UnclosedLoop", "for i in 1..2 {\n place p[i];",
     "2:13: expected '}' to close the loop, found the end of the text"},
    {"UnclosedComment", "place p; /* x", "1:10: comment is never closed: expected '*/'"},
    {"UnclosedQuote", "place \"x\n;", "1:7: quoted name is never closed: expected '\"'"},
    {"EmptyName", "place \"\";", "1:7: a name cannot be empty"},
    {"StrayCharacter", "place p; # x", "1:10: unexpected character '#'"},
    {"SingleAmpersand", "place p; let a = p == 1 & true;", "1:25: unexpected character '&': expected '&&'"},
    {"ColumnsCountCharacters", "place \"\xC3\xA4\xC3\xA4\" \xC3\xB6;",
     "1:12: unexpected character '\xC3\xB6': names with such characters need double quotes"},
    {"InvalidUtf8", "place p\xFF;", "1:8: text is not valid UTF-8"},
    {"ParameterInLoop", "for i in 1..2 { param N = 1; }", "1:23: a parameter cannot be declared inside a loop"},
    {"TwoRates", "place p; trans t rate 1 rate 2 : p -> ;", "1:25: the transition has two rates"},
    {"MissingArrow", "place p; trans t : p;", "1:21: expected '->' or '+' between inputs and outputs, found ';'"},
    {"VersionNumberAsName", "place 1.2.3;",
     "1:7: '1.2.3' is neither a number nor a name: a name like this needs quotes"},
    {"SingleEquals", "place p; let a = p = 1;", "1:20: '=' compares nothing: expected '=='"},
    {"ChainedComparison", "place p; let a = 1 < p < 3;", "1:24: comparisons do not chain: join two of them with '&&'"},
};

const BadModel meaning_cases[] = {
    {"UnknownMemberNamesTheFamily", "place pout[1..4];\ntrans t : pout[5] -> ;",
     "2:11: unknown name 'pout[5]': the family has pout[1..4]"},
    {"UnknownInhibitorPlace", "place free; trans t inhibit fre : -> free;",
     "1:29: unknown place 'fre'; did you mean 'free'?"},
    {"UnknownTransition", "place p; trans start : -> p; check c : EF fireable(strat);",
     "1:52: unknown transition 'strat'; did you mean 'start'?"},
    {"MistypedKeyword", "place p; check c : AG !deadlok;", "1:24: unknown name 'deadlok'; did you mean 'deadlock'?"},
    {"TransitionAsNumber", "place p; trans t : p -> ; check c : EF t == 1;",
     "1:40: 't' is a transition: expected a place, or 'fireable(t)'"},
    {"UseBeforeDeclaration", "trans t : p -> ; place p;", "1:11: unknown name 'p'"},
    {"DuplicatePlace", "place p;\nplace p;", "2:7: duplicate name 'p': it is already a place"},
    {"DuplicateMember", "place p[1..3]; place \"p[2]\";", "1:22: duplicate name 'p[2]': it is already a place"},
    {"DuplicateTransition", "place p; trans t : -> p; trans t : -> p;",
     "1:32: duplicate name 't': it is already a transition"},
    {"PlaceAndTransition", "place p; trans p : -> p;", "1:16: duplicate name 'p': it is already a place"},
    {"DuplicateParameter", "param N = 1; param N = 2; place p;", "1:20: duplicate name 'N': it is already a parameter"},
    {"DuplicateCheck", "place p; check c : true; check c : true;",
     "1:32: duplicate name 'c': it is already a property"},
    {"DuplicateLoopVariable", "for i in 1..2 { for i in 1..2 { place p[i]; } }",
     "1:21: duplicate name 'i': it is already a loop variable"},
    {"NegativeWeight", "place p; trans t : -1*p -> p;",
     "1:22: weight -1 of the arc with place 'p': expected a number above 0"},
    {"SubtractedPlace", "place p, q; trans t : q - p -> ;",
     "1:25: weight -1 of the arc with place 'p': expected a number above 0"},
    {"HugeWeight", "place p; trans t : 1180591620717411303424*p -> p;",
     "1:20: number '1180591620717411303424' is too large: expected at most 9223372036854775807"},
    {"ComputedHugeWeight", "place p; trans t : 9223372036854775807*2*p -> p;",
     "1:39: product is out of range: numbers up to 9223372036854775807 are supported"},
    {"ParallelArcsOverflow", "place p; trans t : 9223372036854775807*p + p -> ;",
     " parallel arcs of weights 9223372036854775807 and 1 add up to more than 2^63 - 1"},
    {"SumOverflow", "place p init 9223372036854775807 + 1;",
     "1:34: sum is out of range: numbers up to 9223372036854775807 are supported"},
    {"NumberAsArc", "place p; trans t : 3 -> p;", "1:20: expected a place or 'weight * place', found the number 3"},
    {"ProductOfPlaces", "place p; trans t : p*p -> ;", "1:21: expected places with weights, as in 'p + 2*q'"},
    {"NegativeMarking", "place p init 2-3;", "1:15: place 'p' starts with -1 tokens: expected 0 or more"},
    {"DecimalMarking", "place p init 1.5;", "1:14: expected an integer, found 1.5: only rates have decimals"},
    {"MarkingFromAPlace", "place p, q init p;", "1:17: expected a number that does not depend on places"},
    {"DivisionByZero", "place p init 5 / 0;", "1:16: the divisor is 0: expected a number above 0"},
    {"DivisionByPlace", "place p; let a = 5 / p;", "1:20: the divisor depends on places: expected a constant above 0"},
    {"ZeroThreshold", "place p; trans t inhibit p < 0 : -> p;",
     "1:30: 'p' never holds fewer than 0 tokens: expected a number above 0"},
    {"ZeroRate", "place p; trans t rate 0 : -> p;", "1:23: rate is 0: expected a number above 0"},
    {"GuardWithDeadlock", "place p; trans t when deadlock : -> p;",
     "1:23: a guard speaks of token counts only: no temporal operator, 'fireable', 'deadlock' or 'initial'"},
    {"GuardWithTemporal", "place p; trans t when EF p == 1 : -> p;",
     "1:23: a guard speaks of token counts only: no temporal operator, 'fireable', 'deadlock' or 'initial'"},
    {"NumberAsCheck", "place p; check c : p;", "1:20: expected a formula, found a number: compare it, as in 'p >= 1'"},
    {"FormulaAsNumber", "place p init true;", "1:14: expected a number, found a formula"},
    {"FilterOverPlaces", "place p; for i in 1..2 where p == i { place q[i]; }",
     "1:32: expected a condition that does not depend on places"},
    {"ParameterWithoutValue", "\nparam N; place p;", "2:7: parameter 'N' has no value: expected one by '-D N=...'"},
    {"NoPlace", "// nothing\n", " the model has no place: expected at least one 'place'"},
};

std::string name_of(const testing::TestParamInfo<BadModel>& test) {
  return test.param.behaviour;
}

INSTANTIATE_TEST_SUITE_P(Grammar, SpnErrors, testing::ValuesIn(grammar_cases), name_of);
INSTANTIATE_TEST_SUITE_P(Meaning, SpnErrors, testing::ValuesIn(meaning_cases), name_of);

TEST(SpnParameters, OfTheWrongKindAreNamed) {
  EXPECT_EQ(spn_error("param N = 1; place p;", {{"N", "abc"}}), "-D N=abc: expected an integer");
  EXPECT_EQ(spn_error("param N = 1; place p;", {{"N", ""}}), "-D N=: expected an integer");
  EXPECT_EQ(spn_error("param N = 1; place p;", {{"N", "3.5"}}), "-D N=3.5: expected an integer");
  EXPECT_EQ(spn_error("param N = 1; place p;", {{"N", "99999999999999999999"}}),
            "-D N=99999999999999999999: expected an integer of at most 9223372036854775807");
}

TEST(SpnParameters, UnknownOnesAreNamedWithTheNearest) {
  EXPECT_EQ(spn_error("param count = 1; place p;", {{"cuont", "2"}}),
            "-D cuont=2: the model has no parameter 'cuont'; did you mean 'count'?");
  EXPECT_EQ(spn_error("param N = 1, M = 2; place p;", {{"X", "2"}}),
            "-D X=2: the model has no parameter 'X'; it has N, M");
  EXPECT_EQ(spn_error("place p;", {{"X", "2"}}), "-D X=2: the model has no parameter 'X'");
}

TEST(SpnParameters, GivenTwiceAreRefused) {
  EXPECT_EQ(spn_error("param N = 1; place p;", {{"N", "2"}, {"N", "2"}}), "-D N=2: the parameter is given twice");
}

}  // namespace
}  // namespace dcheck::test
