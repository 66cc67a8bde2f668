// Nets so large that planning is all the work: memory in proportion to the net, and limits that hold before the first
// state is fired.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

struct LargeNet {
  std::string name;
  std::string text;
  double nodes;  // places, transitions and arcs
};

std::vector<LargeNet> large_nets() {
  return {
      {"lone", "place p[1..200000];", 2e5},
      {"chain",
       "place p[1..200000];\nplace s init 1;\ntrans a : s -> p[1];\n"
       "for i in 1..199999 { trans t[i] : p[i] -> p[i+1]; }",
       8e5},
      {"pairs",
       "place a[1..80000] init 1, b[1..80000], c[1..80001];\nplace s init 1;\ntrans begin : s -> c[1];\n"
       "for i in 1..80000 { trans t[i] : a[i] + c[i] -> b[i] + c[i+1]; }",
       6.4e5},
      {"fan", "place p init 1;\nfor i in 1..200000 { trans t[i] : p -> p; }", 6e5},
      {"preset", "place p[1..200000] init 1;\nplace q;\ntrans t : (sum i in 1..200000 : p[i]) -> q;", 4e5},
      {"tokens", "place p[1..200000] init 5;", 2e5},
  };
}

struct Run {
  Outcome outcome;
  Json json;
};

Run run_large(const LargeNet& net, std::vector<std::string> arguments) {
  const TemporaryDirectory directory;
  arguments.insert(arguments.begin(), directory.write(net.name + ".spn", net.text));
  arguments.insert(arguments.end(), {"--quiet", "--max-states", "100", "--json", "-"});
  Outcome outcome = run_dcheck(arguments, 200);
  EXPECT_FALSE(outcome.timed_out) << command_line(arguments);
  Json json = Json::parse(outcome.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << command_line(arguments) << "\n" << outcome.err;
  return {std::move(outcome), std::move(json)};
}

double peak_bytes(const Json& json) {
  return json.at("memory").at("peak_rss_bytes_per_rank").at(0).get<double>();
}

TEST(LargeNets, TakeMemoryInProportionToTheirSize) {
  for (const LargeNet& net : large_nets()) {
    SCOPED_TRACE(net.name);
    const auto [outcome, json] = run_large(net, {});
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 3) << outcome.err;
    EXPECT_GE(json.at("states"), 1);
    EXPECT_LE(peak_bytes(json), 1024 * net.nodes + 64e6);
  }
}

TEST(LargeNets, AreTheSameWithoutLanesAndInEveryStore) {
  const LargeNet chain = large_nets().at(1);
  for (const std::vector<std::string>& choice : {std::vector<std::string>{"--lanes", "off"},
                                                 {"--store", "delta"},
                                                 {"--store", "comback"},
                                                 {"--store", "packed"}}) {
    SCOPED_TRACE(command_line(choice));
    const auto [outcome, json] = run_large(chain, choice);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_GE(json.at("states"), 100);
    EXPECT_LE(peak_bytes(json), 1024 * chain.nodes + 64e6);
  }
}

TEST(PlanningLimits, OfMemoryHold) {
  for (const LargeNet& net : large_nets()) {
    SCOPED_TRACE(net.name);
    const auto [outcome, json] = run_large(net, {"--max-memory", "200M"});
    EXPECT_LE(peak_bytes(json), 300e6);
    if (outcome.exit_code == 0) continue;
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
    EXPECT_EQ(outcome.err, "dcheck: stopped: " + json.at("stop_reason").get<std::string>() + "\n");
  }
}

TEST(PlanningLimits, OfTimeEndARunThatHasFiredNothing) {
  for (const LargeNet& net : large_nets()) {
    SCOPED_TRACE(net.name);
    const auto [outcome, json] = run_large(net, {"--max-time", "0.001", "--ctl", "EF deadlock"});
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
    EXPECT_NE(outcome.err.find("time limit of 0.001 s"), std::string::npos) << outcome.err;
    EXPECT_EQ(json.at("states"), 0);
    EXPECT_TRUE(json.at("properties").at(0).at("verdict").is_null());
  }
}

TEST(PlanningLimits, OfMemoryBelowTheNetItselfEndTheRunBeforeItIsPlanned) {
  const auto [outcome, json] = run_large(large_nets().at(2), {"--max-memory", "30M"});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_EQ(count_lines(outcome.err), 1U) << outcome.err;
  EXPECT_NE(outcome.err.find("memory limit"), std::string::npos) << outcome.err;
  EXPECT_EQ(json.at("states"), 0);
}

}  // namespace
}  // namespace dcheck::test
