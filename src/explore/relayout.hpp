#pragma once
// Going on with a wider plan: fields that overflowed get more bits, leaf markings that were no lanes
// become lanes. Runs at a quiescent point (nothing is in a batch). Cold code.

#include "dcheck/explore/state.hpp"

namespace dcheck {

/// An empty state for the plan.
ExploreState fresh_state(const Plan& plan, MemoryBudget* budget = nullptr, bool by_level = false);

/// Adds a state that waits to be handled; does nothing where it is known. The marking must fit the plan.
void add_marking(const Plan& plan, ExploreState& state, std::span<const Tokens> marking);

/// What the parked firings need, written into the request. Returns the places whose fields overflowed.
std::vector<Place> widen_request(const Plan& plan, const Parked& parked, PlanRequest& request);

/// The same knowledge under a wider plan (same key places, same leaf); parked firings are done.
ExploreState convert(const Plan& from, ExploreState&& old, const Plan& to);

}  // namespace dcheck
