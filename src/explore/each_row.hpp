#pragma once
// All rows of a state that was explored, whatever they are kept in.

#include "dcheck/explore/state.hpp"

namespace dcheck {

/// visit(key, reached lanes) for this rank's rows, in no order that is promised.
template <typename Visit>
void for_each_row(const Plan& plan, const ExploreState& state, Visit&& visit) {
  constexpr std::uint64_t one_lane = 1;
  if (state.slots)
    return state.slots->for_each([&](std::uint64_t, std::uint64_t key, bool) { visit(&key, &one_lane); });
  std::vector<std::uint64_t> key(plan.layout().stored_words());
  state.rows->for_each([&](RowStore::Row row) {
    state.rows->key(row, key.data());
    visit(key.data(), plan.leaf().empty() ? &one_lane : state.reached.data() + row * plan.words());
  });
}

}  // namespace dcheck
