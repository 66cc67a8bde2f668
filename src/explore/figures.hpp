#pragma once
// The figures of an exploration: of one rank, and of all together.

#include "dcheck/explore/explore.hpp"

namespace dcheck {

/// Writes what this rank's states and the plan tell.
void take_figures(const StateSpace& space, Exploration& figures);

/// Collective. Counts become those of all ranks together, times and maxima the largest.
void join_figures(const Ranks& ranks, Exploration& figures);

}  // namespace dcheck
