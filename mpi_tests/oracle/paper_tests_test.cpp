// Paper five's six tests by name against its tables: iterations and satisfying states, one rank, without lanes as in
// the paper and with them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

/// The report's "test"; null where there is none.
Json tested(const std::string& model, int n, const std::string& test, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{model_path(model), "-D", "N=" + std::to_string(n), "--test", test};
  arguments.insert(arguments.end(), more.begin(), more.end());
  arguments.insert(arguments.end(), {"--quiet", "--json", "-"});
  SCOPED_TRACE(command_line(arguments));
  const Outcome run = run_dcheck(arguments, 500);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded());
  if (report.is_discarded()) return {};
  EXPECT_EQ(report.at("complete"), true);
  EXPECT_EQ(report.at("properties"), Json::array());
  return report.at("test");
}

void expect_test(const Json& test, std::uint64_t iterations, std::uint64_t sat_states) {
  ASSERT_TRUE(test.is_object());
  EXPECT_EQ(test.at("iterations"), iterations) << test;
  EXPECT_EQ(test.at("sat_states"), sat_states) << test;
}

const std::vector<std::uint64_t> kanban_states{160, 4'600, 58'400, 454'475, 2'546'432};

class KanbanTests : public testing::TestWithParam<std::string> {};

TEST_P(KanbanTests, TakeAsManyIterationsAsThePaperSays) {
  const std::vector<std::string> lanes{"--lanes", GetParam()};
  for (int n = 1; n <= 5; ++n) {
    const std::uint64_t states = kanban_states[static_cast<std::size_t>(n - 1)];
    const auto steps = 18 * static_cast<std::uint64_t>(n);
    expect_test(tested("kanban.spn", n, "S-EU", lanes), steps + 1, states);
    // EX over all states again and again: with more tokens only where rows have lanes.
    if (n <= (GetParam() == "off" ? 4 : 5)) expect_test(tested("kanban.spn", n, "B-EX", lanes), steps, states);
    if (n <= (GetParam() == "off" ? 3 : 4)) expect_test(tested("kanban.spn", n, "F-EX", lanes), steps, states);
    EXPECT_EQ(tested("kanban.spn", n, "O-EU", lanes).at("sat_states"), states);
  }
  expect_test(tested("kanban.spn", 3, "S-EU", {"--lanes", GetParam(), "--levels"}), 55, 58'400);
}

INSTANTIATE_TEST_SUITE_P(Lanes, KanbanTests, testing::Values("off", "auto"));

struct Dinner {
  int n;
  std::uint64_t states, eating, af_eating;
};

class PhilosophersTests : public testing::TestWithParam<Dinner> {};

TEST_P(PhilosophersTests, TakeAsManyIterationsAndFindAsManyStatesAsThePaperSays) {
  const auto& [n, states, eating, af_eating] = GetParam();
  const std::string model = "philosophers.spn";
  const auto steps = 3 * static_cast<std::uint64_t>(n);
  expect_test(tested(model, n, "B-EX"), steps + 1, states - 2);
  expect_test(tested(model, n, "S-EU"), steps + 1, states - 2);
  EXPECT_EQ(tested(model, n, "O-EU").at("sat_states"), states - 2);
  for (const std::string au : {"count", "query"}) {
    const Json test = tested(model, n, "AU", {"--au", au});
    EXPECT_EQ(test.at("eating_states"), eating);
    EXPECT_EQ(test.at("sat_states"), af_eating);
  }
  EXPECT_EQ(tested(model, n, "AG").at("sat_states"), 2);
}

INSTANTIATE_TEST_SUITE_P(Table6, PhilosophersTests,
                         testing::Values(Dinner{8, 103'682, 66'048, 90'816}, Dinner{9, 439'204, 298'752, 400'350},
                                         Dinner{10, 1'860'498, 1'336'324, 1'743'424},
                                         Dinner{11, 7'881'196, 5'924'952, 7'528'950}),
                         [](const auto& test) { return std::to_string(test.param.n); });

TEST(PhilosophersWithoutLanes, TakeThePapersIterationsToo) {
  expect_test(tested("philosophers.spn", 8, "B-EX", {"--lanes", "off"}), 25, 103'680);
  const Json test = tested("philosophers.spn", 8, "AU", {"--lanes", "off"});
  EXPECT_EQ(test.at("sat_states"), 90'816);
  EXPECT_TRUE(test.at("iterations").is_number());
}

TEST(PaperTest, WithoutEatingIsOneLineAndExit2) {
  for (const std::string test : {"AU", "AG"}) {
    const Outcome run = run_dcheck({model_path("kanban.spn"), "-D", "N=1", "--test", test});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(count_lines(run.err), 1U) << run.err;
    EXPECT_NE(run.err.find("eating"), std::string::npos) << run.err;
  }
}

TEST(PaperTest, AskedTogetherWithAPropertyIsExit2) {
  const Outcome run = run_dcheck({model_path("kanban.spn"), "--test", "B-EX", "--ctl", "EF initial"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(count_lines(run.err), 1U) << run.err;
}

TEST(PaperTest, StoppedByALimitIsExit3) {
  const Outcome run = run_dcheck({model_path("kanban.spn"), "-D", "N=4", "--lanes", "off", "--test", "F-EX",
                                  "--max-time", "1", "--quiet", "--json", "-"});
  EXPECT_EQ(run.exit_code, 3);
  const Json test = Json::parse(run.out).at("test");
  EXPECT_TRUE(test.at("sat_states").is_null());
  EXPECT_NE(test.at("reason").get<std::string>().find("time limit"), std::string::npos) << test;
}

}  // namespace
}  // namespace dcheck::test
