// dcheck alone, and signals: it stops with a report of what was reached, and exits with 128 + the signal.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

constexpr double patience_seconds = 100;

struct Stop {
  int signal;
  const char* name;
};

class Signals : public testing::TestWithParam<Stop> {
 protected:
  /// Stopped once stderr shows that it is in this phase.
  static Json stopped(std::vector<std::string> arguments, const std::string& phase) {
    arguments.insert(arguments.end(), {"--json", "-"});
    const auto is_time = [&](const std::string& err) { return err.find(phase) != std::string::npos; };
    const Outcome run = run_and_signal(arguments, GetParam().signal, is_time, patience_seconds);
    EXPECT_FALSE(run.timed_out) << run.err;
    EXPECT_EQ(run.exit_code, 128 + GetParam().signal) << run.err;
    const std::string name = GetParam().name;
    EXPECT_NE(run.err.find("dcheck: " + name + ": stopping; another signal ends the run at once\n"), std::string::npos);
    EXPECT_NE(run.err.find("dcheck: stopped by " + name + " after "), std::string::npos) << run.err;
    Json json = Json::parse(run.out, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << run.out << run.err;
    return json;
  }
  static void expect_unknown(const Json& property) {
    EXPECT_TRUE(property.at("verdict").is_null()) << property;
    const std::string reason = property.at("reason");
    EXPECT_NE(reason.find(std::string("stopped by ") + GetParam().name), std::string::npos) << reason;
  }
};

TEST_P(Signals, WhileExploringLeaveWhatIsProvenAndTheRestUnknown) {
  const Json json = stopped({model_path("kanban.spn"), "-D", "N=8", "--lanes", "off", "--full", "--ctl",
                             "EF pm[1] == 0", "--ctl", "AG pm[1] > 0", "--ctl", "AG EF initial"},
                            "exploring");
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_GT(json.at("states"), 1000);
  EXPECT_EQ(json.at("properties").at(0).at("verdict"), true);
  EXPECT_EQ(json.at("properties").at(1).at("verdict"), false);
  expect_unknown(json.at("properties").at(2));
}

TEST_P(Signals, WhileCheckingLeaveTheCountsAndVerdictsThatAreThere) {
  std::vector<std::string> arguments{model_path("kanban.spn"), "-D",    "N=4",           "--lanes", "off",
                                     "--sat-counts",           "--ctl", "EF pm[1] == 0", "--graph", "off"};
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j)
      for (int k = 0; k < 5; ++k)
        arguments.insert(arguments.end(), {"--ctl", "AG EF (pm[1] == " + std::to_string(i) + " && pm[2] == " +
                                                        std::to_string(j) + " && pm[3] == " + std::to_string(k) + ")"});
  const Json json = stopped(arguments, "checking property");
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(json.at("states"), 454'475);
  EXPECT_EQ(json.at("properties").at(0).at("verdict"), true);
  expect_unknown(json.at("properties").back());
}

TEST_P(Signals, BeforeAnythingIsExploredEndTheRunWithALine) {
  const TemporaryDirectory directory;
  const std::string model = directory.path() / "slow.spn";
  ASSERT_EQ(mkfifo(model.c_str(), 0600), 0);
  int pipe = -1;
  const auto is_being_read = [&](const std::string&) {
    if (pipe < 0) pipe = open(model.c_str(), O_WRONLY | O_NONBLOCK);
    return pipe >= 0;
  };
  const Outcome run = run_and_signal({model, "--no-checks"}, GetParam().signal, is_being_read, patience_seconds);
  close(pipe);
  EXPECT_FALSE(run.timed_out);
  EXPECT_EQ(run.exit_code, 128 + GetParam().signal) << run.err;
  EXPECT_EQ(run.err, std::string("dcheck: ") + GetParam().name + ": stopped before anything was explored\n");
  EXPECT_EQ(run.out, "");
}

INSTANTIATE_TEST_SUITE_P(Each, Signals,
                         testing::Values(Stop{SIGINT, "SIGINT"}, Stop{SIGTERM, "SIGTERM"}, Stop{SIGHUP, "SIGHUP"}),
                         [](const auto& stop) { return std::string(stop.param.name); });

}  // namespace
}  // namespace dcheck::test
