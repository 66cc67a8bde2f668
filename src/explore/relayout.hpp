#pragma once
// Going on with a wider plan: fields that overflowed get more bits, leaf markings that were no lanes
// become lanes. Runs at a quiescent point (nothing is in a batch). Cold code.

#include <map>
#include <set>

#include "dcheck/explore/state.hpp"

namespace dcheck {

/// What parked firings need of the next plan.
struct Widening {
  std::map<Place, unsigned> width;  // places whose fields overflowed: at least so many bits
  std::set<LeafMarking> lanes;      // leaf markings that are no lanes

  bool is_needed() const { return !width.empty() || !lanes.empty(); }
  void join(const Widening& other);
  /// `lanes` of the plan that the request has led to stay lanes.
  void widen(PlanRequest& request, const std::vector<LeafMarking>& lanes_so_far) const;
};
Widening widening_for(const Plan& plan, const Parked& parked);

/// What a state knows beside its rows: counts, largest numbers, goals.
void carry_figures(const ExploreState& from, ExploreState& to);

/// The same knowledge under a wider plan (same key places, same leaf); what parked firings lead to waits to be
/// delivered.
ExploreState convert(const Plan& from, const ExploreState& old, const Plan& to);

}  // namespace dcheck
