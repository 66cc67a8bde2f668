#include "dcheck/space/state_space.hpp"

namespace dcheck {

void StateSpace::allocate(const Plan& of, const OwnerClasses& classes) {
  if (ranks.is_alone()) return;
  allocation = Allocation(of, ranks.size(), classes);
  ++_plan_number;
}

bool StateSpace::owns(const Plan& under, std::span<const Tokens> marking) const {
  return ranks.is_alone() || allocation.owner(allocation.sum(under.stored_key(marking).data())) == ranks.rank();
}

}  // namespace dcheck
