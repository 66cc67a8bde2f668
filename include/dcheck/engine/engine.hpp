#pragma once
// The engine: takes rows that wait, fires their transitions on all their lanes at once, and hands over what it finds.

#include <functional>

#include "dcheck/engine/goals.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

/// Asked between two rows, now and then, whether to stop.
struct Interruption {
  std::function<bool()> should_stop;
  unsigned rows_between = 4096;
};

/// Collective. Handles rows until nothing waits, on any rank: then it is true. False where firings were parked, the
/// goals were met or should_stop() said so, on some rank; the space is whole then, nothing is under way, and it can be
/// called again to go on. With several ranks every goal that is met stops all, since it may be enough together with
/// what others have found.
bool explore_rows(StateSpace& space, const SearchGoals& goals, const Interruption& interruption);

}  // namespace dcheck
