#include "explore/choose_leaf.hpp"

namespace dcheck {

std::vector<Place> choose_leaf(const Net&, const Structure&, const PlanRequest&) { return {}; }

}  // namespace dcheck
