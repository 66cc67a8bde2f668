#pragma once
// Which operators a space needs. Those of each kind of rows are defined in row_operators.hpp and compiled in a file of
// their own, once for each set of bit instructions, since they take the compiler longer than anything else here.

#include "dcheck/label/operators.hpp"
#include "dcheck/rows/mask.hpp"

namespace dcheck {

/// Rows of one lane. operators_single_*.cpp
template <typename Bits>
std::unique_ptr<Operators> make_single_operators(const StateSpace& space, AuMethod au, const RunLimit& limit);

/// Masks of lanes of 1, 2 or 4 words. operators_narrow_*.cpp
template <typename Bits>
std::unique_ptr<Operators> make_narrow_operators(const StateSpace& space, AuMethod au, const RunLimit& limit);

/// Any other masks. operators_wide_*.cpp
template <typename Bits>
std::unique_ptr<Operators> make_wide_operators(const StateSpace& space, AuMethod au, const RunLimit& limit);

/// Picks the kind of rows.
template <typename Bits>
std::unique_ptr<Operators> make_row_operators(const StateSpace& space, AuMethod au, const RunLimit& limit) {
  if (space.state.slots || space.plan->leaf().empty()) return make_single_operators<Bits>(space, au, limit);
  const std::size_t words = space.plan->words();
  if (is_narrow(words)) return make_narrow_operators<Bits>(space, au, limit);
  return make_wide_operators<Bits>(space, au, limit);
}

}  // namespace dcheck
