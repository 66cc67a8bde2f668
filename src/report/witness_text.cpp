#include "report/witness_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "dcheck/ctl/text.hpp"
#include "report/evidence_walk.hpp"
#include "report/format.hpp"
#include "report/printable.hpp"

namespace dcheck {
namespace {

/// Deeper parts stay at this column, so that a deep tree does not leave the screen.
constexpr std::size_t deepest_indent = 48;
constexpr std::size_t widest_name_column = 24;

std::size_t columns_left(std::size_t used) {
  constexpr std::size_t fewest = 40;
  return std::max(report_columns - std::min(used, report_columns), fewest);
}

std::string start_line(const Net& net, const Marking& marking, std::size_t columns) {
  constexpr std::size_t columns_of_the_rest = 12;
  std::string line = "starts in:";
  std::size_t left_out = 0;
  std::size_t width = line.size();
  for (const Place p : net.places_as_written()) {
    if (marking[index(p)] == 0) continue;
    const std::string entry = fmt::format(" {}={}", printable(net.name(p)), marking[index(p)]);
    width += width_of(entry);
    if (width + columns_of_the_rest <= columns) {
      line += entry;
    } else {
      ++left_out;
    }
  }
  if (std::ranges::all_of(marking, [](Tokens tokens) { return tokens == 0; })) return line + " no place is marked";
  return left_out == 0 ? line : fmt::format("{} … {} more", line, with_separators(left_out));
}

bool is_deadlock(const Net& net, const Marking& marking) {
  for (std::size_t t = 0; t < net.transition_count(); ++t) {
    if (net.is_enabled(static_cast<Transition>(t), marking)) return false;
  }
  return true;
}

/// Whether a path for this claim may be complete because it can go no further.
bool may_end_in_deadlock(const Evidence& evidence) {
  if (evidence.kind != Evidence::Kind::path) return false;
  const Formula::Kind claim = evidence.claim.kind;
  return evidence.holds ? claim == Formula::Kind::eg : claim == Formula::Kind::af || claim == Formula::Kind::au;
}

class WitnessPrinter {
 public:
  WitnessPrinter(Buffer& out, const Net& net)
      : _out(out), _net(net), _marking(net.initial().begin(), net.initial().end()) {}

  void put_start(std::size_t indent) { put_line(indent, start_line(_net, _marking, columns_left(indent))); }

  void put_evidence(const Evidence& evidence, std::size_t indent) {
    const std::size_t number_columns = std::to_string(evidence.path.size()).size();
    const std::size_t name_columns = name_columns_of(evidence.path);
    const bool has_steps = !evidence.path.empty();
    const std::size_t inner = has_steps ? indent + number_columns + 2 : indent;
    walk(_net, evidence, _marking, [&](const EvidencePosition& position) {
      if (position.step != nullptr) {
        put(_out, "{:{}}{:>{}}  ", "", capped(indent), position.at, number_columns);
        put_step(_out, _net, *position.step, name_columns);
      }
      if (evidence.kind == Evidence::Kind::lasso && position.at == evidence.loop) {
        put_line(inner, "from here on the path repeats");
      }
      for (const EvidencePart* part : position.parts) put_claim(part->evidence, inner);
      if (position.at == evidence.path.size()) put_end(evidence, inner);
    });
  }

 private:
  static std::size_t capped(std::size_t indent) { return std::min(indent, deepest_indent); }

  void put_line(std::size_t indent, std::string_view text) { put(_out, "{:{}}{}\n", "", capped(indent), text); }

  std::size_t name_columns_of(const std::vector<Transition>& path) const {
    std::size_t columns = 0;
    for (const Transition t : path) columns = std::max(columns, width_of(printable(_net.name(t))));
    return std::min(columns, widest_name_column);
  }

  void put_claim(const Evidence& evidence, std::size_t indent) {
    const std::string_view verb = evidence.holds ? "holds here: " : "fails here: ";
    const bool is_about_all_paths = evidence.kind == Evidence::Kind::all_paths;
    const std::string_view remark = is_about_all_paths ? "  (on every path: nothing to show)" : "";
    const std::string claim = printable_line(text_of(evidence.claim, _net));
    const std::size_t columns = columns_left(capped(indent) + verb.size() + remark.size());
    put_line(indent, fmt::format("{}{}{}", verb, cut_to(claim, columns), remark));
    put_evidence(evidence, indent + 2);
  }

  void put_end(const Evidence& evidence, std::size_t indent) {
    if (evidence.kind == Evidence::Kind::lasso) put_line(indent, fmt::format("back at {}", evidence.loop));
    if (may_end_in_deadlock(evidence) && is_deadlock(_net, _marking)) {
      put_line(indent, "deadlock: no transition is fireable");
    }
    if (evidence.parts_left_out != 0) {
      put_line(indent, fmt::format("{} more parts are left out", with_separators(evidence.parts_left_out)));
    }
  }

  Buffer& _out;
  const Net& _net;
  Marking _marking;
};

}  // namespace

void put_step(Buffer& out, const Net& net, const PathStep& step, std::size_t name_columns) {
  put(out, "{:<{}}  ", printable(net.name(step.transition)), name_columns);
  if (step.changes.empty()) put(out, "nothing changes");
  std::string_view between;
  for (const PathStep::Change& change : step.changes) {
    put(out, "{}{} {} -> {}", between, printable(net.name(change.place)), change.before, change.after);
    between = ", ";
  }
  put(out, "\n");
}

void put_witness(Buffer& out, const Net& net, const Evidence& evidence, std::size_t indent) {
  WitnessPrinter printer(out, net);
  printer.put_start(indent);
  printer.put_evidence(evidence, indent);
}

}  // namespace dcheck
