#pragma once
// Bounds from the state equation: every reachable marking is m = initial + sum of firings * effect
// with m >= 0 and firings >= 0. The largest m(p) under these conditions bounds p where no semiflow does.

#include <cstddef>
#include <optional>
#include <vector>

#include "dcheck/base/patience.hpp"
#include "dcheck/net/net.hpp"

namespace dcheck {

/// Lowers bounds, those that are missing first, looking at live transitions only: exact simplex with
/// integer pivots. Numbers beyond 62 bits, or `steps` entries looked at, end it early: what is found by
/// then is valid.
void bound_by_state_equation(const Net& net, const std::vector<bool>& is_dead, std::size_t steps,
                             std::vector<std::optional<Tokens>>& bounds, Patience& patience);

}  // namespace dcheck
