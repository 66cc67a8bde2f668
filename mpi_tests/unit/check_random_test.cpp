// check() against the reference checker and the replayer, on random nets, formulas, leaves and options: a sample
// of what scripts/random-ctl runs.

#include <gtest/gtest.h>

#include "support/random_case.hpp"

namespace dcheck::test {
namespace {

constexpr std::size_t cases_a_seed = 800;

CaseTally run(std::uint64_t first_seed, std::size_t count) {
  RandomCases cases(first_seed);
  for (std::size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    cases.advance();
    for (const std::string& wrong : cases.run()) ADD_FAILURE() << wrong << "\n" << cases.describe();
  }
  return cases.tally();
}

class CheckRandom : public testing::TestWithParam<std::uint64_t> {};

TEST_P(CheckRandom, VerdictsCountsWitnessesAndBoundsAgreeWithTheReferenceForEveryLeaf) {
  const CaseTally tally = run(GetParam(), cases_a_seed);
  EXPECT_EQ(tally.cases, cases_a_seed);
  EXPECT_GT(tally.verdicts, cases_a_seed);
  EXPECT_GT(tally.sat_counts, cases_a_seed / 4);
  EXPECT_GT(tally.witnesses, cases_a_seed / 8);
  EXPECT_GT(tally.shortest, cases_a_seed / 100);
  EXPECT_GT(tally.bounds, cases_a_seed / 8);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CheckRandom, testing::Values(1'000'001, 2'000'001, 3'000'001, 4'000'001));

}  // namespace
}  // namespace dcheck::test
