#pragma once
// Going on with a wider plan: fields that overflowed get more bits, leaf markings that were no lanes
// become lanes. Runs at a quiescent point (nothing is in a batch). Cold code.

#include <map>
#include <set>
#include <vector>

#include "dcheck/space/explore_state.hpp"

namespace dcheck {

/// What rows need of the plan they have.
struct PlanUse {
  std::vector<std::uint64_t> lanes;  // per lane: 1 where some row has reached it, otherwise 0: a guess so far
  /// For each place that depends on key and lane and that no invariant bounds, in order: the largest key part of all
  /// rows plus `offset`; 0 where there are no rows.
  std::vector<std::uint64_t> key_parts;
  static constexpr std::uint64_t offset = std::uint64_t{1} << 62;
};
/// Of this rank's rows. Of all ranks': the largest of each number.
PlanUse use_of(const Plan& plan, const ExploreState& state);

/// What parked firings need of the next plan.
struct Widening {
  std::map<Place, unsigned> width;   // places whose fields overflowed: at least so many bits
  std::map<Place, Tokens> key_part;  // of places that depend on the lane too: how large the key's part gets
  std::set<LeafMarking> lanes;       // leaf markings that firings lead to

  bool is_needed() const { return !width.empty() || !key_part.empty() || !lanes.empty(); }
  void join(const Widening& other);
  /// All that is in use of the plan that the request has led to fits the next one as well.
  void widen(PlanRequest& request, const Plan& plan, const PlanUse& in_use) const;
};
Widening widening_for(const Plan& plan, const Parked& parked);

/// The same knowledge under a wider plan (same key places, same leaf); what parked firings lead to waits to be
/// delivered.
ExploreState convert(const Plan& from, const ExploreState& old, const Plan& to);

}  // namespace dcheck
