// Random coloured nets, unfolded and explored, against an interpreter that fires bindings directly.

#include <gtest/gtest.h>

#include "support/coloured_case.hpp"

namespace dcheck::test {
namespace {

TEST(RandomColouredNets, HaveTheCountsAndVerdictsOfFiringBindingsDirectly) {
  ColouredTally tally;
  for (std::uint64_t seed = 1; seed <= 500; ++seed)
    for (const std::string& line : wrong_about_colours(seed, tally)) ADD_FAILURE() << "seed " << seed << ": " << line;
  EXPECT_GT(tally.nets, 250U);
  EXPECT_GT(tally.merged, 20U);
  EXPECT_GT(tally.pruned, 100U);
  EXPECT_GT(tally.verdicts, 1000U);
}

}  // namespace
}  // namespace dcheck::test
