#pragma once
// Ways from the initial marking to the goals that an exploration has met which keeps hashes alone, each replayed in the
// net.

#include "dcheck/engine/goals.hpp"
#include "dcheck/space/lossy_rows.hpp"

namespace dcheck {

/// A way to each goal that this rank's rows have met since they were asked last. They were fired again in the net, one
/// by one, and the goal is met at the end: otherwise there is a mistake in the program, and it throws logic_error.
std::vector<Way> ways_to_goals(StateSpace& space, const SearchGoals& goals);

}  // namespace dcheck
