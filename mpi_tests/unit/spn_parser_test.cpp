// What .spn texts mean.

#include <gtest/gtest.h>

#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

Tokens initial_of(const Model& model, std::string_view place) {
  return model.net.initial()[index(model.net.find_place(place).value())];
}

std::vector<Arc> pre_of(const Model& model, std::string_view transition) {
  const auto arcs = model.net.pre(model.net.find_transition(transition).value());
  return {arcs.begin(), arcs.end()};
}

std::vector<Arc> post_of(const Model& model, std::string_view transition) {
  const auto arcs = model.net.post(model.net.find_transition(transition).value());
  return {arcs.begin(), arcs.end()};
}

std::vector<Arc> inhibitors_of(const Model& model, std::string_view transition) {
  const auto arcs = model.net.inhibitors(model.net.find_transition(transition).value());
  return {arcs.begin(), arcs.end()};
}

Arc arc(const Model& model, std::string_view place, Tokens weight) {
  return {model.net.find_place(place).value(), weight};
}

TEST(SpnParser, TheSketchOfTheDesignParses) {
  const Model model = spn(R"(
    // Kanban production system, four cells
    param N = 9;
    place pm[1..4], pback[1..4], pout[1..4];
    place pkan[1..4] init N;
    for i in 1..4 {
      trans tok[i]   rate 0.84 : pm[i] -> pout[i];
      trans tback[i] rate 0.36 : pm[i] -> pback[i];
      trans tredo[i] rate 0.30 : pback[i] -> pm[i];
    }
    trans tin  : pkan[1] -> pm[1];
    trans sync : pout[1] + pkan[2] + pkan[3] -> pkan[1] + pm[2] + pm[3];
    let full = exists i in 1..4 : pout[i] == N;
    check home : AG EF initial;)");
  EXPECT_EQ(model.net.name(), "m");
  EXPECT_EQ(model.net.place_count(), 16U);
  EXPECT_EQ(model.net.transition_count(), 14U);
  EXPECT_EQ(initial_of(model, "pkan[3]"), 9);
  EXPECT_EQ(initial_of(model, "pm[3]"), 0);
  EXPECT_DOUBLE_EQ(model.net.rate(*model.net.find_transition("tback[2]")).value(), 0.36);
  EXPECT_FALSE(model.net.rate(*model.net.find_transition("tin")).has_value());
  EXPECT_EQ(pre_of(model, "sync").size(), 3U);
  ASSERT_EQ(model.parameters.size(), 1U);
  EXPECT_EQ(model.parameters[0].name, "N");
  EXPECT_EQ(model.parameters[0].value, 9);
  ASSERT_EQ(model.definitions.size(), 1U);
  EXPECT_EQ(model.definitions[0].formula.predicate.children.size(), 4U);
  ASSERT_EQ(model.checks.size(), 1U);
  EXPECT_EQ(model.checks[0].id, "home");
  EXPECT_EQ(model.checks[0].text, "AG EF initial");
  EXPECT_EQ(model.checks[0].formula.kind, Formula::Kind::ag);
}

TEST(SpnParser, GivenParametersOverrideDefaultsAndFeedLaterOnes) {
  const Model model = spn("param N = 2, M = N * N; place p init M;", {{"N", "5"}});
  EXPECT_EQ(initial_of(model, "p"), 25);
  EXPECT_EQ(model.parameters[1].value, 25);
}

TEST(SpnParser, AParameterWithoutDefaultTakesTheGivenValue) {
  EXPECT_EQ(initial_of(spn("param N; place p init N + 10;", {{"N", "-3"}}), "p"), 7);
}

TEST(SpnParser, FamiliesHaveSeveralDimensionsAndIndexedInitialMarkings) {
  const Model model = spn("param N = 3; place t[i in 1..N, j in 0..1] init i == 2 ? 10 * j : 0, q[-1..1];");
  EXPECT_EQ(model.net.place_count(), 9U);
  EXPECT_EQ(initial_of(model, "t[2,1]"), 10);
  EXPECT_EQ(initial_of(model, "t[3,1]"), 0);
  EXPECT_TRUE(model.net.find_place("q[-1]"));
}

TEST(SpnParser, AnEmptyRangeMakesNothing) {
  const Model model = spn("place p, q[1..0], r[5..1, 1..3]; for i in 3..2 { place s[i]; }");
  EXPECT_EQ(model.net.place_count(), 1U);
}

TEST(SpnParser, LoopsNestFilterAndUseEarlierVariables) {
  const Model model = spn("for i in 1..3, j in i..3 where i != j { for k in 1..2 { place p[i, j, k]; } }");
  EXPECT_EQ(model.net.place_count(), 6U);
  EXPECT_TRUE(model.net.find_place("p[1,3,2]"));
  EXPECT_FALSE(model.net.find_place("p[2,2,1]"));
}

TEST(SpnParser, WeightsAddUpAndZeroIsNoArc) {
  const Model model =
      spn("param N = 3; place p, q; trans t : 2*p + p + (N-1)*q -> 0*p + q*4; trans u : -> p; trans v : p -> 0;");
  EXPECT_EQ(pre_of(model, "t"), (std::vector{arc(model, "p", 3), arc(model, "q", 2)}));
  EXPECT_EQ(post_of(model, "t"), (std::vector{arc(model, "q", 4)}));
  EXPECT_TRUE(pre_of(model, "u").empty());
  EXPECT_EQ(post_of(model, "u"), (std::vector{arc(model, "p", 1)}));
  EXPECT_TRUE(post_of(model, "v").empty());
}

TEST(SpnParser, SidesMaySumAndChoose) {
  const Model model =
      spn("place p[1..4]; trans t[i in 1..2] : sum j in 1..4 where j != 2 : j*p[j] -> (i == 1 ? p[1] : p[9-5]);");
  EXPECT_EQ(pre_of(model, "t[1]"), (std::vector{arc(model, "p[1]", 1), arc(model, "p[3]", 3), arc(model, "p[4]", 4)}));
  EXPECT_EQ(post_of(model, "t[1]"), (std::vector{arc(model, "p[1]", 1)}));
  EXPECT_EQ(post_of(model, "t[2]"), (std::vector{arc(model, "p[4]", 1)}));
}

TEST(SpnParser, IndicesWrapAround) {
  const Model model =
      spn("param N = 3; place f[1..N]; for i in 1..N { trans t[i] : f[(i % N) + 1] -> f[(i - 2) % N + 1]; }");
  EXPECT_EQ(pre_of(model, "t[3]"), (std::vector{arc(model, "f[1]", 1)}));
  EXPECT_EQ(post_of(model, "t[1]"), (std::vector{arc(model, "f[3]", 1)}));
}

TEST(SpnParser, InhibitorsAndGuardsRestrictATransition) {
  const Model model = spn("place p init 2, q; trans t inhibit q, p < 5 when p % 2 == 0 when p + q >= 2 : p -> q;");
  EXPECT_EQ(inhibitors_of(model, "t"), (std::vector{arc(model, "p", 5), arc(model, "q", 1)}));
  const Transition t = *model.net.find_transition("t");
  const auto enabled = [&](std::vector<Tokens> marking) { return model.net.is_enabled(t, marking); };
  EXPECT_TRUE(enabled({2, 0}));
  EXPECT_FALSE(enabled({3, 0}));
  EXPECT_FALSE(enabled({2, 1}));
  EXPECT_TRUE(enabled({4, 0}));
  EXPECT_FALSE(enabled({6, 0}));
}

TEST(SpnParser, AGuardThatIsAlwaysTrueIsNoGuard) {
  const Model model = spn("param N = 2; place p; trans t when N == 2 : p -> ; trans u when N == 1 : p -> ;");
  EXPECT_EQ(model.net.guard(*model.net.find_transition("t")), nullptr);
  EXPECT_NE(model.net.guard(*model.net.find_transition("u")), nullptr);
}

TEST(SpnParser, QuotedNamesMayBeAnything) {
  const Model model = spn(R"(place "in"[1..2] init 3, "a \"b\" \\"; trans "für" : "in[1]" + "in"[2] -> ;)");
  EXPECT_EQ(pre_of(model, "für").size(), 2U);
  EXPECT_TRUE(model.net.find_place("a \"b\" \\"));
}

TEST(SpnParser, NamesMayHaveDotsAndBeginWithDigits) {
  const Model model = spn("place a.b, 2x[1..2], _; trans t : a.b + 2x[1] -> _;");
  EXPECT_EQ(pre_of(model, "t").size(), 2U);
}

TEST(SpnParser, ConstantDefinitionsServeAsNumbers) {
  const Model model = spn("let K = 2 + 2; place p[1..K] init K;");
  EXPECT_EQ(model.net.place_count(), 4U);
  EXPECT_TRUE(model.definitions[0].is_number);
}

TEST(SpnParser, DefinitionsAndChecksMayBeFamilies) {
  const Model model = spn("place p[1..2]; let e[i in 1..2] = p[i] == 1; check c[i in 1..2] : EF e[i];");
  ASSERT_EQ(model.checks.size(), 2U);
  EXPECT_EQ(model.checks[1].id, "c[2]");
  EXPECT_EQ(model.checks[1].formula.children[0], model.definitions[1].formula);
}

TEST(SpnParser, CheckTextsAreOneLineWithoutComments) {
  const Model model = spn("place p; check c : AG // always\n   (p == 0 /* none */ ||\n\t\"p\" < 2);");
  EXPECT_EQ(model.checks[0].text, "AG (p == 0 || \"p\" < 2)");
}

TEST(SpnParser, CommentsAndAByteOrderMarkArePassedOver) {
  EXPECT_EQ(spn("\xEF\xBB\xBF/* a\n b */ place p; // end").net.place_count(), 1U);
}

TEST(SpnParser, NumbersGoUpToTheLargestOf63Bits) {
  EXPECT_EQ(initial_of(spn("place p init 9223372036854775807;"), "p"), 9223372036854775807);
}

TEST(SpnParser, RatesAreReal) {
  const Model model = spn("param N = 4; place p; trans t rate 2.5e-1 * N / 2 : p -> ; trans u rate 1e3 : p -> ;");
  EXPECT_DOUBLE_EQ(model.net.rate(*model.net.find_transition("t")).value(), 0.5);
  EXPECT_DOUBLE_EQ(model.net.rate(*model.net.find_transition("u")).value(), 1000);
}

}  // namespace
}  // namespace dcheck::test
