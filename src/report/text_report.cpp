#include <algorithm>
#include <numeric>
#include <string_view>

#include "dcheck/report/heading.hpp"
#include "report/buffer.hpp"
#include "report/detail_text.hpp"
#include "report/figure_rows.hpp"
#include "report/format.hpp"
#include "report/path.hpp"
#include "report/printable.hpp"
#include "report/verdict_text.hpp"
#include "report/witness_text.hpp"

namespace dcheck {
namespace {

void put_heading(Buffer& out, const RunReport& report) {
  const Net& net = *report.net;
  put(out, "{}: {} places, {} transitions", printable(net.name()), with_separators(net.place_count()),
      with_separators(net.transition_count()));
  for (const auto& [name, value] : report.parameters) put(out, ", {} = {}", printable(name), value);
  if (report.rank_count() > 1) put(out, ", {} ranks", report.rank_count());
  put(out, "\n");
}

std::string fullest_place(const Net& net, const std::vector<Tokens>& max_tokens) {
  const auto fullest = std::max_element(max_tokens.begin(), max_tokens.end());
  const auto others = std::count(max_tokens.begin(), max_tokens.end(), *fullest) - 1;
  const std::vector<Place> places = net.places_as_written();
  const Place first =
      *std::find_if(places.begin(), places.end(), [&](Place p) { return max_tokens[index(p)] == *fullest; });
  const std::string name = printable(net.name(first));
  return others == 0 ? name : fmt::format("{} and {} more", name, others);
}

/// A count, which is no more than a lower bound where the exploration did not come to its end.
std::string counted(const Exploration& found, std::uint64_t count) {
  return (found.complete ? "" : "at least ") + with_separators(count);
}

void add_tokens(FigureRows& rows, const RunReport& report) {
  const Exploration& found = report.exploration;
  const std::vector<Tokens>& most = found.max_tokens;
  if (most.empty()) return;
  const Tokens largest = *std::max_element(most.begin(), most.end());
  if (largest == 0) return rows.add("tokens", "0", found.complete ? "no place is ever marked" : "in what was reached");
  rows.add("tokens", counted(found, static_cast<std::uint64_t>(largest)),
           fmt::format("{}in one place ({}), {} in one marking", found.complete ? "at most " : "",
                       fullest_place(*report.net, most),
                       counted(found, static_cast<std::uint64_t>(found.max_tokens_in_marking))));
}

void add_counts(FigureRows& rows, const RunReport& report) {
  const Exploration& found = report.exploration;
  if (found.resumed)
    rows.add("resumed", with_separators(*found.resumed), "states that " + printable(report.resumed_from) + " had");
  if (!found.complete && found.states == 0) return rows.add("states", "none", "nothing was explored");
  const std::string_view partial = found.complete    ? ""
                                   : found.is_enough ? "all that was asked is decided; --full explores the rest"
                                                     : "not all were reached";
  rows.add("states", counted(found, found.states), std::string(partial));
  rows.add("arcs", counted(found, found.arcs));
  rows.add("deadlocks", !found.complete && found.deadlocks == 0 ? "none so far" : counted(found, found.deadlocks));
  if (found.levels) rows.add("levels", counted(found, *found.levels), "steps to the farthest state");
  add_tokens(rows, report);
}

std::string about_memory(const RunReport& report) {
  const Exploration& found = report.exploration;
  const std::vector<std::uint64_t>& bytes = report.peak_rss_bytes;
  std::string text;
  if (bytes.size() > 1)
    text = fmt::format("all ranks, at most {} in one", as_bytes(*std::max_element(bytes.begin(), bytes.end())));
  if (found.states != 0)
    text += fmt::format("{}states take {} bytes each", text.empty() ? "" : "; ",
                        as_ratio(found.store_bytes + found.payload_bytes, found.states));
  return text;
}

std::string about_time(const RunReport& report) {
  const Exploration& found = report.exploration;
  if (found.explore_seconds <= 0) return "";
  std::string text = found.resumed ? fmt::format("load {}; ", as_duration(found.load_seconds)) : "";
  text += "explore " + as_duration(found.explore_seconds);
  if (!found.resumed)
    text += fmt::format(", {} states/s", as_si(static_cast<double>(found.states) / found.explore_seconds));
  if (report.check_seconds > 0) text += "; check " + as_duration(report.check_seconds);
  return text;
}

void add_memory_and_time(FigureRows& rows, const RunReport& report) {
  const std::vector<std::uint64_t>& bytes = report.peak_rss_bytes;
  rows.add("memory", as_bytes(std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0})), about_memory(report));
  if (const auto size = condensed_size(report))
    rows.add(
        "condensed", as_bytes(size->bytes),
        fmt::format("{} bytes a state, of which {} for arcs, {} each; by the paper's formula {}",
                    as_ratio(size->bytes, report.exploration.states),
                    as_ratio(size->bytes - size->row_bytes, report.exploration.states),
                    as_ratio(size->bytes - size->row_bytes, report.exploration.arcs), as_bytes(size->paper_bytes)));
  rows.add("time", as_duration(report.total_seconds), about_time(report));
  if (!report.simulated_network.empty())
    rows.add("simulated", fmt::format("{} ranks", report.rank_count()),
             fmt::format("in virtual time on a network like {}: all times are simulated", report.simulated_network));
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

/// Whether a property that is open has given the reason already.
bool is_told_above(const RunReport& report, const std::string& reason) {
  return std::ranges::any_of(report.properties, [&](const PropertyResult& property) {
    return !is_known(property) && property.reason.find(reason) != std::string::npos;
  });
}

}  // namespace

std::string heading(const RunReport& report) {
  Buffer out;
  put_heading(out, report);
  return fmt::to_string(out);
}

std::string text_report(const RunReport& report, Detail detail) {
  const Exploration& found = report.exploration;
  Buffer out;
  put_heading(out, report);
  put_verdicts(out, *report.net, report.properties);
  if (report.test) put_test(out, *report.test);
  if (found.unbounded) put_unbounded(out, *report.net, *found.unbounded);
  if (!found.complete && !found.is_enough && !is_told_above(report, found.stop_reason))
    put(out, "\n{}{}\n", found.stop_signal == 0 ? "stopped: " : "", printable_line(found.stop_reason));
  if (!found.remark.empty()) put(out, "\n{}\n", printable_line(found.remark));

  const bool is_full = detail == Detail::full;
  FigureRows rows = is_full ? FigureRows(detail_name_columns, detail_value_columns) : FigureRows();
  add_counts(rows, report);
  add_memory_and_time(rows, report);
  put(out, "\n");
  rows.put_to(out);
  if (is_full) put(out, "\n");
  if (is_full) put_details(out, report);
  return fmt::to_string(out);
}

}  // namespace dcheck
