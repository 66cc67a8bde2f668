#include "explore/engine.hpp"

#include "explore/direct_engine.hpp"

namespace dcheck {

bool run(const Plan& plan, ExploreState& state, const SearchGoals& goals, Ranks& ranks,
         const Interruption& interruption) {
  if (plan.leaf().empty() && !state.slots) return DirectEngine(plan, state, goals, ranks).run(interruption);
  return cpu_has_fast_bits() ? run_fast(plan, state, goals, ranks, interruption)
                             : run_portable(plan, state, goals, ranks, interruption);
}

}  // namespace dcheck
