#include "dcheck/base/bits.hpp"
#include "explore/engine.hpp"

namespace dcheck {

EngineEnd run_portable(const Plan& plan, ExploreState& state, const Interruption& interruption) {
  return run_engine<PortableBits>(plan, state, interruption);
}

}  // namespace dcheck
