#pragma once
// What each rank did, for the report.

#include <vector>

#include "dcheck/explore/state.hpp"
#include "dcheck/ranks/figures.hpp"
#include "dcheck/ranks/ranks.hpp"

namespace dcheck {

/// What this rank has explored.
RankFigures figures_of(const ExploreState& state);

/// Collective. Adds what this rank has sent; rank 0 of several gets the figures of all in their order, others nothing.
/// Who reports adds the peak memory, which is asked for at the very end.
std::vector<RankFigures> gather_figures(const Ranks& ranks, RankFigures figures);

}  // namespace dcheck
