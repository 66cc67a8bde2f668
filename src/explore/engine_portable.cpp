#include "dcheck/base/bits.hpp"
#include "explore/engine.hpp"

namespace dcheck {

EngineEnd run_portable(const Plan& plan, ExploreState& state, const std::function<bool()>& should_stop) {
  return run_engine<PortableBits>(plan, state, should_stop);
}

}  // namespace dcheck
