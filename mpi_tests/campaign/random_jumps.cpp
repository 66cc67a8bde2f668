// Nets in which tokens jump, on one and two ranks, with lanes and without: scripts/random-jumps.

#include <cstdlib>
#include <iostream>
#include <string>

#include "support/jump_net.hpp"

int main(int argc, char** argv) {
  using namespace dcheck::test;
  const std::uint64_t wanted = argc > 1 ? std::stoull(argv[1]) : 500;
  std::uint64_t seed = argc > 2 ? std::stoull(argv[2]) : 1;
  constexpr NaiveLimits limits{.states = 200'000, .tokens = 10'000};
  std::uint64_t nets = 0, wrong_nets = 0, large = 0;
  for (; nets < wanted; ++seed) {
    const dcheck::Net net = jump_net(seed);
    const NaiveGraph truth = explore_naively(net, limits);
    if (!truth.is_complete()) continue;
    ++nets;
    if (truth.states() > 8192) ++large;
    const auto wrong = wrong_about_jumps(net, truth);
    if (!wrong.empty()) ++wrong_nets;
    for (const std::string& line : wrong) std::cout << "seed " << seed << ": " << line << std::endl;
    if (nets % 50 == 0) std::cout << nets << " nets, " << wrong_nets << " wrong" << std::endl;
  }
  std::cout << nets << " nets, " << large << " with more than 8192 states, " << wrong_nets << " wrong\n";
  return wrong_nets == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
