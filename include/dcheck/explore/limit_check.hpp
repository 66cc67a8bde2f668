#pragma once
// Looks at the clock, the memory and the counts now and then, reports progress, and says when to stop.

#include <chrono>
#include <string>

#include "dcheck/base/patience.hpp"
#include "dcheck/explore/explore.hpp"
#include "dcheck/explore/state.hpp"

namespace dcheck {

/// Resident bytes of this process; 0 where the system does not tell.
std::uint64_t resident_bytes();

/// For work beside the exploration: ends, every few milliseconds of it at most, where time or memory is at its end. The
/// limits are those of `options`, which must outlive it.
Patience patience_within(const ExploreOptions& options);

/// One line for the moment at which the memory limit is met: which limit it is, and what helps.
/// @pre There is one.
std::string memory_limit_text(const ExploreOptions& options);

class LimitCheck {
 public:
  LimitCheck(const ExploreOptions& options, const ExploreState& state);

  /// Cheap enough to be asked every few thousand rows. True as well while this rank has its quota of states.
  bool reached();
  /// One line, once reached() was true; empty where only the quota was.
  const std::string& reason() const { return _reason; }

  /// So many states may be found here before all ranks must be asked. To begin with there is no quota.
  void set_quota(std::uint64_t states) { _quota = states; }

 private:
  const ExploreOptions& _options;
  const ExploreState& _state;
  std::chrono::steady_clock::time_point _last_look;
  std::uint64_t _quota = ~std::uint64_t{0};
  std::string _reason;
};

}  // namespace dcheck
