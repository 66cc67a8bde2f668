#include "explore/figures.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace dcheck {

void take_figures(const StateSpace& space, Exploration& figures) {
  const ExploreState& state = space.state;
  const Plan& plan = *space.plan;
  figures.states = state.states;
  figures.arcs = state.arcs;
  figures.deadlocks = state.deadlocks;
  figures.max_tokens = state.maxima.place;
  figures.max_tokens_in_marking = state.maxima.marking;
  figures.rows = state.row_count();
  figures.lanes = plan.lane_count();
  figures.row_operations = state.row_operations;
  figures.row_visits = state.row_visits;
  if (state.choice.by_level && state.levels_begun != 0) figures.levels = state.levels_begun - 1;
  figures.plan = plan.explain();
  figures.key_bits = plan.layout().stored_bits();
  figures.store_bytes = state.store_bytes();
  figures.payload_bytes = state.payload_bytes();
  figures.worklist_bytes = state.worklist_bytes();
  figures.plan_bytes = plan.bytes();
}

void join_figures(const Ranks& ranks, Exploration& figures) {
  if (ranks.is_alone()) return;
  std::uint64_t* const counts[] = {&figures.states,      &figures.arcs,          &figures.deadlocks,
                                   &figures.rows,        &figures.row_visits,    &figures.row_operations,
                                   &figures.store_bytes, &figures.payload_bytes, &figures.worklist_bytes,
                                   &figures.plan_bytes};
  std::vector<std::uint64_t> sums;
  for (const std::uint64_t* count : counts) sums.push_back(*count);
  ranks.agree(sums, Combine::sum);
  for (std::size_t i = 0; i < sums.size(); ++i) *counts[i] = sums[i];

  // Numbers of tokens are not negative, nor are times, whose bits are ordered as they are.
  std::vector<std::uint64_t> largest{static_cast<std::uint64_t>(figures.max_tokens_in_marking),
                                     std::bit_cast<std::uint64_t>(figures.plan_seconds),
                                     std::bit_cast<std::uint64_t>(figures.explore_seconds)};
  for (const Tokens tokens : figures.max_tokens) largest.push_back(static_cast<std::uint64_t>(tokens));
  ranks.agree(largest, Combine::max);
  figures.max_tokens_in_marking = static_cast<Tokens>(largest[0]);
  figures.plan_seconds = std::bit_cast<double>(largest[1]);
  figures.explore_seconds = std::bit_cast<double>(largest[2]);
  std::transform(largest.begin() + 3, largest.end(), figures.max_tokens.begin(),
                 [](std::uint64_t tokens) { return static_cast<Tokens>(tokens); });
}

}  // namespace dcheck
