#pragma once
// A short look at the net's markings before planning: random walks from the initial marking.
// Deterministic; its cost is bounded by counted steps.

#include <vector>

#include "dcheck/base/patience.hpp"
#include "dcheck/net/net.hpp"

namespace dcheck {

struct Sample {
  std::vector<Tokens> largest;                // per place
  std::vector<float> marked_share;            // per place: share of the markings in which it is marked
  std::vector<std::vector<Tokens>> markings;  // a few of them, far apart
};

/// Spends about `steps` tests of arcs.
Sample take_sample(const Net& net, std::size_t steps, Patience& patience);

}  // namespace dcheck
