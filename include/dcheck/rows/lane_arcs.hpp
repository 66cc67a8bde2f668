#pragma once
// The arcs between lanes of one row, by transitions that do not change its key. For few lanes at a time they are
// quicker than moving whole masks.

#include <span>
#include <vector>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

class LaneArcs {
 public:
  struct Arc {
    std::uint32_t transition;  // its number among those that stay
    Lane lane;                 // at the other end
  };

  /// Empty where there would be too many arcs to keep.
  explicit LaneArcs(const Plan& plan);

  bool empty() const { return _into.arcs.empty(); }
  /// How many lead into a lane, in the mean.
  double per_lane() const { return _per_lane; }
  /// How many transitions stay, and the number of one of them.
  std::size_t staying_count() const { return _staying_count; }
  std::uint32_t number_of(PlanTransition t) const { return _numbers[index(t)]; }

  // All arcs that lead into a lane or out of it, but those to itself. What depends on the key is not looked at.
  std::span<const Arc> into(Lane lane) const { return _into.of(lane); }
  std::span<const Arc> out_of(Lane lane) const { return _out_of.of(lane); }

 private:
  /// The arcs of all lanes, one lane after another.
  struct Lists {
    std::vector<std::uint32_t> first;  // per lane and one more, into arcs
    std::vector<Arc> arcs;

    void set(const std::vector<std::vector<Arc>>& of_lanes);
    std::span<const Arc> of(Lane lane) const {
      return std::span(arcs).subspan(first[index(lane)], first[index(lane) + 1] - first[index(lane)]);
    }
  };

  std::vector<std::uint32_t> _numbers;  // per transition of the plan
  std::size_t _staying_count = 0;
  Lists _into, _out_of;
  double _per_lane = 0;
};

}  // namespace dcheck
