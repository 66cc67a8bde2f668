#include "dcheck/base/bits.hpp"
#include "explore/engine.hpp"

namespace dcheck {

EngineEnd run_portable(const Plan& plan, ExploreState& state, const SearchGoals& goals,
                       const Interruption& interruption) {
  return run_engine<PortableBits>(plan, state, goals, interruption);
}

}  // namespace dcheck
