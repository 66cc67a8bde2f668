// Models of ours in both languages, with every store, against counts, verdicts and bounds that closed forms and a plain
// explorer of another language gave (models/expected.json); and what judges the engine against the same.

#include "support/our_nets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "dcheck/parse/formula.hpp"
#include "support/reference_checker.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

constexpr double patience_seconds = 100;

/// What every run is asked for in the two tests below.
std::vector<std::vector<std::string>> ways_to_run() {
  std::vector<std::vector<std::string>> ways;
  for (const char* lanes : {"auto", "off"})
    for (const char* store : {"packed", "delta", "comback", "difference"})
      ways.push_back({"--lanes", lanes, "--store", store});
  return ways;
}

/// The report of a run that decided everything; null where there is none.
Json report_of(std::vector<std::string> arguments, const std::vector<std::string>& way) {
  arguments.insert(arguments.end(), way.begin(), way.end());
  arguments.insert(arguments.end(), {"--full", "--quiet", "--json", "-"});
  SCOPED_TRACE(command_line(arguments));
  const Outcome run = run_dcheck(arguments, patience_seconds);
  EXPECT_FALSE(run.timed_out);
  EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1) << "exit " << run.exit_code << ": " << run.err;
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded());
  return report.is_discarded() ? Json() : report;
}

void expect_counts(const Json& report, const Json& known) {
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report.at("complete"), true);
  for (const char* count : {"states", "arcs", "deadlocks", "max_tokens_in_place", "max_tokens_in_marking"})
    EXPECT_EQ(report.at(count), known.at(count)) << count;
}

class OurNets : public testing::TestWithParam<OurNet> {};

TEST_P(OurNets, HaveTheKnownCountsAndAnswersInPnml) {
  const OurNet& net = GetParam();
  for (const auto& way : ways_to_run()) {
    const Json report = report_of({net.pnml(), "--formulas", net.formulas()}, way);
    expect_counts(report, net.expected);
    std::map<std::string, Json> found;
    for (const Json& property : report.at("properties"))
      found[property.at("id")] = property.contains("bound") ? property.at("bound") : property.at("verdict");
    EXPECT_EQ(Json(found), net.expected.at("answers")) << testing::PrintToString(way);
  }
}

TEST_P(OurNets, HaveTheKnownCountsInOurLanguage) {
  const OurNet& net = GetParam();
  std::vector<std::string> arguments{net.spn()};
  for (const auto& [name, value] : net.parameters()) {
    arguments.push_back("-D");
    arguments.push_back(name + "=" + value);
  }
  for (const auto& way : ways_to_run()) expect_counts(report_of(arguments, way), net.expected);
}

/// `pm[1, 2]` of our language is `pm_1_2` in PNML.
std::string pnml_name(const std::string& name) {
  std::string result;
  for (const char c : name)
    if (c != ' ' && c != ']') result += c == '[' || c == ',' ? '_' : c;
  return result;
}

using NamedArcs = std::map<std::string, Tokens>;

NamedArcs named(const Net& net, std::span<const Arc> arcs) {
  NamedArcs result;
  for (const Arc& arc : arcs) result[pnml_name(net.name(arc.place))] = arc.weight;
  return result;
}

/// A net by names: its places with their tokens, its transitions with what they take, put and are inhibited by.
std::pair<NamedArcs, std::map<std::string, std::tuple<NamedArcs, NamedArcs, NamedArcs>>> by_names(const Net& net) {
  NamedArcs places;
  for (std::size_t p = 0; p < net.place_count(); ++p)
    places[pnml_name(net.name(static_cast<Place>(p)))] = net.initial()[p];
  std::map<std::string, std::tuple<NamedArcs, NamedArcs, NamedArcs>> transitions;
  for (std::size_t i = 0; i < net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    transitions[pnml_name(net.name(t))] = {named(net, net.pre(t)), named(net, net.post(t)),
                                           named(net, net.inhibitors(t))};
  }
  return {std::move(places), std::move(transitions)};
}

TEST_P(OurNets, AreTheSameInBothLanguages) {
  const OurNet& net = GetParam();
  const Net ours = read_model(net.spn(), net.parameters()).net;
  const Net pnml = read_model(net.pnml(), {}).net;
  EXPECT_FALSE(ours.has_guards());
  EXPECT_EQ(by_names(ours), by_names(pnml));
}

TEST_P(OurNets, HaveTheSameAnswersByTheReferenceChecker) {
  const OurNet& net = GetParam();
  const Model model = read_model(net.pnml(), {});
  const NaiveGraph graph = explore_naively(model.net, {.states = 100'000});
  ASSERT_TRUE(graph.is_complete());
  EXPECT_EQ(graph.states(), net.expected.at("states"));
  EXPECT_EQ(graph.arcs, net.expected.at("arcs"));
  EXPECT_EQ(graph.deadlocks, net.expected.at("deadlocks"));
  const std::vector<Property> properties = read_formulas(net.formulas(), model);
  EXPECT_EQ(properties.size(), net.expected.at("answers").size());
  for (const Property& property : properties) {
    const Json& known = net.expected.at("answers").at(property.id);
    if (!property.is_upper_bound) {
      EXPECT_EQ(satisfying_states(property.formula, model.net, graph)[0], known.get<bool>()) << property.id;
      continue;
    }
    Tokens most = 0;
    for (const auto& marking : graph.markings) most = std::max(most, value_naively(property.bound_of, marking));
    EXPECT_EQ(most, known.get<Tokens>()) << property.id;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, OurNets, testing::ValuesIn(our_nets()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace dcheck::test
