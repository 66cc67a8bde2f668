#pragma once
// In which tier of a decision diagram each place stands: how large a diagram gets depends on it more than on anything
// else. Places that a transition touches should stand close together, and low.

#include <vector>

#include "dcheck/net/structure.hpp"

namespace dcheck {

/// Every place once, that of the highest tier last. `with_semiflows`: the places of a semiflow are drawn together too,
/// which helps some nets and harms others. Deterministic.
std::vector<Place> tier_order(const Net& net, const Structure& structure, bool with_semiflows, Patience& patience);

}  // namespace dcheck
