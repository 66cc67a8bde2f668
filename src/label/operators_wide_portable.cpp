#include "dcheck/base/bits.hpp"
#include "label/make_row_operators.hpp"
#include "label/row_operators.hpp"

namespace dcheck {

template std::unique_ptr<Operators> make_wide_operators<PortableBits>(const StateSpace&, AuMethod, const RunLimit&);

}  // namespace dcheck
