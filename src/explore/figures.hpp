#pragma once
// The figures of an exploration: of one rank, and of all together.

#include "dcheck/explore/explore.hpp"

namespace dcheck {

/// Writes what this rank's states and the plan tell.
void take_figures(const StateSpace& space, Exploration& figures);

/// What this rank has explored.
RankFigures figures_of(const ExploreState& state);

/// Collective. Counts become those of all ranks together, times and maxima the largest.
void join_figures(const Ranks& ranks, Exploration& figures);

/// A search that ends with what it finds may end before it counts the deadlock that it has found: then there is one.
void count_deadlock_found(const SearchGoals& goals, const GoalState& found, Exploration& figures);

/// Adds to the reason for which an exploration stopped, where a place may be it.
void name_widest_place(const Net& net, const Structure& structure, Exploration& figures);

}  // namespace dcheck
