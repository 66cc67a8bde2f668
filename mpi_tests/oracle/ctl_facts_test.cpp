// How many states satisfy a formula, where papers and closed forms say it; and formulas with a slip in them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

/// Runs with --sat-counts and returns the report; null where there is none.
Json counted(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--sat-counts", "--quiet", "--json", "-"});
  SCOPED_TRACE(command_line(arguments));
  const Outcome run = run_dcheck(arguments, 300);
  EXPECT_FALSE(run.timed_out);
  const Json report = Json::parse(run.out, nullptr, false);
  EXPECT_FALSE(report.is_discarded()) << "exit " << run.exit_code << ": " << run.err;
  return report.is_discarded() ? Json() : report;
}

void expect_property(const Json& report, std::size_t number, bool verdict, std::uint64_t sat_states) {
  const Json& property = report.at("properties").at(number);
  EXPECT_EQ(property.at("id"), "ctl-" + std::to_string(number + 1));
  EXPECT_EQ(property.at("verdict"), verdict) << property.at("formula");
  EXPECT_EQ(property.at("sat_states"), sat_states) << property.at("formula");
}

struct Dinner {
  int n;
  std::uint64_t states, eating, af_eating;
  std::string lanes;
};

class Philosophers : public testing::TestWithParam<Dinner> {};

TEST_P(Philosophers, SatisfyEachFormulaInAsManyStatesAsThePaperSays) {
  const Dinner& dinner = GetParam();
  const Json report = counted({model_path("philosophers.spn"), "-D", "N=" + std::to_string(dinner.n), "--lanes",
                               dinner.lanes, "--ctl", "eating", "--ctl", "AF eating", "--ctl", "EF initial", "--ctl",
                               "AG (!deadlock -> AF eating)", "--ctl", "deadlock"});
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report.at("complete"), true);
  EXPECT_EQ(report.at("states"), dinner.states);
  expect_property(report, 0, false, dinner.eating);
  expect_property(report, 1, false, dinner.af_eating);
  expect_property(report, 2, true, dinner.states - 2);
  expect_property(report, 3, false, 2);
  expect_property(report, 4, false, 2);
}

std::vector<Dinner> dinners() {
  std::vector<Dinner> result{{8, 103'682, 66'048, 90'816, "auto"},
                             {9, 439'204, 298'752, 400'350, "auto"},
                             {10, 1'860'498, 1'336'324, 1'743'424, "auto"},
                             {11, 7'881'196, 5'924'952, 7'528'950, "auto"}};
  for (const std::size_t i : {0U, 1U}) {
    Dinner plain = result[i];
    plain.lanes = "off";
    result.push_back(plain);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(Tables, Philosophers, testing::ValuesIn(dinners()),
                         [](const auto& test) { return std::to_string(test.param.n) + "_lanes_" + test.param.lanes; });

class KanbanHome : public testing::TestWithParam<std::pair<int, std::uint64_t>> {};

TEST_P(KanbanHome, EveryStateCanReturnToTheInitialOne) {
  const auto& [n, states] = GetParam();
  const Json report = counted({model_path("kanban.spn"), "-D", "N=" + std::to_string(n), "--ctl", "AG EF initial",
                               "--ctl", "EF initial", "--ctl", "initial"});
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report.at("states"), states);
  expect_property(report, 0, true, states);
  expect_property(report, 1, true, states);
  expect_property(report, 2, true, 1);
}

INSTANTIATE_TEST_SUITE_P(Cards, KanbanHome,
                         testing::Values(std::pair(1, 160), std::pair(2, 4'600), std::pair(3, 58'400),
                                         std::pair(4, 454'475), std::pair(5, 2'546'432), std::pair(6, 11'261'376)),
                         [](const auto& test) { return std::to_string(test.param.first); });

TEST(Kanban9, CanAlwaysReturnWithin400MiB) {
  const Outcome run = run_dcheck({model_path("kanban9.spn"), "--ctl", "AG EF initial", "--quiet", "--json", "-"}, 300);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json report = Json::parse(run.out);
  EXPECT_EQ(report.at("properties").at(0).at("verdict"), true);
  EXPECT_LT(report.at("memory").at("peak_rss_bytes_per_rank").at(0).get<double>(), 400.0 * (1 << 20));
}

/// Refused with exit 2 and three lines: what is wrong, the text, a caret under `place`.
void expect_caret(const std::vector<std::string>& arguments, const std::string& where, const std::string& text,
                  const std::string& place, const std::string& nearest) {
  SCOPED_TRACE(command_line(arguments));
  const Outcome run = run_dcheck(arguments, 30);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(count_lines(run.err), 3U) << run.err;
  const std::string message = run.err.substr(0, run.err.find('\n'));
  EXPECT_EQ(message.rfind(where, 0), 0U) << message;
  EXPECT_NE(message.find("'" + place + "'"), std::string::npos) << message;
  EXPECT_NE(message.find("'" + nearest + "'"), std::string::npos) << message;
  const std::string excerpt = run.err.substr(std::min(message.size() + 1, run.err.size()));
  const std::string shown = excerpt.substr(0, excerpt.find('\n'));
  EXPECT_NE(shown.find(text), std::string::npos) << run.err;
  const std::string below = excerpt.substr(std::min(shown.size() + 1, excerpt.size()));
  EXPECT_EQ(below.find('^'), shown.find(place)) << run.err;
}

TEST(FormulaWithASlip, ShowsTheLineACaretAndTheNearestName) {
  const std::string model = model_path("philosophers.spn");
  expect_caret({model, "--ctl", "AG EF eatng"}, "ctl-1:1:7: ", "AG EF eatng", "eatng", "eating");
  expect_caret({model, "--ctl", "initial", "--ctl", "EF fireable(finsh[1])"}, "ctl-2:1:13: ", "EF fireable(finsh[1])",
               "finsh[1]", "finish[1]");
  const TemporaryDirectory directory;
  const std::string file = directory.write("slips.ctl", "first: AG !deadlock;\nsecond: EF\n  forc[1] == 0;\n");
  expect_caret({model, "--formulas", file}, file + ":3:3: ", "  forc[1] == 0;", "forc[1]", "fork[1]");
}

}  // namespace
}  // namespace dcheck::test
