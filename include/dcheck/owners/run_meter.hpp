#pragma once
// What ranks did with their time between two looks at it: how much of it they worked, and what an arc to another rank
// cost beside one that stays. So a slow network is noticed without being measured apart.

#include "dcheck/base/run_clock.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

class RunMeter {
 public:
  /// They must outlive it.
  explicit RunMeter(const Ranks& ranks) : _ranks(ranks) {}

  /// From now on.
  void begin(const StateSpace& space);
  /// Since the very first begin(), by this rank's clock. Not collective.
  std::uint64_t elapsed_ns() const;
  struct Interval {
    double working = 1;     // share of the time of all ranks
    double cross_cost = 0;  // of an arc to another rank beside an arc; 0: too few were seen
  };
  /// Of this rank alone, since begin(). Not collective.
  Interval own(const StateSpace& space) const;
  /// Collective: of all ranks since begin(), and begins again.
  Interval lap(const StateSpace& space);

 private:
  struct Standing {
    std::uint64_t time = 0, idle = 0, traffic = 0;  // nanoseconds
    std::uint64_t arcs = 0, cross_arcs = 0, records = 0;
  };
  Standing standing_of(const StateSpace& space) const;
  Standing since_begin(const StateSpace& space) const;
  static Interval interval_of(const Standing& spent);

  const Ranks& _ranks;
  std::optional<std::uint64_t> _start;
  Standing _last;
};

}  // namespace dcheck
