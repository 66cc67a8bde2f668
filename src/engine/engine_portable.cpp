#include "engine/row_engine.hpp"

namespace dcheck {

bool explore_portable(StateSpace& space, const SearchGoals& goals, const Interruption& interruption) {
  return explore_with<PortableBits>(space, goals, interruption);
}

}  // namespace dcheck
