#include "support/replayer.hpp"

#include <algorithm>
#include <map>

#include "support/reference_checker.hpp"

namespace dcheck::test {
namespace {

using Kind = Formula::Kind;
using Reason = std::optional<std::string>;
using Marking = std::vector<Tokens>;

constexpr const char* kind_names[] = {"an atom", "a negation", "an and", "an or", "EX", "AX",
                                      "EF",      "AF",         "EG",     "AG",    "EU", "AU"};

/// Something the evidence must show of a child at one position of its path.
struct Obligation {
  enum class Way : std::uint8_t {
    part,             // by a part, also of an atom
    part_or_atom,     // by a part, or by itself where the child is an atom
    may_be_left_out,  // likewise, or counted in parts_left_out
    may_be_absent     // it is shown elsewhere, but may be shown again
  };
  std::size_t at, child;
  bool holds;
  Way way;
};

bool is_shown_by_path(Kind kind, bool holds) {
  switch (kind) {
    case Kind::ex:
    case Kind::ef:
    case Kind::eg:
    case Kind::eu:
      return holds;
    case Kind::ax:
    case Kind::ag:
    case Kind::af:
    case Kind::au:
      return !holds;
    default:
      return false;
  }
}

std::string place_of(std::size_t at, std::size_t child) {
  return "position " + std::to_string(at) + ", child " + std::to_string(child);
}

class Replayer {
 public:
  Replayer(const Net& net, const NaiveGraph* graph) : _net(net), _graph(graph) {}

  Reason judge(const Formula& formula, bool holds, const Evidence& evidence, const Marking& marking) {
    if (evidence.claim != formula) return "the claim is not the formula at this place";
    if (evidence.holds != holds) return std::string("the claim should ") + (holds ? "hold" : "fail");
    if (Reason wrong = compare_with_labels(formula, holds, marking)) return wrong;
    if (formula.kind == Kind::atom) return judge_atom(holds, evidence, marking);
    if (formula.kind <= Kind::disjunction) return judge_boolean(formula, holds, evidence, marking);
    if (is_shown_by_path(formula.kind, holds)) return judge_path(formula, holds, evidence, marking);
    return expect_kind(evidence, Evidence::Kind::all_paths, "nothing to show");
  }

  /// Appends the markings after each step to `positions`, which holds the first.
  Reason fire(const std::vector<Transition>& path, std::vector<Marking>& positions) const {
    for (std::size_t step = 0; step < path.size(); ++step) {
      const Transition t = path[step];
      if (index(t) >= _net.transition_count()) return "step " + std::to_string(step) + " fires no transition at all";
      if (!is_naively_enabled(_net, t, positions.back())) {
        return "step " + std::to_string(step) + " fires " + _net.name(t) + ", which is not enabled";
      }
      positions.push_back(fire_naively(_net, t, positions.back()));
    }
    return {};
  }

 private:
  /// For evidence without a path: only the parts, if any, may say something.
  static Reason expect_kind(const Evidence& evidence, Evidence::Kind kind, const char* name) {
    if (evidence.kind != kind) return std::string("the kind of evidence should be: ") + name;
    if (!evidence.path.empty() || evidence.loop != 0) return "a path stands where none is asked for";
    if (kind != Evidence::Kind::parts && !evidence.parts.empty()) return "parts stand where none are asked for";
    if (evidence.parts_left_out != 0) return "parts are left out where none may be";
    return {};
  }

  Reason judge_atom(bool holds, const Evidence& evidence, const Marking& marking) const {
    if (Reason wrong = expect_kind(evidence, Evidence::Kind::marking, "the marking")) return wrong;
    if (holds_naively(evidence.claim.predicate, _net, marking) == holds) return {};
    return std::string("the atom ") + (holds ? "fails" : "holds") + " in the marking";
  }

  Reason judge_boolean(const Formula& formula, bool holds, const Evidence& evidence, const Marking& marking) {
    if (Reason wrong = expect_kind(evidence, Evidence::Kind::parts, "parts")) return wrong;
    const bool part_holds = formula.kind == Kind::negation ? !holds : holds;
    const bool is_by_one = formula.kind != Kind::negation && holds == (formula.kind == Kind::disjunction);
    std::vector<Obligation> obligations;
    if (is_by_one) {
      if (evidence.parts.size() != 1) return "one part should show what decides";
      obligations.push_back({0, evidence.parts[0].child, part_holds, Obligation::Way::part});
    } else {
      for (std::size_t c = 0; c < formula.children.size(); ++c)
        obligations.push_back({0, c, part_holds, Obligation::Way::part});
    }
    return settle(formula, evidence, {marking}, obligations);
  }

  Reason judge_path(const Formula& formula, bool holds, const Evidence& evidence, const Marking& marking) {
    std::vector<Marking> positions{marking};
    if (Reason wrong = fire(evidence.path, positions)) return wrong;
    const bool is_lasso = evidence.kind == Evidence::Kind::lasso;
    if (!is_lasso && evidence.kind != Evidence::Kind::path) return "the kind of evidence should be a path or a lasso";
    if (!is_lasso && evidence.loop != 0) return "a path that is no lasso has a position to loop to";
    if (is_lasso) {
      if (evidence.loop >= evidence.path.size()) return "the lasso has no step in its loop";
      if (positions[evidence.loop] != positions.back()) return "the lasso does not close";
    }
    switch (formula.kind) {
      case Kind::ex:
      case Kind::ax:
        if (evidence.path.size() != 1) return "the path should have one step";
        [[fallthrough]];
      case Kind::ef:
      case Kind::ag:
        if (is_lasso) return "the kind of evidence should be a path";
        return settle(formula, evidence, positions, {{evidence.path.size(), 0, holds, Obligation::Way::part}});
      case Kind::eu:
        if (is_lasso) return "the kind of evidence should be a path";
        return settle(formula, evidence, positions, obligations_of_eu(evidence));
      case Kind::au:
        return judge_failing_au(formula, evidence, positions);
      default:
        if (Reason wrong = expect_end(evidence, positions)) return wrong;
        return settle(formula, evidence, positions, obligations_everywhere(evidence, 0, holds));
    }
  }

  static std::vector<Obligation> obligations_of_eu(const Evidence& evidence) {
    std::vector<Obligation> obligations;
    for (std::size_t at = 0; at < evidence.path.size(); ++at)
      obligations.push_back({at, 0, true, Obligation::Way::may_be_left_out});
    obligations.push_back({evidence.path.size(), 1, true, Obligation::Way::part});
    return obligations;
  }

  Reason judge_failing_au(const Formula& formula, const Evidence& evidence, const std::vector<Marking>& positions) {
    const std::size_t end = evidence.path.size();
    const bool lasts_no_longer = std::ranges::any_of(
        evidence.parts, [&](const EvidencePart& part) { return part.at == end && part.child == 0; });
    std::vector<Obligation> obligations = obligations_everywhere(evidence, 1, false);
    if (lasts_no_longer && evidence.kind == Evidence::Kind::path) {
      obligations.back().way = Obligation::Way::part;
      obligations.push_back({end, 0, false, Obligation::Way::part});
    } else if (Reason wrong = expect_end(evidence, positions)) {
      return wrong;
    }
    return settle(formula, evidence, positions, obligations);
  }

  /// At every position; a lasso's last position is one that was there before.
  static std::vector<Obligation> obligations_everywhere(const Evidence& evidence, std::size_t child, bool holds) {
    std::vector<Obligation> obligations;
    for (std::size_t at = 0; at < evidence.path.size(); ++at)
      obligations.push_back({at, child, holds, Obligation::Way::may_be_left_out});
    const bool is_path = evidence.kind == Evidence::Kind::path;
    obligations.push_back(
        {evidence.path.size(), child, holds, is_path ? Obligation::Way::part_or_atom : Obligation::Way::may_be_absent});
    return obligations;
  }

  /// The path is maximal: it goes round for ever, or nothing is enabled at its end.
  Reason expect_end(const Evidence& evidence, const std::vector<Marking>& positions) const {
    if (evidence.kind == Evidence::Kind::lasso) return {};
    for (std::uint32_t t = 0; t < _net.transition_count(); ++t) {
      if (is_naively_enabled(_net, Transition{t}, positions.back()))
        return "the path ends where " + _net.name(Transition{t}) + " is enabled";
    }
    return {};
  }

  /// Every obligation is met once, and every part meets one.
  Reason settle(const Formula& formula, const Evidence& evidence, const std::vector<Marking>& positions,
                const std::vector<Obligation>& obligations) {
    std::map<std::pair<std::size_t, std::size_t>, const Evidence*> parts;
    for (const EvidencePart& part : evidence.parts) {
      if (!parts.emplace(std::pair(part.at, part.child), &part.evidence).second)
        return "two parts at " + place_of(part.at, part.child);
    }
    std::size_t left_out = 0;
    for (const Obligation& obligation : obligations) {
      const auto part = parts.find({obligation.at, obligation.child});
      const Evidence* given = part == parts.end() ? nullptr : part->second;
      if (given != nullptr) parts.erase(part);
      if (obligation.child >= formula.children.size()) return place_of(obligation.at, obligation.child) + ": no child";
      if (Reason wrong = meet(formula.children[obligation.child], obligation, given, positions, left_out))
        return place_of(obligation.at, obligation.child) + ": " + *wrong;
    }
    if (!parts.empty())
      return "nothing is asked for at " + place_of(parts.begin()->first.first, parts.begin()->first.second);
    if (left_out > evidence.parts_left_out)
      return std::to_string(left_out) + " parts are missing, " + std::to_string(evidence.parts_left_out) +
             " are said to be left out";
    return {};
  }

  Reason meet(const Formula& child, const Obligation& obligation, const Evidence* given,
              const std::vector<Marking>& positions, std::size_t& left_out) {
    const Marking& marking = positions[obligation.at];
    if (given != nullptr) return judge(child, obligation.holds, *given, marking);
    if (obligation.way == Obligation::Way::may_be_absent) return {};
    if (obligation.way == Obligation::Way::part) return "a part is missing";
    if (child.kind == Kind::atom) {
      if (holds_naively(child.predicate, _net, marking) == obligation.holds) return {};
      return std::string("the atom ") + (obligation.holds ? "fails" : "holds");
    }
    if (obligation.way != Obligation::Way::may_be_left_out) return "a part is missing";
    ++left_out;
    return compare_with_labels(child, obligation.holds, marking);
  }

  Reason compare_with_labels(const Formula& formula, bool holds, const Marking& marking) {
    if (_graph == nullptr) return {};
    const auto state = _graph->find(marking);
    if (!state) return "the marking is not reachable";
    auto [labels, is_new] = _labels.try_emplace(&formula);
    if (is_new) labels->second = satisfying_states(formula, _net, *_graph);
    if (labels->second[*state] == holds) return {};
    return std::string(kind_names[static_cast<int>(formula.kind)]) + (holds ? " fails" : " holds") +
           " here, says the reference";
  }

  const Net& _net;
  const NaiveGraph* _graph;
  std::map<const Formula*, std::vector<bool>> _labels;  // of the formula's own nodes
};

Marking initial_of(const Net& net) {
  return {net.initial().begin(), net.initial().end()};
}

}  // namespace

std::optional<std::string> refutes(const Net& net, const Formula& formula, bool holds, const Evidence& evidence,
                                   const NaiveGraph* graph) {
  return Replayer(net, graph).judge(formula, holds, evidence, initial_of(net));
}

std::optional<std::string> refutes_bound(const Net& net, const Expression& sum, Tokens bound,
                                         const Evidence& evidence) {
  if (evidence.kind != Evidence::Kind::path) return "the kind of evidence should be a path";
  std::vector<Marking> positions{initial_of(net)};
  if (Reason wrong = Replayer(net, nullptr).fire(evidence.path, positions)) return wrong;
  const Tokens reached = value_naively(sum, positions.back());
  if (reached == bound) return {};
  return "the path leads to " + std::to_string(reached) + ", not to " + std::to_string(bound);
}

}  // namespace dcheck::test
