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

TEST(Unbounded, EndsWithThePlaceAndThePathThatShowsIt) {
  const TemporaryDirectory directory;
  const std::string model = directory.write("growing.spn",
                                            "place a init 1, b, heap;\n"
                                            "trans go   : a -> b;\n"
                                            "trans back : b -> a + heap;\n");
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
  EXPECT_NE(text.out.find("b 1->0"), std::string::npos) << text.out;
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

TEST(Verdicts, CtlThatIsNotDecidedYetIsUnknownWithAReason) {
  const auto [run, json] = run_for_json({model_path("kanban.spn"), "-D", "N=1", "--ctl", "AG EF initial"});
  EXPECT_EQ(run.exit_code, 3);
  EXPECT_TRUE(json.at("properties").at(0).at("verdict").is_null());
  EXPECT_EQ(json.at("properties").at(0).at("id"), "ctl-1");
  EXPECT_FALSE(json.at("properties").at(0).at("reason").get<std::string>().empty());
}

TEST(Output, AFullDiskIsExitThree) {
  const Outcome run =
      run_dcheck({model_path("kanban.spn"), "-D", "N=1", "--no-checks", "--quiet", "--json", "/dev/full"});
  EXPECT_EQ(run.exit_code, 3) << run.err;
  EXPECT_EQ(count_lines(run.err), 1U) << run.err;
}

}  // namespace
}  // namespace dcheck::test
