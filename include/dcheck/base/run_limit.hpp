#pragma once
// The end of what a run may use, or somebody's wish that it stop, as those see it who do the work.

#include <functional>

namespace dcheck {

struct RunLimit {
  /// Cheap enough to be asked every few rows.
  std::function<bool()> is_reached = [] { return false; };
  /// Throws ResourceError, with the reason, where it is reached.
  std::function<void()> expect_room = [] {};
};

}  // namespace dcheck
