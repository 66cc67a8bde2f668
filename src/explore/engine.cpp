#include "explore/engine.hpp"

#include "explore/direct_engine.hpp"

namespace dcheck {

EngineEnd run(const Plan& plan, ExploreState& state, const SearchGoals& goals, const Interruption& interruption) {
  if (plan.leaf().empty() && !state.slots) return DirectEngine(plan, state, goals).run(interruption);
  return cpu_has_fast_bits() ? run_fast(plan, state, goals, interruption)
                             : run_portable(plan, state, goals, interruption);
}

}  // namespace dcheck
