// Compiled for CPUs with BMI2 (see CMakeLists.txt); used only where they are.

#include "check/make_row_phases.hpp"
#include "check/row_phases.hpp"
#include "dcheck/base/bits.hpp"

#if defined(__BMI2__)
namespace dcheck {

template std::unique_ptr<Phases> make_single_phases<FastBits>(StateSpace&, AuMethod, std::function<void()>);

}  // namespace dcheck
#endif
