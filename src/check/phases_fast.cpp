// Compiled for CPUs with BMI2 (see CMakeLists.txt); make_phases() calls it only where they are.

#include "check/make_row_phases.hpp"
#include "dcheck/base/bits.hpp"

namespace dcheck {

std::unique_ptr<Phases> make_fast_phases(StateSpace& space, AuMethod au, std::function<void()> poll) {
#if defined(__BMI2__)
  return make_row_phases<FastBits>(space, au, std::move(poll));
#else
  return make_portable_phases(space, au, std::move(poll));
#endif
}

}  // namespace dcheck
