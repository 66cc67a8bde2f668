// Compiled for CPUs with BMI2 (see CMakeLists.txt); make_operators() calls it only where they are.

#include "dcheck/base/bits.hpp"
#include "label/make_row_operators.hpp"

namespace dcheck {

std::unique_ptr<Operators> make_fast_operators(const StateSpace& space, AuMethod au, const RunLimit& limit) {
#if defined(__BMI2__)
  return make_row_operators<FastBits>(space, au, limit);
#else
  return make_portable_operators(space, au, limit);
#endif
}

}  // namespace dcheck
