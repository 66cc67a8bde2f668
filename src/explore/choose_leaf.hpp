#pragma once
// `--lanes auto`: which places become the leaf.

#include "dcheck/rows/plan.hpp"

namespace dcheck {

/// The leaf to use, possibly empty. Deterministic; `base` carries the sample's hints, `sample` a few
/// reachable markings.
std::vector<Place> choose_leaf(const Net& net, const Structure& structure, const PlanRequest& base,
                               const std::vector<std::vector<Tokens>>& sample);

}  // namespace dcheck
