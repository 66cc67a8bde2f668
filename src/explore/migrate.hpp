#pragma once
// Rows that get a new owner move to it. Cold code: once or twice a run, at a quiescent point.

#include "dcheck/explore/state.hpp"
#include "dcheck/ranks/ranks.hpp"

namespace dcheck {

/// Collective, after ranks.set_plan() with new owners: every row goes where it belongs, and what waited in it waits
/// there. Counts of states go with their rows; all other figures stay with who did the work. Not level by level.
/// Throws AgreedStop where memory runs out: then rows may be lost, and the exploration must end as incomplete.
void migrate(const Plan& plan, ExploreState& state, Ranks& ranks);

}  // namespace dcheck
