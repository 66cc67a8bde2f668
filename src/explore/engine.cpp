#include "explore/engine.hpp"

#include "explore/direct_engine.hpp"

namespace dcheck {

EngineEnd run(const Plan& plan, ExploreState& state, const Interruption& interruption) {
  if (plan.leaf().empty() && !state.slots) return DirectEngine(plan, state).run(interruption);
  return cpu_has_fast_bits() ? run_fast(plan, state, interruption) : run_portable(plan, state, interruption);
}

}  // namespace dcheck
