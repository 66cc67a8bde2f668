// Colour sets, coloured places and coloured transitions of .spn models.

#include <gtest/gtest.h>

#include "dcheck/ctl/text.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

constexpr const char* phases = R"(
  colour Phase = {idle, busy, done};
  colour Id = 1..3;
  colour Both = Id * Phase;
  place p of Both init all + 2`(2, busy), q of Phase init busy;
  trans go[i in Id, f in Phase] when f != done && (i > 1 || f == idle) : p[i, f] -> p[i, done] + q[f];)";

TEST(SpnColours, PlacesHaveAMemberForEachColourAndTransitionsOneForEachBindingThatTheGuardAllows) {
  const Net net = spn(phases).net;
  EXPECT_EQ(net.place_count(), 12U);
  EXPECT_EQ(net.transition_count(), 5U);
  const auto initial = [&](const char* place) { return net.initial()[index(net.find_place(place).value())]; };
  EXPECT_EQ(initial("p[2,busy]"), 3);
  EXPECT_EQ(initial("p[3,idle]"), 1);
  EXPECT_EQ(initial("q[busy]"), 1);
  EXPECT_EQ(initial("q[done]"), 0);
  EXPECT_TRUE(net.find_transition("go[2,busy]"));
  EXPECT_FALSE(net.find_transition("go[1,busy]"));
}

TEST(SpnColours, MembersAreFamiliesOfTheNet) {
  const Net net = spn(phases).net;
  const auto family = net.place_families().of(net.find_place("p[1,idle]").value());
  ASSERT_TRUE(family);
  EXPECT_EQ(net.place_families()[*family], (Family{"p", true}));
  EXPECT_EQ(net.place_families().members(*family).size(), 9U);
  EXPECT_EQ(net.transition_families().coloured_count(), 1U);
}

TEST(SpnColours, FormulasSpeakOfColoursAndOfWholePlacesAndTransitions) {
  const Model model = spn(phases);
  const auto again = [&](const char* text) { return text_of(parse_formula(text, "f", model), model.net); };
  EXPECT_EQ(again("q <= 3"), "q <= 3");
  EXPECT_EQ(again("fireable(go)"), "fireable(go)");
  EXPECT_EQ(again("p[2, busy] >= 1"), "\"p[2,busy]\" >= 1");
  EXPECT_EQ(again("forall f in Phase where f != idle : q[f] == 0"), "\"q[busy]\" == 0 && \"q[done]\" == 0");
}

TEST(SpnColours, FiltersOfTuplesLeaveColoursOut) {
  const Net net = spn(R"(
    param N = 3;
    colour Who = 1..N;
    colour Message = (s in Who, r in Who where s != r);
    colour Also = Message;
    place a of Message init all, b of Also;
    trans t[s in Who, r in Who] when s != r : a[s, r] -> b[s, r];)")
                      .net;
  EXPECT_EQ(net.place_count(), 12U);
  EXPECT_EQ(net.transition_count(), 6U);
  EXPECT_FALSE(net.find_place("a[1,1]"));
}

TEST(SpnColours, GuardsAreAskedAsSoonAsTheirVariablesAreBound) {
  // 10^12 bindings, of which 10^4 are left.
  const Net net = spn(R"(
    colour C = 1..10000;
    place a of C init 1;
    trans t[x in C, y in C, z in C] when y == 1 && z == 2 && x < 4 : a[x] -> a[z];)")
                      .net;
  EXPECT_EQ(net.transition_count(), 3U);
}

TEST(SpnColours, WordsOfColouredNetsAreNoKeywords) {
  const Net net = spn("place colour init 1, of, all; trans t : colour -> of + all;").net;
  EXPECT_EQ(net.place_count(), 3U);
}

TEST(SpnColours, MistakesAreSaidWithTheirPosition) {
  EXPECT_EQ(spn_error("colour C = 3..2;"), "m.spn:1:8: colour set 'C' is empty");
  EXPECT_EQ(spn_error("colour C = {a, a};"), "m.spn:1:16: duplicate name 'a': it is already a colour");
  EXPECT_EQ(spn_error("colour C = 1..2; place C;"), "m.spn:1:24: duplicate name 'C': it is already a colour set");
  EXPECT_EQ(spn_error("place p of D;"), "m.spn:1:12: unknown colour set 'D': expected one, or a range with '..'");
  EXPECT_EQ(spn_error("colour C = 1..2; place p of C init 3;"), "m.spn:1:36: 'p[3]' is no colour of the place");
  EXPECT_EQ(spn_error("colour C = 1..2; place p[1..2] of C;"), "m.spn:1:32: a place has indices or colours, not both");
  EXPECT_EQ(spn_error("colour C = 1..9000000; place p of C * C;").substr(0, 40),
            "m.spn:1:39: colour set 'C' is too large ");
}

}  // namespace
}  // namespace dcheck::test
