#include "explore/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <type_traits>
#include <vector>

#include "dcheck/space/fresh_state.hpp"

namespace dcheck {

void take_figures(const StateSpace& space, Exploration& figures) {
  const ExploreState& state = space.state;
  const Plan& plan = *space.plan;
  figures.states = state.counts.states;
  figures.arcs = state.counts.arcs;
  figures.deadlocks = state.counts.deadlocks;
  figures.max_tokens = state.maxima.place;
  figures.max_tokens_in_marking = state.maxima.marking;
  figures.rows = state.row_count();
  figures.lanes = plan.lane_count();
  figures.row_operations = state.counts.row_operations;
  figures.row_visits = state.counts.row_visits;
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

RankFigures figures_of(const ExploreState& state) {
  RankFigures figures;
  figures.states = state.counts.states;
  figures.rows = state.row_count();
  figures.row_visits = state.counts.row_visits;
  figures.arcs = state.counts.arcs;
  figures.cross_arcs = state.counts.cross_arcs;
  figures.store_bytes = state.store_bytes();
  figures.payload_bytes = state.payload_bytes();
  figures.worklist_bytes = state.worklist_bytes();
  return figures;
}

namespace {

/// Calls visit(figure) for each figure that is a sum over ranks.
template <typename Visit>
void for_each_sum(Exploration& f, Visit visit) {
  for (std::uint64_t* const figure : {&f.states, &f.arcs, &f.deadlocks, &f.rows, &f.row_visits, &f.row_operations,
                                      &f.store_bytes, &f.payload_bytes, &f.worklist_bytes, &f.plan_bytes})
    visit(*figure);
  f.store_figures.for_each_sum(visit);
}

/// The same for those of which the largest counts, as numbers that are ordered as they are: numbers of tokens are not
/// negative, nor are times.
template <typename Visit>
void for_each_largest(Exploration& f, Visit visit) {
  const auto visit_as = [&](auto& figure) {
    auto number = std::bit_cast<std::uint64_t>(figure);
    visit(number);
    figure = std::bit_cast<std::remove_reference_t<decltype(figure)>>(number);
  };
  visit_as(f.max_tokens_in_marking);
  visit_as(f.plan_seconds);
  visit_as(f.explore_seconds);
  visit_as(f.store_figures.longest_chain);
  for (Tokens& tokens : f.max_tokens) visit_as(tokens);
}

}  // namespace

void join_figures(const Ranks& ranks, Exploration& figures) {
  if (ranks.is_alone()) return;
  const auto join = [&](const auto& for_each, Combine how) {
    std::vector<std::uint64_t> all;
    for_each([&](const std::uint64_t& figure) { all.push_back(figure); });
    ranks.agree(all, how);
    auto next = all.begin();
    for_each([&](std::uint64_t& figure) { figure = *next++; });
  };
  const Combine counts = figures.store.is_lossy() ? Combine::max : Combine::sum;  // ranks explore by themselves then
  join([&](const auto& visit) { for_each_sum(figures, visit); }, counts);
  join([&](const auto& visit) { for_each_largest(figures, visit); }, Combine::max);
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
