#include "dcheck/engine/engine.hpp"

#include "engine/direct_engine.hpp"
#include "engine/row_engine.hpp"

namespace dcheck {

bool explore_rows(StateSpace& space, const SearchGoals& goals, const Interruption& interruption) {
  if (space.plan->leaf().empty() && !space.state.slots) return DirectEngine(space, goals).explore(interruption);
  return cpu_has_fast_bits() ? explore_fast(space, goals, interruption) : explore_portable(space, goals, interruption);
}

}  // namespace dcheck
