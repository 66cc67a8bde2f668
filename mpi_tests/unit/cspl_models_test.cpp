// The models in CSPL are the nets of their .spn versions, and damage to them is read or refused.

#include <fstream>
#include <iterator>
#include <map>

#include "support/naive_explorer.hpp"
#include "support/paths.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

std::string text_of_model(const std::string& name) {
  std::ifstream file(source_dir() + "/models/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Arcs and tokens without names: what each transition does, in any order.
std::multiset<std::string> shape_of(const Net& net) {
  // A place is known by its name without brackets; cspl and spn call transitions differently.
  const auto name = [&](Place p) {
    std::string plain;
    for (const char c : net.name(p))
      if (c != '[' && c != ']') plain += c;
    return plain;
  };
  std::multiset<std::string> shape;
  for (const Place p : FirstIds<Place>(net.place_count()))
    shape.insert("place " + name(p) + " " + std::to_string(net.initial()[index(p)]));
  for (const Transition t : FirstIds<Transition>(net.transition_count())) {
    std::string text;
    for (const auto& arcs : {net.pre(t), net.post(t), net.inhibitors(t)}) {
      std::set<std::string> sorted;
      for (const Arc& arc : arcs) sorted.insert(std::to_string(arc.weight) + "*" + name(arc.place));
      for (const std::string& arc : sorted) text += arc + " ";
      text += "; ";
    }
    shape.insert(text);
  }
  return shape;
}

Model cspl_model(const std::string& name, const ParameterTexts& parameters) {
  return parse_cspl(text_of_model(name), name, parameters);
}

TEST(CsplModels, AreTheNetsOfTheirVersionsInOurLanguage) {
  for (const char* name : {"kanban", "philosophers"}) {
    for (const char* size : {"1", "2", "4", "7"}) {
      const Model ours = parse_spn(text_of_model(name + std::string(".spn")), name, {{"N", size}});
      const Model other = cspl_model(name + std::string(".cspl"), {{"N", size}});
      EXPECT_EQ(shape_of(other.net), shape_of(ours.net)) << name << size;
      EXPECT_EQ(other.parameters.back().name, "N");
    }
  }
}

TEST(CsplModels, HaveTheKnownCounts) {
  const std::map<std::string, std::array<std::size_t, 4>> kanban{{"1", {160, 616}}, {"2", {4'600, 28'120}}};
  for (const auto& [size, counts] : kanban) {
    const NaiveGraph graph = explore_naively(cspl_model("kanban.cspl", {{"N", size}}).net);
    EXPECT_EQ(graph.states(), counts[0]);
    EXPECT_EQ(graph.arcs, counts[1]);
    EXPECT_EQ(graph.deadlocks, 0U);
  }
  const Model model = cspl_model("philosophers.cspl", {{"N", "4"}});
  const NaiveGraph graph = explore_naively(model.net);
  EXPECT_EQ(graph.states(), 322U);  // Lucas(12)
  EXPECT_EQ(graph.deadlocks, 2U);
}

TEST(CsplModels, HaveTheirFunctionsAsDefinitions) {
  const Model ours = parse_spn(text_of_model("philosophers.spn"), "m", {{"N", "4"}});
  const Model model = cspl_model("philosophers.cspl", {{"N", "4"}});
  ASSERT_EQ(model.definitions.size(), 1U);
  EXPECT_EQ(model.definitions[0].name, "eating");
  std::size_t eating = 0;
  const NaiveGraph graph = explore_naively(model.net);
  for (const auto& marking : graph.markings)
    eating += holds_naively(model.definitions[0].formula.predicate, model.net, marking) ? 1 : 0;
  const NaiveGraph our_graph = explore_naively(ours.net);
  std::size_t expected = 0;
  for (const auto& marking : our_graph.markings)
    expected += holds_naively(ours.definitions[0].formula.predicate, ours.net, marking) ? 1 : 0;
  EXPECT_EQ(eating, expected);
  EXPECT_TRUE(model.checks.empty());
  EXPECT_EQ(cspl_model("kanban.cspl", {}).checks.size(), 1U);
}

TEST(CsplModels, DamagedFilesAreReadOrRefusedWithAPosition) {
  std::mt19937 random(1);
  std::size_t read = 0, refused = 0;
  for (const char* name : {"kanban.cspl", "philosophers.cspl"}) {
    const std::string original = text_of_model(name);
    for (int round = 0; round < 300; ++round) {
      std::string text = original;
      for (int edits = 1 + round % 3; edits > 0; --edits) mutate(text, random);
      const std::string error = input_error_of([&] { parse_cspl(text, "m.cspl", {}); });
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
      EXPECT_TRUE(error.empty() || error.starts_with("m.cspl:")) << error;
      ++(error.empty() ? read : refused);
    }
  }
  EXPECT_GT(read, 0U);
  EXPECT_GT(refused, 0U);
}

}  // namespace
}  // namespace dcheck::test
