#pragma once
// Which phases a space needs. Those of each kind of space are defined in row_phases.hpp and compiled in a file of their
// own, once for each set of bit instructions, since they take the compiler longer than anything else here.

#include "check/phases.hpp"

namespace dcheck {

/// Rows of one lane. phases_single_*.cpp
template <typename Bits>
std::unique_ptr<Phases> make_single_phases(StateSpace& space, AuMethod au, std::function<void()> poll);

/// Masks of lanes of 1, 2 or 4 words. phases_narrow_*.cpp
template <typename Bits>
std::unique_ptr<Phases> make_narrow_phases(StateSpace& space, AuMethod au, std::function<void()> poll);

/// Any other masks. phases_wide_*.cpp
template <typename Bits>
std::unique_ptr<Phases> make_wide_phases(StateSpace& space, AuMethod au, std::function<void()> poll);

/// Picks the kind of space.
template <typename Bits>
std::unique_ptr<Phases> make_row_phases(StateSpace& space, AuMethod au, std::function<void()> poll) {
  if (space.state.slots || space.plan->leaf().empty()) return make_single_phases<Bits>(space, au, std::move(poll));
  const std::size_t words = space.plan->words();
  if (words == 1 || words == 2 || words == 4) return make_narrow_phases<Bits>(space, au, std::move(poll));
  return make_wide_phases<Bits>(space, au, std::move(poll));
}

}  // namespace dcheck
