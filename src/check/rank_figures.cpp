#include "check/rank_figures.hpp"

#include "dcheck/comm/collectives.hpp"

namespace dcheck {

RankFigures figures_of(const ExploreState& state) {
  RankFigures figures;
  figures.states = state.states;
  figures.rows = state.row_count();
  figures.row_visits = state.row_visits;
  figures.arcs = state.arcs;
  figures.cross_arcs = state.cross_arcs;
  figures.store_bytes = state.store_bytes();
  figures.payload_bytes = state.payload_bytes();
  figures.worklist_bytes = state.worklist_bytes();
  return figures;
}

std::vector<RankFigures> gather_figures(const Ranks& ranks, RankFigures figures) {
  if (ranks.is_alone()) return {};
  figures.traffic = ranks.exchange().figures();
  return gather(ranks.cluster(), figures);
}

}  // namespace dcheck
