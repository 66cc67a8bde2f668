// check() on 1 to 7 ranks in the loopback, whatever the order of delivery, the buffers and the leaf: what the reference
// says, the same on all ranks. A sample of what scripts/random-ranks runs.

#include <gtest/gtest.h>

#include "dcheck/explore/limit_check.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"
#include "support/check_on_ranks.hpp"
#include "support/paths.hpp"
#include "support/random_case.hpp"

namespace dcheck::test {
namespace {

class CheckRanks : public testing::TestWithParam<std::uint64_t> {};

TEST_P(CheckRanks, AgreeWithTheReferenceAndWithEachOther) {
  constexpr std::size_t count = 150;
  RandomCases cases(GetParam(), RandomCases::On::several_ranks);
  for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
    cases.advance();
    for (const std::string& wrong : cases.run()) ADD_FAILURE() << wrong << "\n" << cases.describe();
  }
  const CaseTally& tally = cases.tally();
  EXPECT_EQ(tally.cases, count);
  EXPECT_GT(tally.shared, count / 2) << "hardly anything was sent";
  EXPECT_GT(tally.merged, 0U);
  EXPECT_GT(tally.asked, count / 64);
  EXPECT_GT(tally.verdicts, count);
  EXPECT_GT(tally.sat_counts, count / 4);
  EXPECT_GT(tally.witnesses, count / 8);
  EXPECT_GT(tally.bounds, count / 8);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CheckRanks, testing::Values(5'000'001, 6'000'001, 7'000'001, 8'000'001));

struct Asked {
  Model model;
  std::vector<Property> properties;
};

Asked kanban(const std::string& tokens, const std::string& formulas) {
  Asked asked{read_model(source_dir() + "/models/kanban.spn", {{"N", tokens}}), {}};
  asked.properties = parse_formulas(formulas, "test", asked.model);
  return asked;
}

/// Of rank 0; the others have the same.
CheckOutcome outcome_of(const Asked& asked, const CheckOptions& options, const RankChoice& choice) {
  std::vector<CheckOutcome> outcomes = check_on_ranks(asked.model.net, asked.properties, options, choice);
  for (const CheckOutcome& other : outcomes) EXPECT_EQ(differences(outcomes[0], other), std::vector<std::string>());
  return std::move(outcomes[0]);
}

// Labelling keeps many small sets here: with more and more memory exploring works first, while labelling still fails,
// on one rank before the others, and all of them leave it.
TEST(CheckRanksLimits, MemoryThatRunsOutOnOneRankLeavesTheSameUnknownOnAll) {
  std::string nested = "pm[1] == 1";
  for (int i = 0; i < 16; ++i) nested = "EX (" + nested + ")";
  const Asked asked = kanban("2", "all: A[pm[1] <= 2 U pm[4] == 9]; nested: " + nested + ";");
  std::size_t known = 0, while_labelling = 0, while_exploring = 0;
  Dice dice(11);
  std::size_t runs = 0;
  for (std::uint64_t kilobytes = 0; known < 4 && kilobytes < 65'536; kilobytes += 20 + kilobytes / 64) {
    RankChoice choice = random_ranks(dice);
    choice.ranks = 3;
    CheckOptions options;
    options.witness = true;
    options.explore.lanes.kind = ++runs % 2 == 0 ? LaneChoice::Kind::off : LaneChoice::Kind::automatic;
    options.explore.limits.max_memory_bytes = resident_bytes() + (kilobytes << 10);
    try {
      const CheckOutcome outcome = outcome_of(asked, options, choice);
      for (const PropertyResult& result : outcome.properties) {
        if (result.verdict != Verdict::unknown)
          EXPECT_EQ(result.verdict, result.id == "nested" ? Verdict::holds : Verdict::fails);
        else
          EXPECT_NE(result.reason.find("memory"), std::string::npos) << result.reason;
      }
      const bool is_known = outcome.properties[1].verdict != Verdict::unknown;
      ++(is_known ? known : outcome.exploration.complete ? while_labelling : while_exploring);
    } catch (const ResourceError&) {
      ++while_exploring;
    }
  }
  EXPECT_EQ(known, 4U);
  EXPECT_GT(while_labelling, 0U);
  EXPECT_GT(while_exploring, 0U);
}

TEST(CheckRanksLimits, TimeThatRunsOutLeavesTheSameUnknownOnAll) {
  const Asked asked = kanban("3", "home: AG EF initial; stays: EG pm[1] <= 2;");
  std::size_t unknown = 0;
  for (const double seconds : {0.0, 0.1, 0.3}) {
    CheckOptions options;
    options.witness = true;
    options.explore.limits.max_seconds = seconds;
    options.explore.lanes.kind = LaneChoice::Kind::off;
    try {
      const CheckOutcome outcome = outcome_of(asked, options, {.ranks = 4, .seed = 3, .exchange = {}});
      for (const PropertyResult& result : outcome.properties)
        if (result.verdict == Verdict::unknown) {
          ++unknown;
          EXPECT_NE(result.reason.find("time limit"), std::string::npos) << result.reason;
        }
    } catch (const ResourceError& error) {  // on all ranks, before there was a plan
      ++unknown;
      EXPECT_NE(std::string(error.what()).find("time limit"), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(unknown, 0U);
}

TEST(CheckRanks, MoreRanksThanStatesAreNoProblem) {
  const Asked asked = kanban("0", "home: AG EF initial; dead: EF deadlock; next: EX true; all: A[true U deadlock];");
  CheckOptions options;
  options.sat_counts = options.witness = true;
  const CheckOutcome outcome = outcome_of(asked, options, {.ranks = 9, .seed = 1, .exchange = {}});
  EXPECT_EQ(outcome.exploration.states, 1U);
  const std::vector<Verdict> expected{Verdict::holds, Verdict::holds, Verdict::fails, Verdict::holds};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(outcome.properties[i].verdict, expected[i]) << i;
}

// Paths are as long as on one rank: the same questions are answered in the same order.
TEST(CheckRanks, WitnessesAreThoseOfOneRank) {
  const Asked asked = kanban(
      "1",
      "far: EF pout[4] == 1; until: E[pback[1] == 0 U pback[3] == 1]; stays: EG pout[1] == 0; not: AF pout[4] == 1;");
  for (const LaneChoice::Kind lanes : {LaneChoice::Kind::off, LaneChoice::Kind::automatic}) {
    CheckOptions options;
    options.witness = options.full = true;
    options.explore.lanes.kind = lanes;
    const CheckOutcome alone_one = check(asked.model.net, asked.properties, options);
    for (int ranks = 2; ranks <= 6; ++ranks) {
      const CheckOutcome outcome = outcome_of(asked, options, {.ranks = ranks, .seed = 5, .exchange = {}});
      for (std::size_t i = 0; i < outcome.properties.size(); ++i) {
        ASSERT_TRUE(alone_one.properties[i].witness && outcome.properties[i].witness) << i;
        EXPECT_EQ(outcome.properties[i].witness->path, alone_one.properties[i].witness->path) << i;
      }
    }
  }
}

}  // namespace
}  // namespace dcheck::test
