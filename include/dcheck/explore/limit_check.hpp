#pragma once
// Looks at the clock, the memory and the counts now and then, reports progress, and says when to stop.

#include <string>

#include "dcheck/base/patience.hpp"
#include "dcheck/base/run_limit.hpp"
#include "dcheck/explore/explore.hpp"

namespace dcheck {

/// Resident bytes of this process; 0 where the system does not tell.
std::uint64_t resident_bytes();

/// For work beside the exploration: ends, every few milliseconds of it at most, where time or memory is at its end or
/// somebody asks to stop, and tells of the progress. The limits are those of `options`, which must outlive it.
Patience patience_within(const ExploreOptions& options);

/// One line for the moment at which the memory limit is met: which limit it is, and what helps.
/// @pre There is one.
std::string memory_limit_text(const ExploreOptions& options);

class LimitCheck {
 public:
  LimitCheck(const ExploreOptions& options, const ExploreState& state);

  /// Cheap enough to be asked every few rows. True as well while this rank has its quota of states. Somebody's asking
  /// to stop is seen at once, the limits every few milliseconds.
  bool reached();
  /// One line, once reached() was true; empty where only the quota was.
  const std::string& reason() const { return _reason; }
  /// The signal by which somebody asked to stop, where that is the reason; else 0.
  int signal() const { return _signal; }

  /// Throws ResourceError with the reason where reached() is true for one.
  void expect_room();
  /// Something was given back: the next look is one at the limits, however soon it comes.
  void look_anew() { _last_look = {}; }

  /// The same for those who label; it must not outlive this.
  RunLimit run_limit() {
    return {[this] { return reached() && !_reason.empty(); }, [this] { expect_room(); }};
  }

  /// So many states may be found here before all ranks must be asked. To begin with there is no quota.
  void set_quota(std::uint64_t states) { _quota = states; }

 private:
  void tell(std::uint64_t memory_bytes, double seconds) const;

  const ExploreOptions& _options;
  const ExploreState& _state;
  RunClock::time_point _last_look;
  std::uint64_t _quota = ~std::uint64_t{0};
  std::string _reason;
  int _signal = 0;
};

}  // namespace dcheck
