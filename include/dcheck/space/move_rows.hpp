#pragma once
// Rows on their way to other ranks, after their owners have changed. At a quiescent point; cold code.

#include "dcheck/space/state_space.hpp"

namespace dcheck {

/// Collective: each row goes, with the lanes that were reached and those of them that wait, to the rank that owns it by
/// the space's allocation. Not level by level. May run out of memory: then the space is lost.
void move_rows(StateSpace& space);

}  // namespace dcheck
