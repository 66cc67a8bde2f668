// The graph for other programs: complete, and written by their rules.

#include "dcheck/export/export.hpp"

#include <gtest/gtest.h>

#include "dcheck/base/error.hpp"
#include "dcheck/explore/explore.hpp"
#include "dcheck/parse/model.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_case.hpp"
#include "support/random_net.hpp"
#include "support/random_rows.hpp"

namespace dcheck::test {
namespace {

std::string text_of(const ExportWriter& writer) {
  std::string text;
  writer([&](std::string_view piece) { text += piece; });
  return text;
}

/// All files of a format, the main one last.
std::vector<std::string> texts_of(const StateGraph& graph, ExportFormat format,
                                  const std::vector<StateLabel>& labels = {}) {
  std::vector<std::string> texts;
  for (const ExportWriter& writer : export_writers(graph, format, labels)) texts.push_back(text_of(writer));
  EXPECT_EQ(texts.size(), export_endings(format).size());
  return texts;
}

StateGraph graph_of(const Net& net, const ExploreOptions& options = {}, std::uint64_t most_states = 100'000) {
  const Explored explored = explore(net, analyse(net), options);
  Tokens most = 0;
  for (const Tokens tokens : explored.figures.max_tokens) most = std::max(most, tokens);
  return *gather_graph(*explored.space, explored.figures.states, most_states, most);
}

TEST(StateGraph, IsTheReferencesWhateverLanesAndStores) {
  std::size_t nets = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Dice dice(seed);
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {600, 100'000});
    if (!truth.is_complete()) continue;
    ++nets;
    ExploreOptions options;
    options.lanes = random_lanes(dice, net);
    options.levels = dice.one_in(3);
    choose_rows(dice, options);
    const StateGraph graph = graph_of(net, options);
    ASSERT_EQ(graph.state_count(), truth.states()) << "seed " << seed;
    ASSERT_EQ(graph.arc_count(), truth.arcs) << "seed " << seed;
    for (std::uint64_t state = 0; state < graph.state_count(); ++state) {
      const auto marking = graph.marking(state);
      ASSERT_EQ(std::vector<Tokens>(marking.begin(), marking.end()), truth.markings[state]) << "seed " << seed;
      const auto arcs = graph.arcs_of(state);
      ASSERT_EQ(arcs.size(), truth.successors[state].size()) << "seed " << seed;
      for (std::size_t i = 0; i < arcs.size(); ++i) {
        ASSERT_EQ(arcs[i].transition, truth.successors[state][i].transition) << "seed " << seed;
        ASSERT_EQ(arcs[i].target, truth.successors[state][i].target) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(nets, 150U);
}

TEST(StateGraph, MoreStatesThanAllowedAreRefusedByNumber) {
  const Model model = parse_spn("place a init 9; place b; trans t : a -> b;", "net.spn", {});
  try {
    graph_of(model.net, {}, 9);
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_STREQ(error.what(), "10 states are more than 9 (--export-states)");
  }
}

TEST(Export, PlacesAndTransitionsAreNamedAsInTheModel) {
  const Model model = parse_spn(
      "place pm[1..2]; place k init 2; trans enter rate 2.5 : k -> pm[1]; trans also rate 0.5 : k -> pm[1];"
      "trans on : pm[1] -> pm[2];",
      "net.spn", {});
  const StateGraph graph = graph_of(model.net);
  EXPECT_EQ(texts_of(graph, ExportFormat::aut).back(),
            "des (0, 9, 6)\n(0, \"enter\", 1)\n(0, \"also\", 1)\n(1, \"enter\", 2)\n(1, \"also\", 2)\n(1, \"on\", 3)\n"
            "(2, \"on\", 4)\n(3, \"enter\", 4)\n(3, \"also\", 4)\n(4, \"on\", 5)\n");
  const std::string dot = texts_of(graph, ExportFormat::dot).back();
  EXPECT_NE(dot.find("  0 [label=\"k 2\", peripheries=2];\n  0 -> 1 [label=\"enter\"];\n"), std::string::npos) << dot;
  EXPECT_NE(dot.find("  1 [label=\"pm[1], k\"];\n"), std::string::npos) << dot;
  const auto tables = texts_of(graph, ExportFormat::csv);
  EXPECT_EQ(tables.front().rfind("state,pm[1],pm[2],k\n0,0,0,2\n1,1,0,1\n", 0), 0U) << tables.front();
  EXPECT_EQ(tables.back().rfind("source,transition,target,rate\n0,enter,1,2.5\n0,also,1,0.5\n", 0), 0U)
      << tables.back();
}

TEST(Export, RatesOfParallelArcsAreAddedUpAndLabelsFollowEachReadersRules) {
  const Model model = parse_spn(
      "place a[1..1] init 1; place b; trans go rate 2.5 : a[1] -> b; trans too rate 0.5 : a[1] -> b;", "net.spn", {});
  const StateGraph graph = graph_of(model.net);
  const auto in_b = Expression::of(Expression::Kind::equal,
                                   {Expression::tokens_in(*model.net.find_place("b")), Expression::constant_of(1)});
  const std::vector<StateLabel> labels{{"in b", in_b}};
  const auto prism = texts_of(graph, ExportFormat::prism, labels);
  EXPECT_EQ(prism[0], "(a_1,b)\n0:(1,0)\n1:(0,1)\n");
  EXPECT_EQ(prism[1], "0=\"init\" 1=\"deadlock\" 2=\"in_b\"\n0: 0\n1: 1 2\n");
  EXPECT_EQ(prism[2], "2 1\n0 1 3\n");
  const auto mrmc = texts_of(graph, ExportFormat::mrmc, labels);
  EXPECT_EQ(mrmc[0], "#DECLARATION\ninit deadlock in_b\n#END\n1 init\n2 deadlock in_b\n");
  EXPECT_EQ(mrmc[1], "STATES 2\nTRANSITIONS 1\n1 2 3\n");
  const auto storm = texts_of(graph, ExportFormat::storm, labels);
  EXPECT_EQ(storm[0], "#DECLARATION\ninit deadlock in_b\n#END\n0 init\n1 deadlock in_b\n");
  EXPECT_EQ(storm[1], "ctmc\n0 1 3\n");
}

TEST(Export, NamesThatWouldBreakAFileAreEscaped) {
  const Model model = parse_spn("place \"a,b\" init 1; trans \"say {x}; é\" : \"a,b\" -> ;", "net.spn", {});
  const StateGraph graph = graph_of(model.net);
  EXPECT_EQ(texts_of(graph, ExportFormat::aut).back(), "des (0, 1, 2)\n(0, \"say {x}; \\xc3\\xa9\", 1)\n");
  EXPECT_EQ(texts_of(graph, ExportFormat::csv).front(), "state,\"a,b\"\n0,1\n1,0\n");
  EXPECT_EQ(texts_of(graph, ExportFormat::prism)[0], "(a_b)\n0:(1)\n1:(0)\n");
}

}  // namespace
}  // namespace dcheck::test
