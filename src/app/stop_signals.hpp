#pragma once
// INT, TERM and HUP as requests to stop (base/stop_request.hpp). For main() alone: a library leaves signals to the
// program that uses it.
//
// The first signal asks, a second one ends the process at once, by its default action. What comes within a fifth of a
// second is the same signal again: timeout(1) and others send it to a process and to its group. A signal that was
// ignored when the program was started (nohup, a job in the background) stays so.

#include "dcheck/base/checkpoint_wish.hpp"
#include "dcheck/base/stop_request.hpp"

namespace dcheck {

/// What somebody outside may wish for, on this rank.
struct Wishes {
  StopRequest* stop = nullptr;
  const CheckpointWish* checkpoint = nullptr;
};

class StopSignals {
 public:
  /// Until the end of the object signals ask request() to stop, without a word. One object at a time.
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  StopRequest& request();
  /// USR1 wishes for a checkpoint, whenever it comes.
  Wishes wishes();

  /// From now on this process speaks for all: a signal ends it at once, with a line on stderr and 128 + its number as
  /// the exit code. For as long as there is nothing to report. Throws ResourceError where one has come before.
  void end_at_once();
  /// From now on a signal asks to stop, and a line on stderr says that it was heard.
  void ask_to_stop();
};

}  // namespace dcheck
