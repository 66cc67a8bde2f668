#pragma once
// What one rank did in a run. Rank 0 gathers them for the report.

#include <cstdint>

#include "dcheck/comm/exchange/figures.hpp"

namespace dcheck {

struct RankFigures {
  std::uint64_t states = 0, rows = 0;
  std::uint64_t row_visits = 0;
  std::uint64_t arcs = 0;        // of this rank's states
  std::uint64_t cross_arcs = 0;  // of these: to states of other ranks
  std::uint64_t queries = 0;     // successors, as states, that other ranks were asked about
  std::uint64_t store_bytes = 0, payload_bytes = 0, worklist_bytes = 0;
  std::uint64_t peak_rss_bytes = 0;
  double seconds = 0;  // exploring and checking, waiting for others included
  TrafficFigures traffic;

  /// Calls visit(name, figure) for each but the traffic, in a fixed order.
  template <typename Figures, typename Visit>
  static void for_each(Figures& f, Visit visit) {
    visit("states", f.states);
    visit("rows", f.rows);
    visit("row_visits", f.row_visits);
    visit("arcs", f.arcs);
    visit("cross_arcs", f.cross_arcs);
    visit("queries", f.queries);
    visit("store_bytes", f.store_bytes);
    visit("payload_bytes", f.payload_bytes);
    visit("worklist_bytes", f.worklist_bytes);
    visit("peak_rss_bytes", f.peak_rss_bytes);
    visit("seconds", f.seconds);
  }
  template <typename Archive>
  void serialize(Archive& archive, unsigned) {
    for_each(*this, [&](const char*, auto& figure) { archive& figure; });
    archive& traffic;
  }
};

}  // namespace dcheck
