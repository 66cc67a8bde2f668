#pragma once
// How large the unexplored part is, by capture and recapture: random walks meet states wherever they lie, and the share
// of them that a short exploration has found already tells how large a part it has found of all.

#include "dcheck/base/patience.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

struct Recapture {
  std::uint64_t met = 0;    // different states that the walks met, far from their beginning
  std::uint64_t known = 0;  // of these: that were explored before
};

/// Walks until `patience` throws; then, and not before, it returns. Deterministic but for when that is.
/// @pre The space is of one rank.
Recapture recapture(const StateSpace& space, Patience& patience);

}  // namespace dcheck
