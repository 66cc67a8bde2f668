#pragma once
// The end of what a run may use, or somebody's wish that it stop, as those see it who do the work.

#include <csignal>
#include <functional>

#include "dcheck/base/error.hpp"

namespace dcheck {

struct RunLimit {
  /// Cheap enough to be asked every few rows.
  std::function<bool()> is_reached = [] { return false; };
  /// Throws ResourceError, with the reason, where it is reached.
  std::function<void()> expect_room = [] {};
  /// Whether work that loses nothing by it should stop for a while: somebody waits to keep what there is.
  std::function<bool()> is_break_due = [] { return false; };
  /// The error that such work ends with, on all ranks: not that something ran out.
  static constexpr int break_signal = SIGUSR1;

  /// As expect_room(); ends work for a break as well.
  void expect_no_break() const {
    expect_room();
    if (is_break_due()) throw ResourceError("a checkpoint is due", break_signal);
  }
};

}  // namespace dcheck
