#pragma once
// A random coloured net: what unfold() and the engine make of it against the interpreter that fires bindings directly.

#include <cstdint>
#include <string>
#include <vector>

namespace dcheck::test {

struct ColouredTally {
  std::uint64_t nets = 0;      // compared
  std::uint64_t cut = 0;       // too many states or tokens: not compared
  std::uint64_t merged = 0;    // with transitions that stand for several bindings
  std::uint64_t pruned = 0;    // with colours that are never marked
  std::uint64_t verdicts = 0;  // compared
};

/// What disagrees about the net of this seed, a line each.
std::vector<std::string> wrong_about_colours(std::uint64_t seed, ColouredTally& tally);

}  // namespace dcheck::test
