// CSPL: what a program builds, what its functions become, and what is refused where.

#include <fmt/format.h>

#include "dcheck/ctl/text.hpp"
#include "support/naive_explorer.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

Model cspl(const std::string& text, const ParameterTexts& parameters = {}) {
  return parse_cspl(text, "m.cspl", parameters);
}

std::string cspl_error(const std::string& text, const ParameterTexts& parameters = {}) {
  return input_error_of([&] { cspl(text, parameters); });
}

/// A program of a function net() with this body, behind some other lines.
std::string program(const std::string& body, const std::string& before = "") {
  return before + "void net() {" + body + "}\n";
}

NaiveGraph graph_of(const std::string& text) {
  return explore_naively(cspl(text).net);
}

std::vector<std::string> names_of(const Net& net) {
  std::vector<std::string> names;
  for (const Transition t : FirstIds<Transition>(net.transition_count())) names.push_back(net.name(t));
  return names;
}

TEST(Cspl, BuildsPlacesTransitionsArcsAndRates) {
  const Net net = cspl(R"(#include "user.h"
    void options() { iopt(IOP_PR_RGRAPH, VAL_YES); fopt(FOP_PRECISION, 1e-6); }
    void net() {
      place("p"); init("p", 3); place("q");
      rateval("t", 0.5); iarc("t", "p"); moarc("t", "q", 2); mharc("t", "q", 5);
      trans("u"); unifval("u", 1, 2); miarc("u", "q", 2); oarc("u", "p");
    }
    int assert() { return RES_NOERR; }
    void ac_init() { pr_net_info(); } void ac_reach() {} void ac_final() { solve(INFINITY); })")
                      .net;
  ASSERT_EQ(net.place_count(), 2U);
  EXPECT_EQ(net.initial()[0], 3);
  EXPECT_EQ(net.rate(Transition{0}), 0.5);
  EXPECT_EQ(net.post(Transition{0})[0], (Arc{Place{1}, 2}));
  EXPECT_EQ(net.inhibitors(Transition{0})[0], (Arc{Place{1}, 5}));
  EXPECT_EQ(net.pre(Transition{1})[0], (Arc{Place{1}, 2}));
}

TEST(Cspl, RunsTheSubsetOfCThatItReads) {
  const Model model = cspl(R"(
    #define WIDTH 3
    #define AREA (WIDTH * height)
    int height = 2, count;
    double c = 0.95;
    int truncated = 0.95;
    char *words[] = {"a", "b" "c"};
    int table[2][WIDTH] = {{1, 2, 3}, {4, 5, 6}};
    int twice(int x) { return 2 * x; }
    int sum_of(int values[], int n) { int i, s = 0; for (i = 0; i < n; ++i) s += values[i]; return s; }
    void put(int tokens) { char name[20]; sprintf(name, "p%02d", count++); place(name); init(name, tokens); }
    void net() {
      int i = 0, j;
      put(AREA); put(truncated); put(7 / 2); put(-7 / 2 + 10); put(-7 % 3 + 10); put(7 / 2.0); put(twice(21));
      put(sum_of(table[1], WIDTH)); put(1 ? 2 : 3); put((int)c); put('a'); put(0x10 + 010); put(strlen(words[1]));
      while (1) { if (i == 3) break; i++; } put(i);
      do { i--; if (i == 1) continue; } while (i > 0); put(i);
      for (i = 0, j = 10; i < j; i += 2, j--) ; put(i * 100 + j);
      switch (i) { case 1: put(1); case 8: i = 5; case 9: i += 10; break; default: i = 0; } put(i);
      put(1 << 4 | 3); put(!0 && (0 || 2)); put(5 > 3 == 1); put((i = 4, i + 1)); put(fabs(-3.5) * 2);
      put(words[1][1]); put(~0 + 3); put(pow(2, 10)); put(sizeof_free());
    }
    int sizeof_free() { return 12; })");
  const std::vector<Tokens> expected{6, 0, 3,   7,  9,  3, 42, 15, 2, 0,  97, 24,   2,
                                     3, 0, 806, 15, 19, 1, 1,  5,  7, 99, 2,  1024, 12};
  EXPECT_EQ(std::vector<Tokens>(model.net.initial().begin(), model.net.initial().end()), expected);
  EXPECT_EQ(model.net.name(Place{25}), "p25");
}

TEST(Cspl, TakesParametersFromDefinesAndGlobals) {
  const std::string text = "#define N 3\nint M = 2;\n" + program("place(\"p\"); init(\"p\", N * 10 + M);");
  const Model model = cspl(text, {{"N", "5"}, {"M", "7"}});
  EXPECT_EQ(model.net.initial()[0], 57);
  ASSERT_EQ(model.parameters.size(), 2U);
  EXPECT_EQ(model.parameters[0].value, 5);
  EXPECT_EQ(model.parameters[1].name, "M");
  EXPECT_EQ(cspl_error(text, {{"n", "5"}}), "-D n=5: the model has no parameter 'n'; did you mean 'N'?");
  EXPECT_EQ(cspl_error(text, {{"N", "x"}}), "-D N=x: expected an integer");
}

TEST(Cspl, MakesGuardsOfFunctions) {
  const Net net = cspl(R"(
    int N = 2;
    int room() { return mark("p") + mark("q") < N; }
    int either() { if (mark("p") > 0) { if (mark("q") == 0) return 1; return 0; } else if (mark("q") >= 3) return 1; return 0; }
    int always() { return N == 2; }
    int single() { return mark("p") != 0 && !(mark("q") > 4); }
    int half() { return mark("p") / 2 == 1 && mark("q") < 2.5; }
    void net() {
      place("p"); place("q");
      rateval("a", 1); guard("a", room); rateval("b", 1); enabling("b", either); rateval("c", 1); guard("c", always);
      rateval("d", 1); guard("d", single); rateval("e", 1); guard("e", half);
    })")
                      .net;
  const auto guard = [&](std::uint32_t t) {
    return net.guard(Transition{t}) == nullptr ? "" : text_of(*net.guard(Transition{t}), net);
  };
  EXPECT_EQ(guard(0), "p + q < 2");
  EXPECT_EQ(guard(1), "p > 0 && q == 0 || p <= 0 && q >= 3");
  EXPECT_EQ(guard(2), "");
  EXPECT_EQ(guard(3), "");  // arcs say it as well
  EXPECT_EQ(net.pre(Transition{3})[0], (Arc{Place{0}, 1}));
  EXPECT_EQ(net.inhibitors(Transition{3})[0], (Arc{Place{1}, 5}));
  EXPECT_EQ(guard(4), "p / 2 == 1");
  EXPECT_EQ(net.inhibitors(Transition{4})[0], (Arc{Place{1}, 3}));
}

TEST(Cspl, MakesDefinitionsOfFunctionsAndAPropertyOfAssert) {
  const Model model = cspl(R"(
    double busy() { if (mark("p") > 1) return 1.0; else return 0.0; }
    int load() { return 2 * mark("p") + mark("q"); }
    double rate_of_t() { return 1.5 * mark("p"); }
    int can() { return enabled("t"); }
    int assert() { if (mark("p") > 3) return RES_ERROR; }
    void net() { place("p"); place("q"); ratefun("t", rate_of_t); iarc("t", "p"); })");
  ASSERT_EQ(model.definitions.size(), 3U);
  EXPECT_EQ(text_of(model.definitions[0].formula, model.net), "p > 1");
  EXPECT_EQ(text_of(model.definitions[1].number, model.net), "2 * p + q");
  EXPECT_EQ(text_of(model.definitions[2].formula, model.net), "fireable(t)");
  ASSERT_EQ(model.checks.size(), 1U);
  EXPECT_EQ(text_of(model.checks[0].formula, model.net), "AG p <= 3");
}

TEST(Cspl, FlushesAPlaceByAnArcWhoseWeightIsItsMarking) {
  // Three tokens go from p to q one by one; `flush` empties q whenever it likes, also where it is empty.
  const NaiveGraph graph = graph_of(R"(
    int all() { return mark("q"); }
    void net() {
      place("p"); init("p", 3); place("q"); place("done"); init("done", 1);
      rateval("t", 1); iarc("t", "p"); oarc("t", "q");
      rateval("flush", 1); viarc("flush", "q", all); iarc("flush", "done");
    })");
  EXPECT_EQ(graph.states(), 4U + 4U + 3U + 2U + 1U);  // before; after with p + q from 3 to 0
  EXPECT_EQ(graph.arcs, 3U + 4U + 6U);
}

TEST(Cspl, MovesAllTokensByTwoArcsOfOneWeight) {
  const NaiveGraph graph = graph_of(R"(
    int some() { if (mark("p") > 2) return 2; return mark("p"); }
    void net() {
      place("p"); init("p", 5); place("q");
      rateval("t", 1); viarc("t", "p", some); voarc("t", "q", some);
    })");
  EXPECT_EQ(graph.states(), 4U);  // 5, 3, 1, 0
  EXPECT_EQ(graph.arcs, 4U);      // the last one, of weight 0, leads back
}

TEST(Cspl, HaltingConditionMakesMarkingsAbsorbing) {
  const NaiveGraph graph = graph_of(R"(
    int more() { return mark("p") > 1; }
    void net() { place("p"); init("p", 4); rateval("t", 1); iarc("t", "p"); halting_condition(more); })");
  EXPECT_EQ(graph.states(), 4U);
  EXPECT_EQ(graph.deadlocks, 1U);
}

TEST(Cspl, LeavesOutVanishingMarkings) {
  const Net net = cspl(R"(
    void net() {
      place("idle"); init("idle", 2); place("choice"); place("left"); place("right");
      rateval("go", 1); iarc("go", "idle"); oarc("go", "choice");
      imm("l"); probval("l", 0.3); priority("l", 1); iarc("l", "choice"); oarc("l", "left");
      imm("r"); probval("r", 0.7); priority("r", 1); iarc("r", "choice"); oarc("r", "right");
      rateval("back", 1); iarc("back", "left"); oarc("back", "idle");
    })")
                      .net;
  EXPECT_EQ(names_of(net), (std::vector<std::string>{"go.l", "go.r", "back"}));
  EXPECT_FALSE(net.has_guards());
  const NaiveGraph graph = explore_naively(net);
  EXPECT_EQ(graph.states(), 6U);
  for (const auto& marking : graph.markings) EXPECT_EQ(marking[1], 0);
}

TEST(Cspl, KeepsVanishingMarkingsWhereTheFileSaysSo) {
  const std::string net = R"(
    void net() {
      place("p"); init("p", 1); place("q"); place("r");
      rateval("t", 1); iarc("t", "p"); oarc("t", "q"); rateval("slow", 1); iarc("slow", "q"); oarc("slow", "p");
      imm("i"); iarc("i", "q"); oarc("i", "r");
    })";
  EXPECT_EQ(graph_of(net).states(), 2U);
  EXPECT_EQ(graph_of("void options() { iopt(IOP_ELIMINATION, VAL_REDNEVER); }" + net).states(), 3U);
}

TEST(Cspl, BeginsBehindTheImmediateTransitionsOfTheInitialMarking) {
  const std::string net =
      "place(\"p\"); init(\"p\", 2); place(\"q\"); imm(\"i\"); iarc(\"i\", \"p\"); oarc(\"i\", \"q\");";
  EXPECT_EQ(cspl(program(net)).net.initial()[1], 2);
  const std::string second = "place(\"r\"); imm(\"j\"); iarc(\"j\", \"p\"); oarc(\"j\", \"r\");";
  EXPECT_NE(cspl_error(program(net + second))
                .find("m.cspl:1:51: immediate transitions lead from the initial marking to 3 "
                      "different ones: expected one to begin with"),
            std::string::npos)
      << cspl_error(program(net + second));
}

TEST(Cspl, RefusesImmediateTransitionsWithoutEnd) {
  const std::string text = R"(void net() { place("p"); place("q"); rateval("t", 1); oarc("t", "p");
imm("i"); iarc("i", "p"); oarc("i", "q");
imm("j"); iarc("j", "q"); oarc("j", "p"); })";
  EXPECT_EQ(cspl_error(text),
            "m.cspl:3:1: immediate transition 'j' cannot be left out: after 't' the sequences of immediate transitions "
            "are without end");
}

struct Refusal {
  const char* text;
  const char* error;
};

class CsplRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(CsplRefusal, NamesThePlaceAndWhatWasExpected) {
  EXPECT_EQ(cspl_error(GetParam().text), std::string("m.cspl:") + GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    , CsplRefusal,
    testing::Values(
        Refusal{"int x;", " no function 'net', which builds the net"},
        Refusal{"void net() {}", " the net has no place: expected at least one call of 'place'"},
        Refusal{"void net() { place(\"p\") }", "1:25: expected ';' after the statement, found '}'"},
        Refusal{"void net() {\n place(\"p\"); iarc(\"t\", \"p\"); }", "2:13: unknown transition 't'"},
        Refusal{"void net() { place(\"pool\"); rateval(\"t\", 1);\n  iarc(\"t\", \"pol\"); }",
                "2:3: unknown place 'pol'; did you mean 'pool'?"},
        Refusal{"void net() { place(\"p\"); place(\"p\"); }", "1:26: place 'p' is declared twice"},
        Refusal{"void net() { place(\"p\"); init(\"p\", 0 - 1); }",
                "1:26: place 'p' starts with -1 tokens: expected 0 or more"},
        Refusal{
            "void net() { while (1) ; }",
            "1:21: the program is still running after as many steps as it may take: expected an end to its loops and "
            "calls"},
        Refusal{"int f(int x) { return f(x + 1); }\nvoid net() { f(0); }",
                "1:23: 'f' is called more than 200 calls deep: expected an end to the recursion"},
        Refusal{"struct s { int x; };", "1:1: 'struct' is not supported"},
        Refusal{"void net() { int *p; }", "1:19: pointers to numbers are not supported: expected an array"},
        Refusal{"void net() { fplace(\"p\"); }",
                "1:14: 'fplace' is not supported: fluid places are no places of a net"},
        Refusal{"void net() { plase(\"p\"); }", "1:14: unknown function 'plase'; did you mean 'place'?"},
        Refusal{"int x = 1 / 0; void net() {}", "1:11: division by zero"},
        Refusal{"void net() { place(\"p\"); init(\"p\", y); }", "1:37: unknown name 'y'"},
        Refusal{"int a[2]; void net() { a[2] = 1; }", "1:25: index 2 is outside of the array: expected 0 to 1"},
        Refusal{"void net() { char s[3]; sprintf(s, \"abc\"); }",
                "1:25: 'sprintf' makes 3 characters: the array has room for 2"},
        Refusal{
            "int g; int f() { g = 1; return 1; }\nvoid net() { place(\"p\"); rateval(\"t\", 1); guard(\"t\", f); }",
            "1:18: global variable 'g' is changed where a marking is looked at: expected a function without effects"},
        Refusal{"int f() { return 0.5 * mark(\"p\") > 1; }\nvoid net() { place(\"p\"); rateval(\"t\", 1); guard(\"t\", "
                "f); }",
                "1:22: '*' of a number of tokens and 0.5 is not supported: expected whole numbers"},
        Refusal{"int f() { return mark(\"p\"); }\nvoid net() { place(\"p\"); rateval(\"t\", 1); oarc(\"t\", \"p\");\n"
                "  viarc(\"t\", \"p\", f); }",
                "3:3: the weight of an arc of transition 't' depends on the marking, and no bound is known for it: "
                "expected places that an invariant bounds"},
        Refusal{"void net() { if (mark(\"p\")) place(\"p\"); }",
                "1:18: 'mark' has no value while the net is built: expected it in a function that is given to guard, "
                "viarc ..."},
        Refusal{"void options() { iopt(IOP_MC, VAL_DTMC); }\nvoid net() {}",
                "1:18: a net in discrete time (VAL_DTMC), in which transitions fire together, is not supported"},
        Refusal{"#if 1\n#endif",
                "1:1: '#if' is not supported: expected #define, #undef, #ifdef, #ifndef, #else, #endif "
                "or #include"},
        Refusal{"#ifdef A\n", "1:1: expected '#endif' to close this"},
        Refusal{"/* ", "1:1: comment is never closed: expected '*/'"}));

TEST(Cspl, ReadsConditionalLines) {
  const Model model =
      cspl("#define A\n#ifdef A\n#define N 2\n#else\n#define N 3\n#endif\n#ifndef A\nint no such line;\n#endif\n" +
           program("place(\"p\"); init(\"p\", N);"));
  EXPECT_EQ(model.net.initial()[0], 2);
}

}  // namespace
}  // namespace dcheck::test
