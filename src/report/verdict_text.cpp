#include "report/verdict_text.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "report/format.hpp"
#include "report/printable.hpp"
#include "report/witness_text.hpp"

namespace dcheck {
namespace {

constexpr std::size_t witness_indent = 6;

/// The columns of one property's line.
struct Line {
  std::string outcome, id, formula, time, states;
};

std::string outcome_of(const PropertyResult& property) {
  if (!is_known(property)) return "unknown";
  if (property.is_upper_bound) return fmt::format("bound {}", *property.bound);
  return property.verdict == Verdict::holds ? "holds" : "fails";
}

Line line_of(const PropertyResult& property) {
  return {outcome_of(property), printable_line(property.id), printable_line(property.formula),
          as_duration(property.seconds),
          property.sat_states ? fmt::format("  holds in {} states", with_separators(*property.sat_states)) : ""};
}

std::size_t widest(const std::vector<Line>& lines, std::string Line::*column) {
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, width_of(line.*column));
  return width;
}

/// What the other columns leave of the line, but enough to recognise a formula by.
std::size_t formula_columns(const std::vector<Line>& lines, std::size_t others) {
  constexpr std::size_t fewest = 32;
  const std::size_t left = report_columns - std::min(others, report_columns);
  return std::min(widest(lines, &Line::formula), std::max(left, fewest));
}

std::string why_open(const PropertyResult& property) {
  return is_known(property) ? "" : printable_line(property.reason);
}

std::string why_unshown(const PropertyResult& property) {
  return printable_line(property.witness_reason);
}

/// What is to be said of several properties, where it is the same for all that it is said of: then once is enough.
std::optional<std::string> shared_note(std::span<const PropertyResult> properties,
                                       std::string (*note)(const PropertyResult&)) {
  std::set<std::string> notes;
  std::size_t count = 0;
  for (const PropertyResult& property : properties) {
    std::string text = note(property);
    if (text.empty()) continue;
    ++count;
    notes.insert(std::move(text));
  }
  return count > 1 && notes.size() == 1 ? std::optional(*notes.begin()) : std::nullopt;
}

/// 12 hold, 3 fail, 1 unknown, 2 bounds
std::string summary_of(std::span<const PropertyResult> properties) {
  std::size_t holding = 0, failing = 0, unknown = 0, bounds = 0;
  for (const PropertyResult& property : properties) {
    if (!is_known(property))
      ++unknown;
    else if (property.is_upper_bound)
      ++bounds;
    else
      ++(property.verdict == Verdict::holds ? holding : failing);
  }
  const std::pair<std::size_t, const char*> parts[] = {{holding, holding == 1 ? "holds" : "hold"},
                                                       {failing, failing == 1 ? "fails" : "fail"},
                                                       {bounds, bounds == 1 ? "bound" : "bounds"},
                                                       {unknown, "unknown"}};
  std::string text;
  for (const auto& [count, what] : parts)
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", with_separators(count), what);
  return text;
}

}  // namespace

bool is_known(const PropertyResult& property) {
  return property.is_upper_bound ? property.bound.has_value() : property.verdict != Verdict::unknown;
}

void put_verdicts(Buffer& out, const Net& net, std::span<const PropertyResult> properties) {
  constexpr std::size_t widest_id_column = 40, most_without_summary = 3;
  if (properties.empty()) return;
  std::vector<Line> lines;
  lines.reserve(properties.size());
  for (const PropertyResult& property : properties) lines.push_back(line_of(property));
  const std::size_t outcome_columns = widest(lines, &Line::outcome);
  const std::size_t id_columns = std::min(widest(lines, &Line::id), widest_id_column);
  const std::size_t time_columns = widest(lines, &Line::time);
  const std::size_t gaps = 2 + 3 * 2;
  const std::size_t columns =
      formula_columns(lines, gaps + outcome_columns + id_columns + time_columns + widest(lines, &Line::states));

  const std::optional<std::string> open = shared_note(properties, why_open);
  const std::optional<std::string> unshown = shared_note(properties, why_unshown);
  put(out, "\n");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    put(out, "  {:<{}}  {:<{}}  {:<{}}  {:>{}}{}\n", line.outcome, outcome_columns, line.id, id_columns,
        cut_to(line.formula, columns), columns, line.time, time_columns, line.states);
    if (!open && !why_open(properties[i]).empty())
      put(out, "{:{}}because {}\n", "", witness_indent, why_open(properties[i]));
    if (!unshown && !why_unshown(properties[i]).empty())
      put(out, "{:{}}no witness: {}\n", "", witness_indent, why_unshown(properties[i]));
    if (properties[i].witness) put_witness(out, net, *properties[i].witness, witness_indent);
  }
  if (properties.size() > most_without_summary) put(out, "\n  {}\n", summary_of(properties));
  if (open) put(out, "  unknown because {}\n", *open);
  if (unshown) put(out, "  no witness: {}\n", *unshown);
}

}  // namespace dcheck
