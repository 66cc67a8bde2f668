#pragma once
// Work before the first state is fired has no rows to count: analysis, planning, sampling. It says now and then how
// much it has done, and whoever started it can look at the clock and the memory, and end it.

#include <cstddef>
#include <functional>
#include <utility>

namespace dcheck {

class Patience {
 public:
  /// Endless.
  Patience() = default;
  /// `look` throws ResourceError where the work is to end; what was made by then is dropped.
  explicit Patience(std::function<void()> look) : _look(std::move(look)) {}

  /// So many steps are done: entries looked at, bytes moved, some nanoseconds each. Looks once in many steps.
  void spend(std::size_t steps) {
    if (steps < _left) {
      _left -= steps;
      return;
    }
    _left = steps_between;
    look();
  }
  void look() const {
    if (_look) _look();
  }

 private:
  static constexpr std::size_t steps_between = 50'000;

  std::function<void()> _look;
  std::size_t _left = steps_between;
};

/// One for callers that have no limits. Of each thread its own.
Patience& endless_patience();

}  // namespace dcheck
