#pragma once
// The arcs between lanes of one row, by transitions that do not change its key: per lane those that lead into it. For
// few lanes at a time this is quicker than moving whole masks.

#include <span>
#include <vector>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

class LaneArcs {
 public:
  struct Arc {
    std::uint32_t transition;  // its number among those that stay
    Lane from;
  };

  /// Empty where there would be too many arcs to keep.
  explicit LaneArcs(const Plan& plan);

  bool empty() const { return _arcs.empty(); }
  /// How many lead into a lane, in the mean.
  double per_lane() const { return _per_lane; }
  /// How many transitions stay, and the number of one of them.
  std::size_t staying_count() const { return _staying_count; }
  std::uint32_t number_of(PlanTransition t) const { return _numbers[index(t)]; }

  /// All arcs into a lane, but those from itself. What depends on the key is not looked at.
  std::span<const Arc> into(Lane lane) const {
    return std::span(_arcs).subspan(_first[index(lane)], _first[index(lane) + 1] - _first[index(lane)]);
  }

 private:
  std::vector<std::uint32_t> _numbers;  // per transition of the plan
  std::size_t _staying_count = 0;
  std::vector<std::uint32_t> _first;  // per lane and one more, into _arcs
  std::vector<Arc> _arcs;
  double _per_lane = 0;
};

}  // namespace dcheck
