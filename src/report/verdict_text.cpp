#include "report/verdict_text.hpp"

#include <algorithm>
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

bool is_known(const PropertyResult& property) {
  return property.is_upper_bound ? property.bound.has_value() : property.verdict != Verdict::unknown;
}

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

}  // namespace

void put_verdicts(Buffer& out, const Net& net, std::span<const PropertyResult> properties) {
  constexpr std::size_t widest_id_column = 40;
  std::vector<Line> lines;
  lines.reserve(properties.size());
  for (const PropertyResult& property : properties) lines.push_back(line_of(property));
  const std::size_t outcome_columns = widest(lines, &Line::outcome);
  const std::size_t id_columns = std::min(widest(lines, &Line::id), widest_id_column);
  const std::size_t time_columns = widest(lines, &Line::time);
  const std::size_t gaps = 2 + 3 * 2;
  const std::size_t columns =
      formula_columns(lines, gaps + outcome_columns + id_columns + time_columns + widest(lines, &Line::states));

  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    put(out, "  {:<{}}  {:<{}}  {:<{}}  {:>{}}{}\n", line.outcome, outcome_columns, line.id, id_columns,
        cut_to(line.formula, columns), columns, line.time, time_columns, line.states);
    if (!is_known(properties[i]))
      put(out, "{:{}}because {}\n", "", witness_indent, printable_line(properties[i].reason));
    if (!properties[i].witness_reason.empty())
      put(out, "{:{}}no witness: {}\n", "", witness_indent, printable_line(properties[i].witness_reason));
    if (properties[i].witness) put_witness(out, net, *properties[i].witness, witness_indent);
  }
}

}  // namespace dcheck
