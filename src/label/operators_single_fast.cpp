// Compiled for CPUs with BMI2 (see CMakeLists.txt); used only where they are.

#include "dcheck/base/bits.hpp"
#include "label/make_row_operators.hpp"
#include "label/row_operators.hpp"

#if defined(__BMI2__)
namespace dcheck {

template std::unique_ptr<Operators> make_single_operators<FastBits>(const StateSpace&, AuMethod, const RunLimit&);

}  // namespace dcheck
#endif
