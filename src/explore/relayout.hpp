#pragma once
// Going on with a wider plan: fields that overflowed get more bits, leaf markings that were no lanes
// become lanes. Runs at a quiescent point (nothing is in a batch). Cold code.

#include <map>
#include <set>

#include "dcheck/explore/state.hpp"

namespace dcheck {

/// What parked firings need of the next plan.
struct Widening {
  std::map<Place, unsigned> width;   // places whose fields overflowed: at least so many bits
  std::map<Place, Tokens> key_part;  // the same where a place depends on the lane too: the key's part is so large
  std::set<LeafMarking> lanes;       // leaf markings that are no lanes

  bool is_needed() const { return has_growth() || !lanes.empty(); }
  /// Some place has more tokens than were expected.
  bool has_growth() const { return !width.empty() || !key_part.empty(); }
  void join(const Widening& other);
  /// What fits the plan that the request has led to fits the next one as well.
  void widen(PlanRequest& request, const Plan& plan) const;
};
Widening widening_for(const Plan& plan, const Parked& parked);

/// What a state knows beside its rows: counts, largest numbers, goals.
void carry_figures(const ExploreState& from, ExploreState& to);

/// The same knowledge under a wider plan (same key places, same leaf); what parked firings lead to waits to be
/// delivered.
ExploreState convert(const Plan& from, const ExploreState& old, const Plan& to);

}  // namespace dcheck
