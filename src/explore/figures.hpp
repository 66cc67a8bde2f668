#pragma once
// The figures of an exploration: of one rank, and of all together.

#include "dcheck/explore/explore.hpp"

namespace dcheck {

/// Writes what this rank's states and the plan tell.
void take_figures(const StateSpace& space, Exploration& figures);

/// Collective. Counts become those of all ranks together, times and maxima the largest.
void join_figures(const Ranks& ranks, Exploration& figures);

/// Adds to the reason for which an exploration stopped, where a place may be it.
void name_widest_place(const Net& net, const Structure& structure, Exploration& figures);

}  // namespace dcheck
