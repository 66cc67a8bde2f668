// The Model Checking Contest's formula files: what every element means, and what is refused.

#include <gtest/gtest.h>

#include "dcheck/ctl/text.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

std::string property(const std::string& id, const std::string& formula) {
  return "<property><id>" + id + "</id><description>d</description><formula>" + formula + "</formula></property>";
}

std::string file_of(const std::string& properties) {
  return "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n" + properties + "</property-set>\n";
}

const Model& model() {
  static const Model made = spn(R"(
    param N = 3;
    place p init 1, q, "odd name";
    trans t : p -> q;
    trans u : q -> p;)");
  return made;
}

std::vector<Property> parse(const std::string& text) {
  return parse_formulas(text, "f.xml", model());
}

struct Meaning {
  const char* behaviour;
  const char* element;
  const char* text;  // what it means, in our own syntax
};

class MccElement : public testing::TestWithParam<Meaning> {};

TEST_P(MccElement, MeansWhatTheTextDoes) {
  const auto found = parse(file_of(property("f", GetParam().element)));
  ASSERT_EQ(found.size(), 1U);
  const Property wanted = parse_property(GetParam().text, "f", model());
  EXPECT_EQ(found[0].id, "f");
  EXPECT_EQ(found[0].is_upper_bound, wanted.is_upper_bound);
  EXPECT_EQ(found[0].formula, wanted.formula);
  EXPECT_EQ(found[0].bound_of, wanted.bound_of);
  // The report's text can be read again.
  const Property again = parse_property(found[0].text, "f", model());
  EXPECT_EQ(again.formula, found[0].formula) << found[0].text;
  EXPECT_EQ(again.bound_of, found[0].bound_of) << found[0].text;
}

#define P "<tokens-count><place>p</place></tokens-count>"
#define Q "<tokens-count><place>q</place></tokens-count>"
#define C(value) "<integer-constant>" #value "</integer-constant>"
#define A "<integer-le>" C(1) P "</integer-le>"
#define B "<integer-le>" C(1) Q "</integer-le>"

const Meaning meanings[] = {
    {"AllFinally", "<all-paths><finally>" A "</finally></all-paths>", "AF 1 <= p"},
    {"AllGlobally", "<all-paths><globally>" A "</globally></all-paths>", "AG 1 <= p"},
    {"AllNext", "<all-paths><next>" A "</next></all-paths>", "AX 1 <= p"},
    {"AllUntil", "<all-paths><until><before>" A "</before><reach>" B "</reach></until></all-paths>",
     "A[1 <= p U 1 <= q]"},
    {"SomeFinally", "<exists-path><finally>" A "</finally></exists-path>", "EF 1 <= p"},
    {"SomeGlobally", "<exists-path><globally>" A "</globally></exists-path>", "EG 1 <= p"},
    {"SomeNext", "<exists-path><next>" A "</next></exists-path>", "EX 1 <= p"},
    {"SomeUntil", "<exists-path><until><before>" A "</before><reach>" B "</reach></until></exists-path>",
     "E[1 <= p U 1 <= q]"},
    {"Negation", "<negation>" A "</negation>", "!(1 <= p)"},
    {"Conjunction", "<conjunction>" A B "<deadlock/></conjunction>", "1 <= p && 1 <= q && deadlock"},
    {"Disjunction", "<disjunction>" A B "</disjunction>", "1 <= p || 1 <= q"},
    {"Implication", "<implication>" A B "</implication>", "1 <= p -> 1 <= q"},
    {"Equivalence", "<equivalence>" A B "</equivalence>", "1 <= p <-> 1 <= q"},
    {"ExclusiveDisjunction", "<exclusive-disjunction>" A B "</exclusive-disjunction>", "!(1 <= p <-> 1 <= q)"},
    {"Invariant", "<invariant>" A "</invariant>", "AG 1 <= p"},
    {"Possibility", "<possibility>" A "</possibility>", "EF 1 <= p"},
    {"Impossibility", "<impossibility>" A "</impossibility>", "!EF 1 <= p"},
    {"LessEqual", "<integer-le>" P C(2) "</integer-le>", "p <= 2"},
    {"Less", "<integer-lt>" P C(2) "</integer-lt>", "p < 2"},
    {"GreaterEqual", "<integer-ge>" P C(2) "</integer-ge>", "p >= 2"},
    {"Greater", "<integer-gt>" P Q "</integer-gt>", "p > q"},
    {"Equal", "<integer-eq>" P C(-2) "</integer-eq>", "p == -2"},
    {"NotEqual", "<integer-ne>" P C(2) "</integer-ne>", "p != 2"},
    {"Sum", "<integer-le><integer-sum>" P Q C(3) "</integer-sum>" C(2) "</integer-le>", "p + q + 3 <= 2"},
    {"Difference", "<integer-le><integer-difference>" P Q "</integer-difference>" C(2) "</integer-le>", "p - q <= 2"},
    {"TokensOfSeveralPlaces",
     "<integer-le><tokens-count><place>p</place><place>odd name</place></tokens-count>" C(2) "</integer-le>",
     "p + \"odd name\" <= 2"},
    {"FireableIsAnyOfThem", "<is-fireable><transition>t</transition><transition> u\n</transition></is-fireable>",
     "fireable(t, u)"},
    {"Deadlock", "<exists-path><finally><deadlock/></finally></exists-path>", "EF deadlock"},
    {"True", "<true/>", "true"},
    {"False", "<false></false>", "false"},
    {"Bound", "<place-bound><place>p</place></place-bound>", "bound(p)"},
    {"BoundOfASum", "<place-bound><place>p</place><place>q</place></place-bound>", "bound(p + q)"},
    {"Prefixes", "<m:negation xmlns:m='x'><!-- c --><m:deadlock/></m:negation>", "!deadlock"},
};

INSTANTIATE_TEST_SUITE_P(, MccElement, testing::ValuesIn(meanings),
                         [](const auto& shown) { return std::string(shown.param.behaviour); });

TEST(MccXml, TextIsReadable) {
  const auto found =
      parse(file_of(property("a", "<negation><integer-le>" P C(2) "</integer-le></negation>") +
                    property("b", "<place-bound><place>p</place><place>odd name</place></place-bound>")));
  EXPECT_EQ(found[0].text, "!(p <= 2)");
  EXPECT_EQ(found[1].text, "bound(p + \"odd name\")");
}

TEST(MccXml, ThousandsOfFormulasAreRead) {
  std::string all;
  for (int i = 0; i < 5000; ++i) all += property("f" + std::to_string(i), "<all-paths><next>" A "</next></all-paths>");
  const auto found = parse(file_of(all));
  ASSERT_EQ(found.size(), 5000U);
  EXPECT_EQ(found.back().id, "f4999");
}

TEST(MccXml, OneLineOfTenMegabytesIsRead) {
  std::string places;
  for (int i = 0; i < 400'000; ++i) places += "<place>p</place><place>q</place>";
  const auto found = parse(file_of(property("f", "<place-bound>" + places + "</place-bound>")));
  EXPECT_EQ(evaluate_number(found.at(0).bound_of, std::vector<Tokens>{2, 1, 0}), 1'200'000);
}

struct Refusal {
  const char* behaviour;
  const char* inside;  // third line of the document; '@' marks the position that the message names
  const char* message;
};

class MccRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(MccRefusal, IsOneLineWithPosition) {
  std::string inside = GetParam().inside;
  const std::size_t at = inside.find('@');
  ASSERT_NE(at, std::string::npos);
  inside.erase(at, 1);
  try {
    parse(file_of(inside));
    FAIL();
  } catch (const InputError& wrong) {
    EXPECT_EQ(wrong.what(), "f.xml:3:" + std::to_string(at + 1) + ": " + GetParam().message);
    EXPECT_EQ(wrong.excerpt(), "");
  }
}

#define FORMULA(inside) "<property><id>f</id><formula>" inside "</formula></property>"

const Refusal refusals[] = {
    {"UnknownPlace", FORMULA("<place-bound><@place>odd nam</place></place-bound>"),
     "unknown place 'odd nam'; did you mean 'odd name'?"},
    {"ParameterAsPlace", FORMULA("<place-bound><@place>N</place></place-bound>"), "unknown place 'N'"},
    {"UnknownTransition", FORMULA("<is-fireable><transition>t</transition><@transition>T</transition></is-fireable>"),
     "unknown transition 'T'; did you mean 't'?"},
    {"NoFormula", "<@property><id>f</id></property>", "<property> has no <formula>"},
    {"SameIdTwice", FORMULA("<true/>") "<property><@id>f</id><formula><true/></formula></property>",
     "duplicate name 'f': it is already a property"},
    {"NoId", "<@property><formula><true/></formula></property>", "<property> has no <id>"},
    {"EmptyId", "<property><@id> </id><formula><true/></formula></property>", "<id> is empty: expected text"},
    {"TwoFormulas", "<property><id>f</id><formula/><@formula/></property>",
     "<property> has two <formula>: expected one"},
    {"EmptyFormula", "<property><id>f</id><@formula/></property>", "<formula> is empty: expected one element"},
    {"TwoElementsInAFormula", FORMULA("<true/><@false/>"), "<formula> has 2 elements: expected one"},
    {"ForeignElement", "<@net/>", "unexpected element <net> in <property-set>: expected <property>"},
    {"ForeignPart", "<property><@name/></property>",
     "unexpected element <name> in <property>: expected <id>, <description> and <formula>"},
    {"UnknownOperator", FORMULA("<@all-path/>"), "unexpected element <all-path> in <formula>: expected a formula"},
    {"NumberAsFormula", FORMULA("<negation><@tokens-count><place>p</place></tokens-count></negation>"),
     "unexpected element <tokens-count> in <negation>: expected a formula"},
    {"FormulaAsNumber", FORMULA("<integer-le><@true/>" P "</integer-le>"),
     "unexpected element <true> in <integer-le>: expected a number, such as <tokens-count> or <integer-constant>"},
    {"Ltl", FORMULA("<all-paths><finally><@globally><true/></globally></finally></all-paths>"),
     "<globally> without a path quantifier: expected it directly in <all-paths> or <exists-path> (LTL is not "
     "supported)"},
    {"QuantifierWithoutOperator", FORMULA("<all-paths><@true/></all-paths>"),
     "unexpected element <true> in <all-paths>: expected <finally>, <globally>, <next> or <until>"},
    {"UntilTheWrongWayRound",
     FORMULA("<all-paths><until><@reach><true/></reach><before><true/></before></until></all-paths>"),
     "unexpected element <reach> in <until>: expected <before>"},
    {"UntilOfOne", FORMULA("<all-paths><@until><before><true/></before></until></all-paths>"),
     "<until> has 1 elements: expected <before> and <reach>"},
    {"TooManyOperands", FORMULA("<@negation><true/><true/></negation>"), "<negation> has 2 elements: expected 1"},
    {"TooFewOperands", FORMULA("<@integer-le>" P "</integer-le>"), "<integer-le> has 1 elements: expected 2"},
    {"NoPlace", FORMULA("<@place-bound/>"), "<place-bound> has 0 elements: expected 1 or more"},
    {"BoundInside", FORMULA("<integer-le><@place-bound><place>p</place></place-bound>" C(1) "</integer-le>"),
     "<place-bound> stands alone: expected it directly in <formula>"},
    {"ConstantThatIsNone", FORMULA("<integer-le>" P "<@integer-constant>2x</integer-constant></integer-le>"),
     "the constant is '2x': expected a number"},
    {"ConstantThatIsTooLarge",
     FORMULA("<integer-le>" P "<@integer-constant>9223372036854775808</integer-constant></integer-le>"),
     "the constant is 9223372036854775808: expected at most 2^63 - 1"},
    {"StrayText", FORMULA("<negation><true/>@words</negation>"),
     "unexpected text 'words' in <negation>: expected elements only"},
    {"ElementInAName", FORMULA("<place-bound><place>p<@b/></place></place-bound>"),
     "unexpected element <b> in <place>: expected text only"},
    {"NameThatIsNotUtf8", "<property><@id>\xFF</id><formula><true/></formula></property>",
     "the text of <id> is not valid UTF-8"},
};

INSTANTIATE_TEST_SUITE_P(, MccRefusal, testing::ValuesIn(refusals),
                         [](const auto& shown) { return std::string(shown.param.behaviour); });

std::string error(const std::string& text) {
  return input_error_of([&] { parse(text); });
}

TEST(MccXml, OtherDocumentsAreRefused) {
  EXPECT_EQ(error("<pnml/>"), "f.xml:1:2: expected <property-set> as the outermost element, found <pnml>");
  EXPECT_EQ(error(file_of("")), "f.xml: there is no formula in the file: expected 'name: formula;' or MCC XML");
  EXPECT_EQ(error("<!DOCTYPE x [<!ENTITY a 'b'>]><property-set/>"),
            "f.xml:1:11: document type with its own declarations (entities): expected plain MCC XML");
}

TEST(MccXml, TruncatedFilesAreRefusedWherever) {
  const std::string whole = file_of(property("f", "<all-paths><next>" A "</next></all-paths>"));
  const std::size_t last = whole.rfind('>');
  for (std::size_t length = 1; length <= last; ++length) {
    const std::string message = error(whole.substr(0, length));
    EXPECT_EQ(message.rfind("f.xml:", 0), 0U) << length << ": " << message;
  }
  EXPECT_NE(error(whole.substr(0, last / 2)).find("truncated"), std::string::npos);
}

std::string nested(const std::string& open, const std::string& inner, const std::string& close, int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += open;
  text += inner;
  for (int i = 0; i < depth; ++i) text += close;
  return file_of(property("f", text));
}

TEST(MccXml, DeepNestingIsReadUpToALimitAndThenRefused) {
  const std::string next = "<all-paths><next>", end = "</next></all-paths>";
  EXPECT_EQ(parse(nested(next, "<deadlock/>", end, 300)).size(), 1U);
  EXPECT_EQ(error(nested(next, "<deadlock/>", end, 400)),
            "f.xml:3:6859: nested too deeply: at most 400 levels are supported");
  for (const int depth : {1000, 500'000}) {
    EXPECT_NE(error(nested(next, "<true/>", end, depth)).find("nested too deeply"), std::string::npos);
    EXPECT_NE(error(nested("<negation>", "<true/>", "</negation>", depth)).find("nested too deeply"),
              std::string::npos);
    EXPECT_NE(error(nested("<integer-lt>" P "<integer-sum>", "", "</integer-sum></integer-lt>", depth)).find("f.xml:3"),
              std::string::npos);
    EXPECT_NE(error(nested("<x>", "", "</x>", depth)).find("unexpected element <x>"), std::string::npos);
  }
}

TEST(MccXml, NestedEquivalencesThatUnfoldTooFarAreRefused) {
  std::string text = "<deadlock/>";
  for (int i = 0; i < 30; ++i)
    text = "<equivalence><is-fireable><transition>t</transition></is-fireable>" + text + "</equivalence>";
  EXPECT_NE(error(file_of(property("f", text))).find("unfolds to more than 1000000 operators"), std::string::npos);
}

TEST(MccXml, RandomDamageIsReadOrRefused) {
  const std::string whole =
      file_of(property("a", "<all-paths><until><before>" A "</before><reach>" B "</reach></until></all-paths>") +
              property("b", "<place-bound><place>p</place></place-bound>"));
  expect_read_or_refused(whole, 5, [&](const std::string& text) { return error(text); });
}

}  // namespace
}  // namespace dcheck::test
