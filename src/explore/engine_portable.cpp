#include "dcheck/base/bits.hpp"
#include "explore/engine.hpp"

namespace dcheck {

bool run_portable(const Plan& plan, ExploreState& state, const SearchGoals& goals, Ranks& ranks,
                  const Interruption& interruption) {
  return run_engine<PortableBits>(plan, state, goals, ranks, interruption);
}

}  // namespace dcheck
