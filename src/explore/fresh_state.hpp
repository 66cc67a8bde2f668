#pragma once
// States of an exploration at their beginning.

#include "dcheck/explore/state.hpp"

namespace dcheck {

/// What the choice means under this plan: nothing of it is left open.
StoreChoice store_under(const Plan& plan, const RowChoice& choice);

/// An empty state for the plan.
ExploreState fresh_state(const Plan& plan, const RowChoice& choice = {}, MemoryBudget* budget = nullptr);

/// Adds a row, which does not wait by that, and returns its number; known ones have theirs.
RowStore::Row add_row(RowStore& rows, const std::vector<std::uint64_t>& key);

/// Adds a state that waits to be handled; does nothing where it is known. The marking must fit the plan.
void add_marking(const Plan& plan, ExploreState& state, std::span<const Tokens> marking);

}  // namespace dcheck
