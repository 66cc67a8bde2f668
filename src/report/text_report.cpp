#include <algorithm>
#include <numeric>
#include <string_view>

#include "dcheck/report/report.hpp"
#include "report/buffer.hpp"
#include "report/format.hpp"
#include "report/path.hpp"
#include "report/printable.hpp"
#include "report/rank_table.hpp"
#include "report/verdict_text.hpp"
#include "report/witness_text.hpp"

namespace dcheck {
namespace {

void put_row(Buffer& out, std::string_view what, std::string_view value, std::string_view remark = "") {
  if (remark.empty()) {
    put(out, "  {:<16}{:>18}\n", what, value);
  } else {
    put(out, "  {:<16}{:>18}   {}\n", what, value, remark);
  }
}

void put_heading(Buffer& out, const RunReport& report) {
  const Net& net = *report.net;
  put(out, "{}: {} places, {} transitions", printable(net.name()), with_separators(net.place_count()),
      with_separators(net.transition_count()));
  for (const auto& [name, value] : report.parameters) put(out, ", {} = {}", printable(name), value);
  if (report.rank_count() > 1) put(out, ", {} ranks", report.rank_count());
  put(out, "\n\n");
}

std::string fullest_place(const Net& net, const std::vector<Tokens>& max_tokens) {
  const auto fullest = std::max_element(max_tokens.begin(), max_tokens.end());
  if (fullest == max_tokens.end() || *fullest == 0) return "no place is ever marked";
  const auto others = std::count(max_tokens.begin(), max_tokens.end(), *fullest) - 1;
  const std::vector<Place> places = net.places_as_written();
  const Place first =
      *std::find_if(places.begin(), places.end(), [&](Place p) { return max_tokens[index(p)] == *fullest; });
  const std::string name = printable(net.name(first));
  return others == 0 ? "in " + name : fmt::format("in {} and {} more", name, others);
}

void put_counts(Buffer& out, const RunReport& report) {
  const Exploration& found = report.exploration;
  const std::string_view partial = found.complete ? "" : "reached, not all";
  put_row(out, "states", with_separators(found.states), partial);
  put_row(out, "arcs", with_separators(found.arcs), partial);
  put_row(out, "deadlocks", with_separators(found.deadlocks), partial);
  if (found.levels) put_row(out, "levels", with_separators(*found.levels), "steps to the farthest state");
  const Tokens most =
      found.max_tokens.empty() ? 0 : *std::max_element(found.max_tokens.begin(), found.max_tokens.end());
  put_row(out, "tokens in place", with_separators(static_cast<std::uint64_t>(most)),
          "at most, " + fullest_place(*report.net, found.max_tokens));
  put_row(out, "tokens in all", with_separators(static_cast<std::uint64_t>(found.max_tokens_in_marking)),
          "at most, in one marking");
}

void put_rows(Buffer& out, const Exploration& found) {
  put_row(out, "rows", with_separators(found.rows),
          fmt::format("{} states a row, {} {}", as_ratio(found.states, found.rows), found.lanes,
                      found.lanes == 1 ? "lane" : "lanes"));
  put_row(out, "row visits", with_separators(found.row_visits),
          fmt::format("{} a row", as_ratio(found.row_visits, found.rows)));
  put_row(out, "row operations", with_separators(found.row_operations),
          fmt::format("{} arcs each", as_ratio(found.arcs, found.row_operations)));
  std::string_view plan = found.plan;
  while (!plan.empty()) {
    const std::size_t end = plan.find('\n');
    const std::string_view line = plan.substr(0, end);
    if (!line.empty()) put(out, "    {}\n", printable(line));
    plan = end == std::string_view::npos ? std::string_view() : plan.substr(end + 1);
  }
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

std::string largest_rank(const std::vector<std::uint64_t>& bytes) {
  if (bytes.size() < 2) return "";
  return fmt::format("all ranks; at most {} in one; ", as_bytes(*std::max_element(bytes.begin(), bytes.end())));
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
  put_row(out, "explicit rows", with_separators(figures.explicit_rows), why);
}

void put_memory(Buffer& out, const RunReport& report) {
  const Exploration& found = report.exploration;
  put_row(out, "store", as_bytes(found.store_bytes),
          fmt::format("{}{}, {} bits a key, {} bytes a row", name_of(found.store.kind), limit_of_chains(found.store),
                      found.key_bits, as_ratio(found.store_bytes, found.rows)));
  if (found.store.kind != StoreChoice::Kind::packed) put_chains(out, found);
  put_row(out, "payload", as_bytes(found.payload_bytes), "lane masks");
  put_row(out, "worklist, plan", as_bytes(found.worklist_bytes + found.plan_bytes));
  put_row(out, "peak memory", as_bytes(sum_of(report.peak_rss_bytes)),
          fmt::format("{}store and payload: {} bytes a state", largest_rank(report.peak_rss_bytes),
                      as_ratio(found.store_bytes + found.payload_bytes, found.states)));
}

void put_times(Buffer& out, const RunReport& report) {
  const Exploration& found = report.exploration;
  std::string speed;
  if (found.explore_seconds > 0) {
    speed = fmt::format("{} states/s, {} arcs/s", as_si(static_cast<double>(found.states) / found.explore_seconds),
                        as_si(static_cast<double>(found.arcs) / found.explore_seconds));
  }
  put_row(out, "explore", as_duration(found.explore_seconds), speed);
  put_row(out, "total time", as_duration(report.total_seconds),
          fmt::format("parse {}, plan {}, check {}", as_duration(report.parse_seconds), as_duration(found.plan_seconds),
                      as_duration(report.check_seconds)));
}

/// Long paths are cut in the middle; the JSON has them whole.
void put_path(Buffer& out, const Net& net, const std::vector<PathStep>& steps) {
  constexpr std::size_t shown_at_each_end = 30, name_columns = 20;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == shown_at_each_end && steps.size() > 2 * shown_at_each_end) {
      const std::size_t hidden = steps.size() - 2 * shown_at_each_end;
      put(out, "    ... {} more steps, all of them in the JSON ...\n", with_separators(hidden));
      i += hidden;
    }
    put(out, "    ");
    put_step(out, net, steps[i], name_columns);
  }
}

void put_unbounded(Buffer& out, const Net& net, const UnboundedEvidence& evidence) {
  std::vector<Tokens> marking(net.initial().begin(), net.initial().end());
  const auto prefix = replay(net, marking, evidence.prefix);
  const auto pump = replay(net, marking, evidence.pump);
  put(out, "\nunbounded: {} can hold any number of tokens\n", printable(net.name(evidence.place)));
  if (prefix.empty()) {
    put(out, "  from the initial marking, again and again:\n");
  } else {
    put(out, "  from the initial marking fire\n");
    put_path(out, net, prefix);
    put(out, "  then again and again\n");
  }
  put_path(out, net, pump);
}

void put_test(Buffer& out, const TestResult& test) {
  put(out, "\ntest {}: ", name_of(test.kind));
  if (!test.sat_states) {
    put(out, "not finished: {}\n", printable_line(test.reason));
    return;
  }
  put(out, "{} states satisfy it", with_separators(*test.sat_states));
  if (test.eating_states) put(out, ", {} eat", with_separators(*test.eating_states));
  if (test.iterations) put(out, ", {} iterations", with_separators(*test.iterations));
  put(out, ", {}\n", as_duration(test.seconds));
}

}  // namespace

std::string text_report(const RunReport& report) {
  const Exploration& found = report.exploration;
  Buffer out;
  put_heading(out, report);
  put_counts(out, report);
  put(out, "\n");
  put_rows(out, found);
  put(out, "\n");
  put_memory(out, report);
  put_times(out, report);
  if (!report.ranks.empty()) {
    put(out, "\n");
    if (!found.allocation.empty()) put(out, "  rows are shared out {}\n", printable_line(found.allocation));
    put_rank_table(out, report.ranks);
  }
  if (found.unbounded) put_unbounded(out, *report.net, *found.unbounded);
  if (!found.complete) put(out, "\nstopped: {}\n", printable_line(found.stop_reason));
  if (report.test) put_test(out, *report.test);
  if (!report.properties.empty()) put(out, "\n");
  put_verdicts(out, *report.net, report.properties);
  return fmt::to_string(out);
}

}  // namespace dcheck
