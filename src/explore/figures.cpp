#include "explore/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "explore/fresh_state.hpp"

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
  figures.store = store_under(plan, state.choice);
  if (state.rows) figures.store_figures = state.rows->figures();
  figures.store_bytes = state.store_bytes();
  figures.payload_bytes = state.payload_bytes();
  figures.worklist_bytes = state.worklist_bytes();
  figures.plan_bytes = plan.bytes();
}

namespace {

/// All figures of stores that are sums over ranks.
std::vector<std::uint64_t*> sums_of(StoreFigures& f) {
  return {&f.index_bytes,
          &f.link_bytes,
          &f.key_bytes,
          &f.cache_bytes,
          &f.explicit_rows,
          &f.explicit_by_k,
          &f.explicit_without_parent,
          &f.explicit_by_label,
          &f.parents_found,
          &f.chain_links,
          &f.updated_predecessors,
          &f.comparisons,
          &f.comparison_links,
          &f.reads,
          &f.read_links,
          &f.cache_hits};
}

}  // namespace

void join_figures(const Ranks& ranks, Exploration& figures) {
  if (ranks.is_alone()) return;
  std::vector<std::uint64_t*> counts = {&figures.states,      &figures.arcs,          &figures.deadlocks,
                                        &figures.rows,        &figures.row_visits,    &figures.row_operations,
                                        &figures.store_bytes, &figures.payload_bytes, &figures.worklist_bytes,
                                        &figures.plan_bytes};
  for (std::uint64_t* const sum : sums_of(figures.store_figures)) counts.push_back(sum);
  std::vector<std::uint64_t> sums;
  for (const std::uint64_t* count : counts) sums.push_back(*count);
  ranks.agree(sums, Combine::sum);
  for (std::size_t i = 0; i < sums.size(); ++i) *counts[i] = sums[i];

  // Numbers of tokens are not negative, nor are times, whose bits are ordered as they are.
  std::vector<std::uint64_t> largest{
      static_cast<std::uint64_t>(figures.max_tokens_in_marking), std::bit_cast<std::uint64_t>(figures.plan_seconds),
      std::bit_cast<std::uint64_t>(figures.explore_seconds), figures.store_figures.longest_chain};
  for (const Tokens tokens : figures.max_tokens) largest.push_back(static_cast<std::uint64_t>(tokens));
  ranks.agree(largest, Combine::max);
  figures.max_tokens_in_marking = static_cast<Tokens>(largest[0]);
  figures.plan_seconds = std::bit_cast<double>(largest[1]);
  figures.explore_seconds = std::bit_cast<double>(largest[2]);
  figures.store_figures.longest_chain = largest[3];
  std::transform(largest.begin() + 4, largest.end(), figures.max_tokens.begin(),
                 [](std::uint64_t tokens) { return static_cast<Tokens>(tokens); });
}

namespace {

bool implies_deadlock(const Expression& predicate) {
  using Kind = Expression::Kind;
  if (predicate.kind == Kind::conjunction) return std::ranges::any_of(predicate.children, implies_deadlock);
  return predicate.kind == Kind::deadlock;
}

}  // namespace

void count_deadlock_found(const SearchGoals& goals, const GoalState& found, Exploration& figures) {
  for (std::size_t i = 0; i < found.found.size(); ++i)
    if (found.found[i] && implies_deadlock(goals.targets[i]))
      figures.deadlocks = std::max<std::uint64_t>(figures.deadlocks, 1);
}

void name_widest_place(const Net& net, const Structure& structure, Exploration& figures) {
  const std::vector<Tokens>& most = figures.max_tokens;
  if (figures.unbounded || most.empty()) return;
  const auto widest = std::max_element(most.begin(), most.end());
  const auto place = static_cast<Place>(widest - most.begin());
  if (structure.bounds[index(place)]) return;
  figures.stop_reason +=
      fmt::format("; no invariant bounds place '{}', the widest: {} tokens so far", net.name(place), *widest);
}

}  // namespace dcheck
