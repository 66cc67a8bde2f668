#include "check/make_row_phases.hpp"
#include "check/row_phases.hpp"
#include "dcheck/base/bits.hpp"

namespace dcheck {

template std::unique_ptr<Phases> make_narrow_phases<PortableBits>(StateSpace&, AuMethod, std::function<void()>);

}  // namespace dcheck
