#include "dcheck/engine/engine.hpp"

#include "engine/direct_engine.hpp"
#include "engine/row_engine.hpp"

namespace dcheck {

bool explore_rows(StateSpace& space, const SearchGoals& goals, const Interruption& interruption) {
  const ExploreState& state = space.state;
  if (space.plan->leaf().empty() && !state.slots && !state.lossy)
    return DirectEngine(space, goals).explore(interruption);
  return cpu_has_fast_bits() ? explore_fast(space, goals, interruption) : explore_portable(space, goals, interruption);
}

}  // namespace dcheck
