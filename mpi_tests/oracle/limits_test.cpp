// Runs that cannot end: unbounded nets and limits. Exit 3, with what was found out.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

constexpr double patience_seconds = 100;

struct JsonRun {
  Outcome run;
  Json json;
};

JsonRun run_for_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--quiet", "--json", "-"});
  SCOPED_TRACE(command_line(arguments));
  Outcome run = run_dcheck(arguments, patience_seconds);
  EXPECT_FALSE(run.timed_out);
  Json json = Json::parse(run.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << run.out << run.err;
  return {std::move(run), std::move(json)};
}

constexpr const char* growing =
    "place a init 1, b, heap;\n"
    "trans go   : a -> b;\n"
    "trans back : b -> a + heap;\n";

void expect_unknown(const Json& property, const std::string& because) {
  EXPECT_TRUE(property.at("verdict").is_null()) << property;
  EXPECT_NE(property.at("reason").get<std::string>().find(because), std::string::npos) << property;
}

TEST(Unbounded, EndsWithThePlaceAndThePathThatShowsIt) {
  const TemporaryDirectory directory;
  const std::string model = directory.write("growing.spn", growing);
  const auto [run, json] = run_for_json({model, "--no-checks"});
  EXPECT_EQ(run.exit_code, 3) << run.err;
  EXPECT_EQ(json.at("complete"), false);
  ASSERT_TRUE(json.at("unbounded").is_object()) << json.dump(1);
  EXPECT_EQ(json.at("unbounded").at("place"), "heap");
  const Json& pump = json.at("unbounded").at("pump");
  ASSERT_EQ(pump.size(), 2U) << json.dump(1);
  EXPECT_EQ(pump.at(1).at("transition"), pump.at(0).at("transition") == "go" ? "back" : "go");
  const Outcome text = run_dcheck({model, "--no-checks", "--quiet"}, patience_seconds);
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_NE(text.out.find("unbounded: heap"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("b 1 -> 0"), std::string::npos) << text.out;
}

TEST(Unbounded, WithAnInhibitorArcTheLimitNamesTheWidestPlace) {
  const TemporaryDirectory directory;
  const std::string model = directory.write("inhibited.spn",
                                            "place a init 1, brake, heap;\n"
                                            "trans grow inhibit brake : a -> a + heap;\n");
  const auto [run, json] = run_for_json({model, "--no-checks", "--max-states", "100000"});
  EXPECT_EQ(run.exit_code, 3) << run.err;
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_TRUE(json.at("unbounded").is_null());
  EXPECT_NE(json.at("stop_reason").get<std::string>().find("heap"), std::string::npos) << json.at("stop_reason");
  EXPECT_EQ(run.err, "dcheck: stopped: " + json.at("stop_reason").get<std::string>() + "\n");
}

TEST(Limits, EachOneStopsCleanlyAndIsNamed) {
  const std::vector<std::pair<std::string, std::string>> limits{
      {"--max-states", "1000"}, {"--max-time", "0.2"}, {"--max-memory", "60M"}};
  for (const auto& [option, value] : limits) {
    const auto [run, json] =
        run_for_json({model_path("kanban.spn"), "-D", "N=8", "--lanes", "off", "--no-checks", option, value});
    EXPECT_EQ(run.exit_code, 3) << option << ": " << run.err;
    EXPECT_EQ(json.at("complete"), false) << option;
    EXPECT_FALSE(json.at("stop_reason").get<std::string>().empty()) << option;
    EXPECT_GT(json.at("states"), 0) << option;
    EXPECT_EQ(count_lines(run.err), 1U) << run.err;
  }
}

TEST(Limits, AMemoryLimitIsKept) {
  const auto [run, json] =
      run_for_json({model_path("kanban.spn"), "-D", "N=8", "--lanes", "off", "--no-checks", "--max-memory", "100M"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_LT(json.at("memory").at("peak_rss_bytes_per_rank").at(0).get<double>(), 115.0 * (1 << 20));
}

TEST(Limits, ADeadlockSeenBeforeTheLimitIsAVerdict) {
  const TemporaryDirectory directory;
  const std::string model = directory.write("dies.spn",
                                            "place a init 1, brake, heap;\n"
                                            "trans die  : a -> ;\n"
                                            "trans grow inhibit brake : a -> a + heap;\n");
  const auto [run, json] = run_for_json({model, "--deadlock", "--max-states", "1000"});
  EXPECT_EQ(json.at("properties").at(0).at("verdict"), true) << json.dump(1);
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(Verdicts, DecideTheExitCode) {
  const std::string kanban = model_path("kanban.spn"), philosophers = model_path("philosophers.spn");
  EXPECT_EQ(run_for_json({kanban, "-D", "N=2", "--no-checks"}).run.exit_code, 0);
  EXPECT_EQ(run_for_json({kanban, "-D", "N=2", "--deadlock"}).run.exit_code, 1);
  EXPECT_EQ(run_for_json({kanban, "-D", "N=2", "--ctl", "AG !deadlock"}).run.exit_code, 0);
  EXPECT_EQ(run_for_json({philosophers, "-D", "N=4", "--deadlock"}).run.exit_code, 0);
  EXPECT_EQ(run_for_json({philosophers, "-D", "N=4", "--ctl", "AG !deadlock"}).run.exit_code, 1);
}

/// As many formulas as it takes to be far from done after `--max-time`; all hold from 6 cards on.
std::string many_formulas() {
  std::string text;
  for (int cell = 1; cell <= 4; ++cell)
    for (int other = 1; other <= 4; ++other)
      for (int most = 0; most < 100; ++most) {
        const std::string number = std::to_string(most % 6), sum = std::to_string(1 + most / 6);
        text += "f" + std::to_string(cell) + "_" + std::to_string(other) + "_" + std::to_string(most) + ": AG EF (pm[" +
                std::to_string(cell) + "] <= " + number + " && pm[" + std::to_string(other) + "] + pout[" +
                std::to_string(cell) + "] <= " + sum + ");\n";
      }
  return text;
}

TEST(CheckLimits, TimeThatRunsOutAfterTheExplorationLeavesTheRestUnknown) {
  const TemporaryDirectory directory;
  const std::string formulas = directory.write("many.ctl", many_formulas());
  const auto [run, json] =
      run_for_json({model_path("kanban.spn"), "-D", "N=6", "--formulas", formulas, "--max-time", "3"});
  EXPECT_EQ(run.exit_code, 3) << run.err;
  ASSERT_EQ(json.at("complete"), true) << "this machine is too slow for this test: " << json.at("stop_reason");
  std::size_t unknown = 0;
  for (const Json& property : json.at("properties")) {
    EXPECT_TRUE(property.at("verdict") == true || property.at("verdict").is_null()) << property;
    if (!property.at("verdict").is_null()) continue;
    ++unknown;
    EXPECT_NE(property.at("reason").get<std::string>().find("time limit"), std::string::npos) << property;
  }
  EXPECT_GT(unknown, 0U);
  EXPECT_EQ(run.err, "dcheck: stopped while checking: the time limit of 3 s (--max-time) was reached\n");
  EXPECT_LT(json.at("seconds").at("total").get<double>(), 10);
}

/// A set of states for each of its parts at once.
std::string formula_of_many_sets() {
  std::string parts;
  for (int cell = 1; cell <= 4; ++cell)
    for (int tokens = 1; tokens <= 6; ++tokens)
      parts += std::string(parts.empty() ? "" : " && ") + "EF (pm[" + std::to_string(cell) +
               "] >= " + std::to_string(tokens) + " && pm[" + std::to_string(cell % 4 + 1) +
               "] <= " + std::to_string(tokens) + ")";
  return "AG (" + parts + ")";
}

TEST(CheckLimits, MemoryThatRunsOutAfterTheExplorationLeavesTheVerdictUnknown) {
  const std::vector<std::string> kanban{model_path("kanban.spn"), "-D", "N=7"};
  std::vector<std::string> explore_only = kanban, check = kanban;
  explore_only.push_back("--no-checks");
  const Json explored = run_for_json(explore_only).json;
  ASSERT_EQ(explored.at("complete"), true);
  const auto enough = explored.at("memory").at("peak_rss_bytes_per_rank").at(0).get<std::uint64_t>() + (16U << 20U);
  check.insert(check.end(), {"--ctl", formula_of_many_sets(), "--max-memory", std::to_string(enough)});
  const auto [run, json] = run_for_json(check);
  EXPECT_EQ(run.exit_code, 3) << run.err;
  EXPECT_EQ(json.at("complete"), true) << json.at("stop_reason");
  expect_unknown(json.at("properties").at(0), "memory limit");
  EXPECT_LT(json.at("memory").at("peak_rss_bytes_per_rank").at(0).get<double>(),
            static_cast<double>(enough) + (16U << 20U));
}

TEST(CheckLimits, AGraphThatTakesTheMemoryIsGivenUpAndTheRestIsDecidedWithoutIt) {
  const auto check = [](int mebibytes, const char* graph) {
    return run_for_json({model_path("kanban.spn"), "-D", "N=6", "--lanes", "pm[1],pout[1],pkan[1]", "--local", "off",
                         "--ctl", "EF pm[1] == 6", "--ctl", "AG EF initial", "--ctl", "AF pm[1] == 1", "--ctl",
                         "E[pm[1] < 3 U pm[2] == 5]", "--max-memory", std::to_string(mebibytes) + "M", "--graph",
                         graph})
        .json;
  };
  const auto open = [](const Json& json) {
    return std::ranges::count_if(json.at("properties"), [](const Json& p) { return p.at("verdict").is_null(); });
  };
  std::size_t given_up = 0, decided = 0;
  for (int mebibytes = 28; mebibytes <= 60; mebibytes += 2) {
    SCOPED_TRACE(mebibytes);
    const Json without = check(mebibytes, "off"), with = check(mebibytes, "auto");
    EXPECT_LE(open(with), open(without));
    decided += open(with) == 0 ? 1 : 0;
    const Json& graph = with.at("labels").at("graph");
    given_up += graph.is_object() && graph.at("why").get<std::string>().starts_with("it was given up") ? 1 : 0;
  }
  EXPECT_GT(given_up, 0U);
  EXPECT_GT(decided, 0U);
}

TEST(CheckLimits, AWitnessThatMemoryDoesNotSufficeForIsMissingWithAReasonAndNothingCrashes) {
  for (const char* memory : {"5M", "6M", "6100K", "6500K", "7M", "8M", "9M", "12M"}) {
    const auto [run, json] = run_for_json({model_path("kanban.spn"), "-D", "N=5", "--witness", "--max-memory", memory,
                                           "--ctl", "EF pm[1] == 4", "--ctl", "AG EF initial"});
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 3) << memory << ": " << run.exit_code << " " << run.err;
    for (const Json& property : json.at("properties")) EXPECT_NE(property.at("verdict"), false) << memory;
  }
}

TEST(CheckLimits, ABoundThatLeaves64BitsIsUnknownNotWrong) {
  const TemporaryDirectory directory;
  const std::string model =
      directory.write("big.spn", "place a init 3298534883328, b;\ntrans t : 1099511627776*a -> 1099511627776*b;\n");
  const auto [run, json] = run_for_json({model, "--ctl", "bound(10000000 * b)", "--ctl", "bound(1000 * b)"});
  EXPECT_TRUE(json.at("properties").at(0).at("bound").is_null()) << json.at("properties");
}

TEST(CheckLimits, NestedNextOnAWideNetMeetsTheTimeLimit) {
  const TemporaryDirectory directory;
  const std::string model = directory.write(
      "wide.spn", "place p[1..300] init 1, q[1..300];\nfor i in 1..300 { trans t[i] : p[i] -> q[i]; }\n");
  const auto [run, json] = run_for_json({model, "--max-time", "1", "--ctl", "EX EX EX q[1] + q[2] + q[3] + q[4] == 4"});
  expect_unknown(json.at("properties").at(0), "time limit");
  EXPECT_LT(json.at("seconds").at("total").get<double>(), 10);
}

TEST(Verdicts, OfAnUnboundedNetAreThoseThatAPartOfItShows) {
  const TemporaryDirectory directory;
  const std::string model = directory.write("growing.spn", growing);
  const auto verdict_and_exit = [&](const std::string& formula) {
    const auto [run, json] = run_for_json({model, "--ctl", formula});
    return std::pair(json.at("properties").at(0).at("verdict"), run.exit_code);
  };
  EXPECT_EQ(verdict_and_exit("EF heap >= 5"), std::pair(Json(true), 0));
  EXPECT_EQ(verdict_and_exit("AG heap < 3"), std::pair(Json(false), 1));
  EXPECT_EQ(verdict_and_exit("EF b == 2"), std::pair(Json(false), 1));  // by an invariant
  const auto [run, json] = run_for_json({model, "--ctl", "AG EF initial"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_EQ(json.at("complete"), false);
  expect_unknown(json.at("properties").at(0), "heap");
}

TEST(Verdicts, OfANetWithoutTransitionsAreThoseOfADeadlock) {
  const TemporaryDirectory directory;
  std::vector<std::string> arguments{directory.write("still.spn", "place a init 2, b;\n"), "--full"};
  const std::vector<std::pair<std::string, bool>> known{{"EF deadlock", true},
                                                        {"AG EF initial", true},
                                                        {"AX false", true},
                                                        {"EX true", false},
                                                        {"AF b == 1", false},
                                                        {"EG a == 2", true},
                                                        {"A[ a == 2 U b == 1 ]", false}};
  for (const auto& [formula, verdict] : known) arguments.insert(arguments.end(), {"--ctl", formula});
  const auto [run, json] = run_for_json(arguments);
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_EQ(json.at("states"), 1);
  EXPECT_EQ(json.at("arcs"), 0);
  EXPECT_EQ(json.at("deadlocks"), 1);
  for (std::size_t i = 0; i < known.size(); ++i)
    EXPECT_EQ(json.at("properties").at(i).at("verdict"), known[i].second) << known[i].first;
}

}  // namespace
}  // namespace dcheck::test
