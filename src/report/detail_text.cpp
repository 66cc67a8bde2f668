#include "report/detail_text.hpp"

#include <string_view>

#include "report/figure_rows.hpp"
#include "report/format.hpp"
#include "report/printable.hpp"
#include "report/rank_table.hpp"

namespace dcheck {
namespace {

FigureRows block() {
  return FigureRows(detail_name_columns, detail_value_columns);
}

void put_rows(Buffer& out, const Exploration& found) {
  FigureRows rows = block();
  rows.add("rows", with_separators(found.rows),
           fmt::format("{} states a row, {} {}", as_ratio(found.states, found.rows), found.lanes,
                       found.lanes == 1 ? "lane" : "lanes"));
  rows.add("row visits", with_separators(found.row_visits),
           fmt::format("{} a row", as_ratio(found.row_visits, found.rows)));
  rows.add("row operations", with_separators(found.row_operations),
           fmt::format("{} arcs each", as_ratio(found.arcs, found.row_operations)));
  rows.put_to(out);
  std::string_view plan = found.plan;
  while (!plan.empty()) {
    const std::size_t end = plan.find('\n');
    const std::string_view line = plan.substr(0, end);
    if (!line.empty()) put(out, "    {}\n", printable(line));
    plan = end == std::string_view::npos ? std::string_view() : plan.substr(end + 1);
  }
}

std::string limit_of_chains(const StoreChoice& store) {
  return store.k.value_or(0) == 0 ? "" : fmt::format(" with k = {}", *store.k);
}

/// What a store with chains is made of: where its bytes are, which rows have their keys, how long the chains are.
void put_chains(Buffer& out, const Exploration& found) {
  const StoreFigures& figures = found.store_figures;
  const auto a_row = [&](std::uint64_t bytes) { return as_ratio(bytes, found.rows); };
  put(out, "    index {}, links {}, keys {}, cache {} bytes a row; chains have {} links, {} at most\n",
      a_row(figures.index_bytes), a_row(figures.link_bytes), a_row(figures.key_bytes), a_row(figures.cache_bytes),
      a_row(figures.chain_links), with_separators(figures.longest_chain));
  std::string why =
      fmt::format("with their keys: {} by k, {} for want of a parent", with_separators(figures.explicit_by_k),
                  with_separators(figures.explicit_without_parent));
  if (figures.explicit_by_label != 0) why += fmt::format(", {} by label", with_separators(figures.explicit_by_label));
  if (figures.second_level_rows != 0)
    why += fmt::format("; {} rows found by a second hash", with_separators(figures.second_level_rows));
  FigureRows rows = block();
  rows.add("explicit rows", with_separators(figures.explicit_rows), why);
  rows.put_to(out);
}

void put_store(Buffer& out, const Exploration& found) {
  FigureRows store = block();
  store.add("store", as_bytes(found.store_bytes),
            fmt::format("{}{}, {} bits a key, {} bytes a row", name_of(found.store.kind), limit_of_chains(found.store),
                        found.key_bits, as_ratio(found.store_bytes, found.rows)));
  store.put_to(out);
  if (found.store.has_chains()) put_chains(out, found);
  FigureRows rest = block();
  rest.add("payload", as_bytes(found.payload_bytes), "lane masks");
  rest.add("worklist, plan", as_bytes(found.worklist_bytes + found.plan_bytes));
  rest.put_to(out);
}

void put_labels(Buffer& out, const LabelFigures& labels) {
  if (!labels.graph && labels.decided_locally == 0) return;
  FigureRows rows = block();
  if (labels.decided_locally != 0)
    rows.add("decided locally", with_separators(labels.decided_locally), "by few states around the initial marking");
  if (labels.graph && labels.graph->is_kept)
    rows.add("graph", as_bytes(labels.graph_bytes),
             fmt::format("{} bytes per arc, made in {}: {}", as_ratio(labels.graph_bytes, labels.graph_arcs),
                         as_duration(labels.graph_seconds), labels.graph->why));
  else if (labels.graph)
    rows.add("graph", "none", labels.graph->why);
  rows.put_to(out);
  put(out, "\n");
}

void put_times(Buffer& out, const RunReport& report) {
  const Exploration& found = report.exploration;
  FigureRows times = block();
  times.add("parse", as_duration(report.parse_seconds));
  times.add("plan", as_duration(found.plan_seconds));
  times.add("explore", as_duration(found.explore_seconds),
            found.explore_seconds > 0 ? fmt::format("{} states/s, {} arcs/s",
                                                    as_si(static_cast<double>(found.states) / found.explore_seconds),
                                                    as_si(static_cast<double>(found.arcs) / found.explore_seconds))
                                      : "");
  times.add("check", as_duration(report.check_seconds));
  times.put_to(out);
}

}  // namespace

void put_details(Buffer& out, const RunReport& report) {
  const Exploration& found = report.exploration;
  put_rows(out, found);
  put(out, "\n");
  put_store(out, found);
  put(out, "\n");
  put_labels(out, report.labels);
  put_times(out, report);
  if (report.ranks.empty()) return;
  put(out, "\n");
  if (!found.allocation.empty()) put(out, "  rows are shared out {}\n", printable_line(found.allocation));
  put_rank_table(out, report.ranks);
}

}  // namespace dcheck
