// Counts that closed forms and the papers give, for our own models.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

struct Fact {
  std::string model;
  int n;
  std::uint64_t states, arcs, deadlocks;
  std::string lanes;
};

std::string name_of(const testing::TestParamInfo<Fact>& info) {
  const Fact& fact = info.param;
  return fact.model.substr(0, fact.model.find('.')) + std::to_string(fact.n) + "_lanes_" + fact.lanes;
}

class Facts : public testing::TestWithParam<Fact> {};

TEST_P(Facts, StatesArcsAndDeadlocksAreTheKnownOnes) {
  const Fact& fact = GetParam();
  const std::vector<std::string> arguments{model_path(fact.model),
                                           "-D",
                                           "N=" + std::to_string(fact.n),
                                           "--lanes",
                                           fact.lanes,
                                           "--no-checks",
                                           "--quiet",
                                           "--json",
                                           "-"};
  const Outcome run = run_dcheck(arguments, 580);
  ASSERT_FALSE(run.timed_out) << command_line(arguments);
  ASSERT_EQ(run.exit_code, 0) << command_line(arguments) << "\n" << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(json.at("states"), fact.states);
  EXPECT_EQ(json.at("arcs"), fact.arcs);
  EXPECT_EQ(json.at("deadlocks"), fact.deadlocks);
  if (fact.lanes == "off") {
    EXPECT_EQ(json.at("lanes"), 1);
    EXPECT_EQ(json.at("rows"), fact.states);
  }
}

struct Known {
  int n;
  std::uint64_t states, arcs;
};

const std::vector<Known> kanban{{1, 160, 616},
                                {2, 4'600, 28'120},
                                {3, 58'400, 446'400},
                                {4, 454'475, 3'979'850},
                                {5, 2'546'432, 24'460'016},
                                {6, 11'261'376, 115'708'992},
                                {7, 41'644'800, 450'455'040},
                                {8, 133'865'325, 1'507'898'700},
                                {9, 384'392'800, 4'474'555'800}};

const std::vector<Known> philosophers{{8, 103'682, 775'336},
                                      {9, 439'204, 3'694'923},
                                      {10, 1'860'498, 17'391'050},
                                      {11, 7'881'196, 81'036'637},
                                      {12, 33'385'282, 374'483'676}};

/// n * 3^(n-1) + 1 states; each of the n senders sees 2(n-1) * 3^(n-2) messages move, starts and ends.
std::vector<Known> database() {
  std::vector<Known> known;
  std::uint64_t power = 1;  // 3^(n-2)
  for (int n = 2; n <= 11; ++n, power *= 3) {
    const auto count = static_cast<std::uint64_t>(n);
    known.push_back({n, count * 3 * power + 1, count * (2 * (count - 1) * power + 2)});
  }
  return known;
}

std::vector<Fact> facts(const std::string& model, const std::vector<Known>& known, std::uint64_t deadlocks,
                        const std::string& lanes, int largest) {
  std::vector<Fact> result;
  for (const Known& k : known) {
    if (k.n <= largest) result.push_back({model, k.n, k.states, k.arcs, deadlocks, lanes});
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(KanbanInLanes, Facts, testing::ValuesIn(facts("kanban.spn", kanban, 0, "auto", 9)), name_of);
INSTANTIATE_TEST_SUITE_P(KanbanPlain, Facts, testing::ValuesIn(facts("kanban.spn", kanban, 0, "off", 7)), name_of);
INSTANTIATE_TEST_SUITE_P(PhilosophersInLanes, Facts,
                         testing::ValuesIn(facts("philosophers.spn", philosophers, 2, "auto", 12)), name_of);
INSTANTIATE_TEST_SUITE_P(PhilosophersPlain, Facts,
                         testing::ValuesIn(facts("philosophers.spn", philosophers, 2, "off", 10)), name_of);
INSTANTIATE_TEST_SUITE_P(DatabaseInLanes, Facts, testing::ValuesIn(facts("database.spn", database(), 0, "auto", 11)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(DatabasePlain, Facts, testing::ValuesIn(facts("database.spn", database(), 0, "off", 9)),
                         name_of);

TEST(Kanban9, FileWithoutParameterHasTheStatesOfTheClosedForm) {
  const Outcome run = run_dcheck({model_path("kanban9.spn"), "--no-checks", "--quiet", "--json", "-"}, 580);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json.at("states"), 384'392'800U);
  EXPECT_EQ(json.at("arcs"), 4'474'555'800U);
}

}  // namespace
}  // namespace dcheck::test
