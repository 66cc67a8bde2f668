// Compiled for CPUs with BMI2 (see CMakeLists.txt); explore_rows() calls it only where they are.

#include "engine/row_engine.hpp"

namespace dcheck {

bool explore_fast(StateSpace& space, const SearchGoals& goals, const Interruption& interruption) {
#if defined(__BMI2__)
  return explore_with<FastBits>(space, goals, interruption);
#else
  return explore_portable(space, goals, interruption);
#endif
}

}  // namespace dcheck
