// Compiled for CPUs with BMI2 (see CMakeLists.txt); explore() calls it only where they are.

#include "dcheck/base/bits.hpp"
#include "explore/engine.hpp"

namespace dcheck {

bool run_fast(const Plan& plan, ExploreState& state, const SearchGoals& goals, Ranks& ranks,
              const Interruption& interruption) {
#if defined(__BMI2__)
  return run_engine<FastBits>(plan, state, goals, ranks, interruption);
#else
  return run_portable(plan, state, goals, ranks, interruption);
#endif
}

}  // namespace dcheck
