// Coloured PNML nets: what they become, and what is said of those that cannot be read or are too large.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dcheck/colour/unfold.hpp"
#include "dcheck/ctl/text.hpp"
#include "support/naive_explorer.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

/// A net over C = {a, b, c} (cyclic), R = 1..4, P = C x R and dot, with variables x, y of C and i of R, m of P.
std::string document(const std::string& nodes) {
  return "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/symmetricnet'><declaration><structure>"
         "<declarations><namedsort id='P' name='P'><productsort><usersort declaration='C'/><usersort declaration='R'/>"
         "</productsort></namedsort><namedsort id='C' name='C'><cyclicenumeration><feconstant id='ca' name='a'/>"
         "<feconstant id='cb' name='b'/><feconstant id='cc' name='c'/></cyclicenumeration></namedsort>"
         "<namedsort id='R' name='R'><finiteintrange start='1' end='4'/></namedsort><namedsort id='dot' name='dot'>"
         "<dot/></namedsort><partition id='half' name='half'><usersort declaration='C'/>"
         "<partitionelement id='low' name='low'><useroperator declaration='ca'/><useroperator declaration='cb'/>"
         "</partitionelement><partitionelement id='high' name='high'><useroperator declaration='cc'/>"
         "</partitionelement></partition><variabledecl id='x' name='x'><usersort declaration='C'/></variabledecl>"
         "<variabledecl id='y' name='y'><usersort declaration='C'/></variabledecl>"
         "<variabledecl id='i' name='i'><usersort declaration='R'/></variabledecl>"
         "<variabledecl id='m' name='m'><usersort declaration='P'/></variabledecl>"
         "</declarations></structure></declaration>\n<page id='g'>" +
         nodes + "</page></net></pnml>";
}

std::string sub(const std::string& operation, const std::vector<std::string>& operands) {
  std::string text = "<" + operation + ">";
  for (const std::string& operand : operands) text += "<subterm>" + operand + "</subterm>";
  return text + "</" + operation + ">";
}
std::string variable(const std::string& id) {
  return "<variable refvariable='" + id + "'/>";
}
std::string colour(const std::string& id) {
  return "<useroperator declaration='" + id + "'/>";
}
std::string all(const std::string& sort) {
  return "<all><usersort declaration='" + sort + "'/></all>";
}
std::string integer(int value) {
  return fmt::format("<finiteintrangeconstant value='{}'><finiteintrange start='1' end='4'/></finiteintrangeconstant>",
                     value);
}
std::string times(int count, const std::string& term) {
  return sub("numberof", {fmt::format("<numberconstant value='{}'><positive/></numberconstant>", count), term});
}

std::string place(const std::string& id, const std::string& sort, const std::string& initial = "") {
  return "<place id='" + id + "'><type><structure><usersort declaration='" + sort + "'/></structure></type>" +
         (initial.empty() ? "" : "<hlinitialMarking><structure>" + initial + "</structure></hlinitialMarking>") +
         "</place>";
}
std::string transition(const std::string& id, const std::string& guard = "") {
  return "<transition id='" + id + "'>" +
         (guard.empty() ? "" : "<condition><structure>" + guard + "</structure></condition>") + "</transition>";
}
std::string arc(const std::string& source, const std::string& target, const std::string& term) {
  return "<arc id='" + source + "-" + target + "' source='" + source + "' target='" + target +
         "'><hlinscription><structure>" + term + "</structure></hlinscription></arc>";
}

Net read(const std::string& nodes) {
  return parse_pnml(document(nodes), "m.pnml").net;
}
std::string error(const std::string& nodes) {
  return input_error_of([&] { read(nodes); });
}

TEST(ColouredPnml, PlacesThatAreNeverMarkedAndBindingsThatNeverFireAreLeftOut) {
  const Net net = read(place("p", "C", colour("ca")) + place("q", "C") +
                       transition("t", sub("inequality", {variable("x"), colour("cc")})) +
                       arc("p", "t", variable("x")) + arc("t", "q", sub("successor", {variable("x")})));
  EXPECT_EQ(net.place_count(), 2U);
  EXPECT_EQ(net.transition_count(), 1U);
  EXPECT_TRUE(net.find_place("p[a]"));
  EXPECT_TRUE(net.find_place("q[b]"));
  EXPECT_TRUE(net.find_transition("t[x=a]"));
  EXPECT_EQ(net.place_families().count(), 2U);
}

TEST(ColouredPnml, FormulasTakeAPlaceForTheSumOverItsColoursAndATransitionForAnyBinding) {
  const Model model =
      parse_pnml(document(place("p", "C", all("C")) + place("empty", "R") + transition("t") + transition("never") +
                          arc("p", "t", variable("x")) + arc("empty", "never", variable("i"))),
                 "m.pnml");
  const auto text = [&](const char* formula) { return text_of(parse_formula(formula, "f", model), model.net); };
  EXPECT_EQ(text("p >= 2"), "p >= 2");
  EXPECT_EQ(text("p + \"p[a]\" >= 2"), "p + \"p[a]\" >= 2");
  EXPECT_EQ(text("fireable(t)"), "fireable(t)");
  EXPECT_EQ(text("fireable(never)"), "false");
  EXPECT_EQ(text("empty >= 1"), "false");
}

TEST(ColouredPnml, BindingsThatDoTheSameAreOneTransitionAndCountAsSeveralArcs) {
  const Net net =
      read(place("p", "C", all("C")) + transition("t") + arc("p", "t", sub("add", {variable("x"), variable("y")})));
  ASSERT_EQ(net.transition_count(), 6U);  // two of the three colours, or twice one of them
  const NaiveGraph graph = explore_naively(net);
  EXPECT_EQ(graph.states(), 4U);
  EXPECT_EQ(graph.arcs, 6U);
}

TEST(ColouredPnml, VariablesOfOutputsAloneAreChosenAtWill) {
  const Net net = read(place("p", "dot", times(2, "<dotconstant/>")) + place("q", "R") +
                       transition("t", sub("greaterthan", {variable("i"), integer(2)})) +
                       arc("p", "t", "<dotconstant/>") + arc("t", "q", variable("i")));
  EXPECT_EQ(net.transition_count(), 2U);
  EXPECT_EQ(explore_naively(net).states(), 6U);
  EXPECT_TRUE(net.find_place("p"));
  EXPECT_TRUE(net.find_place("q[4]"));
}

TEST(ColouredPnml, TuplesMayHaveSumsSetsAndVariablesOfProducts) {
  const Net net = read(place("p", "P", sub("tuple", {colour("low"), all("R")})) + place("q", "P") +
                       transition("t", sub("equality", {variable("m"), sub("tuple", {colour("cb"), integer(3)})})) +
                       arc("p", "t", variable("m")) + arc("t", "q", variable("m")));
  EXPECT_EQ(net.place_count(), 9U);
  EXPECT_EQ(net.transition_count(), 1U);
  EXPECT_TRUE(net.find_transition("t[m.1=b,m.2=3]"));
}

TEST(ColouredPnml, WhatIsTakenAwayFromASumIsNotAdded) {
  const Net net = read(place("p", "C", colour("ca")) + place("q", "C") + transition("t") +
                       arc("p", "t", variable("x")) + arc("t", "q", sub("subtract", {all("C"), variable("x")})));
  EXPECT_EQ(net.place_count(), 3U);
  EXPECT_FALSE(net.find_place("q[a]"));
}

TEST(ColouredPnml, PartitionsAreComparedByTheirElements) {
  const auto of = [](const std::string& v) {
    return "<partitionelementof refpartition='half'><subterm>" + variable(v) + "</subterm></partitionelementof>";
  };
  const Net net =
      read(place("p", "C", all("C")) + place("q", "C", all("C")) + transition("t", sub("gtp", {of("x"), of("y")})) +
           arc("p", "t", variable("x")) + arc("q", "t", variable("y")));
  EXPECT_EQ(net.transition_count(), 2U);
  EXPECT_TRUE(net.find_transition("t[x=c,y=a]"));
}

TEST(ColouredPnml, MistakesAreSaidWithTheirPosition) {
  const auto ends_with = [](const std::string& message, const std::string& end) {
    return message.starts_with("m.pnml:2:") && message.ends_with(end) && message.find('\n') == std::string::npos;
  };
  const std::string p = place("p", "C"), t = transition("t");
  for (const auto& [nodes, end] : std::initializer_list<std::pair<std::string, std::string>>{
           {place("p", "D"), "unknown sort 'D'; did you mean 'P'?"},
           {"<place id='p'/>", "place 'p' has no sort: expected <type> with one in its <structure>"},
           {p + t + arc("p", "t", variable("z")), "unknown variable 'z'"},
           {p + t + arc("p", "t", variable("i")), "a term of sort R where the place has C"},
           {p + t + arc("p", "t", "<mystery/>"), "term <mystery> is not supported"},
           {p + t + arc("p", "t", sub("successor", {all("C")})), "a sum of colours: expected one colour"},
           {place("p", "R") + t + arc("p", "t", sub("successor", {variable("i")})),
            "the successor of a colour of 'R', which is not cyclic"},
           {place("p", "C", variable("x")), "a variable in a marking: expected colours only"},
           {p + transition("t", sub("equality", {variable("x"), variable("i")})),
            "<equality> compares colours of two sorts"},
           {p + transition("t", sub("maybe", {})), "<maybe> in a condition is not supported"},
           {p + t + "<arc id='a' source='p' target='t'/>",
            "an arc without inscription: expected <hlinscription> with a <structure>"},
           {place("p", "R",
                  "<finiteintrangeconstant value='7'><finiteintrange start='1' end='4'/></finiteintrangeconstant>"),
            "7 is outside its range 1..4"},
           {place("p", "C", sub("subtract", {colour("ca"), colour("cb")})),
            "the initial marking of place 'p' takes away more than it adds"},
           {place("p", "C", colour("ca")) + t + arc("p", "t", variable("x")) +
                arc("t", "p", sub("subtract", {variable("x"), sub("successor", {variable("x")})})),
            "the inscription of the arc with place 'p' takes away more than it adds in 't[x=a]'"}})
    EXPECT_TRUE(ends_with(error(nodes), end)) << error(nodes) << "\n" << end;
}

TEST(Unfolding, IsRefusedWithTheSizesBeforeMemoryIsSpent) {
  ColouredNet net{
      "big", {{"N", {}, 1, 1'000, false}}, {{"p", {0}, {{1, {{ColourTerm::Kind::all, 0, 0, 0, {}}}}}, 0}}, {}};
  ColouredTransition t{"t", {{"x", 0}, {"y", 0}, {"z", 0}}, {}, {}, {}, 7};
  for (std::uint32_t v = 0; v < 3; ++v) t.inputs.push_back({0, {{1, {{ColourTerm::Kind::variable, 0, v, 0, {}}}}}, 0});
  net.transitions.push_back(t);
  try {
    unfold(net, {.transitions = 100'000});
    FAIL() << "10^9 bindings";
  } catch (const UnfoldError& error) {
    EXPECT_EQ(error.at(), 7U);
    EXPECT_STREQ(
        error.what(),
        "the net is too large: unfolded it has more than 100,000 transitions; 't' alone may have 1,000,000,000 "
        "bindings (x: 1,000 colours, y: 1,000 colours, z: 1,000 colours)");
  }
}

TEST(Unfolding, JoinsInputsInPlaceOfTryingAllBindings) {
  // A ring of 3000 edges in a constant place: paths of three edges. All bindings would be 8 * 10^13.
  constexpr Colour size = 3'000;
  ColouredNet net{"ring", {{"N", {}, 0, size, false}}, {{"edge", {0, 0}, {}, 0}, {"at", {0}, {}, 0}}, {}};
  const auto constant = [](Colour c) { return ColourTerm{ColourTerm::Kind::constant, 0, 0, c, {}}; };
  const auto term = [](std::uint32_t v) { return ColourTerm{ColourTerm::Kind::variable, 0, v, 0, {}}; };
  for (Colour c = 0; c < size; ++c) net.places[0].initial.push_back({1, {constant(c), constant((c + 1) % size)}});
  net.places[1].initial.push_back({1, {constant(5)}});
  const ColouredArc test{0, {{1, {term(0), term(1)}}, {1, {term(1), term(2)}}, {1, {term(2), term(3)}}}, 0};
  net.transitions.push_back({"go",
                             {{"w", 0}, {"x", 0}, {"y", 0}, {"z", 0}},
                             {},
                             {test, {1, {{1, {term(0)}}}, 0}},
                             {test, {1, {{1, {term(3)}}}, 0}},
                             0});
  const Net unfolded = unfold(net, {.steps = 200'000});
  EXPECT_EQ(unfolded.transition_count(), size / 3U);
  EXPECT_EQ(unfolded.place_count(), size + size / 3U);
}

}  // namespace
}  // namespace dcheck::test
