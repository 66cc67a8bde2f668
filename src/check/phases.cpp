#include "check/phases.hpp"

#include "check/row_phases.hpp"
#include "dcheck/base/bits.hpp"

namespace dcheck {

std::unique_ptr<Phases> make_portable_phases(StateSpace& space, std::function<void()> poll) {
  return make_row_phases<PortableBits>(space, std::move(poll));
}

std::unique_ptr<Phases> make_phases(StateSpace& space, std::function<void()> poll) {
  return cpu_has_fast_bits() ? make_fast_phases(space, std::move(poll)) : make_portable_phases(space, std::move(poll));
}

}  // namespace dcheck
