#pragma once
// How long something has taken, by the clock of the run.

#include <chrono>

#include "dcheck/base/run_clock.hpp"

namespace dcheck {

class Stopwatch {
 public:
  using Clock = RunClock;

  /// Runs from now on, or since a moment in the past.
  explicit Stopwatch(Clock::time_point start = Clock::now()) : _start(start) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - _start).count(); }
  Clock::time_point start() const { return _start; }

 private:
  Clock::time_point _start;
};

}  // namespace dcheck
