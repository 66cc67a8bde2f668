// Nets in which tokens jump after thousands of states; scripts/random-jumps runs more of them.

#include <gtest/gtest.h>

#include "support/jump_net.hpp"

namespace dcheck::test {
namespace {

TEST(ExploreJumps, CountsAreTheReferencesWhateverTheJump) {
  constexpr NaiveLimits limits{.states = 30'000, .tokens = 10'000};
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; compared < 6; ++seed) {
    const Net net = jump_net(seed);
    const NaiveGraph truth = explore_naively(net, limits);
    if (!truth.is_complete() || truth.states() < 9'000) continue;  // leaves are looked for after 8192 rows
    ++compared;
    for (const std::string& line : wrong_about_jumps(net, truth)) ADD_FAILURE() << "seed " << seed << ": " << line;
  }
}

}  // namespace
}  // namespace dcheck::test
