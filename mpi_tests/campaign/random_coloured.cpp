// Random coloured nets against the interpreter of the tests: scripts/random-coloured.

#include <cstdlib>
#include <iostream>
#include <string>

#include "support/coloured_case.hpp"

int main(int argc, char** argv) {
  using namespace dcheck::test;
  const std::uint64_t wanted = argc > 1 ? std::stoull(argv[1]) : 2'000;
  std::uint64_t seed = argc > 2 ? std::stoull(argv[2]) : 1;
  ColouredTally tally;
  std::uint64_t wrong_nets = 0;
  for (; tally.nets < wanted; ++seed) {
    const auto wrong = wrong_about_colours(seed, tally);
    if (!wrong.empty()) ++wrong_nets;
    for (const std::string& line : wrong) std::cout << "seed " << seed << ": " << line << std::endl;
  }
  std::cout << tally.nets << " nets, " << tally.cut << " too large, " << tally.merged << " with equal bindings, "
            << tally.pruned << " with colours that are never marked, " << tally.verdicts << " verdicts, " << wrong_nets
            << " wrong\n";
  return wrong_nets == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
