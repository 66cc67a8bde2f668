#pragma once
// States of an exploration at their beginning.

#include "dcheck/space/explore_state.hpp"

namespace dcheck {

/// What the choice means under this plan: stores with chains have their k.
StoreChoice store_under(const Plan& plan, const RowChoice& choice);

/// An empty state for the plan.
ExploreState fresh_state(const Plan& plan, const RowChoice& choice = {}, MemoryBudget* budget = nullptr);

/// What a state knows beside its rows: largest numbers, goals, counts but for that of the states.
void carry_knowledge(const ExploreState& from, ExploreState& to);

/// Adds a state that waits to be handled; does nothing where it is known. The marking must fit the plan.
void add_marking(const Plan& plan, ExploreState& state, std::span<const Tokens> marking);

}  // namespace dcheck
