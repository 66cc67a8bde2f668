#include "support/reference_checker.hpp"

#include <algorithm>
#include <stdexcept>

namespace dcheck::test {
namespace {

using Kind = Formula::Kind;
using States = std::vector<bool>;

class Labelling {
 public:
  Labelling(const Net& net, const NaiveGraph& graph) : _net(net), _graph(graph) {}

  States label(const Formula& formula) const {
    std::vector<States> parts;
    for (const Formula& child : formula.children) parts.push_back(label(child));
    if (formula.kind <= Kind::disjunction) return label_boolean(formula, parts);
    const States& f = parts.at(0);
    const auto one = [&](const States& z) { return [&](std::size_t s) { return some_successor(s, z); }; };
    const auto all = [&](const States& z) { return [&](std::size_t s) { return all_successors(s, z); }; };
    switch (formula.kind) {
      case Kind::ex:
        return states_where(one(f));
      case Kind::ax:
        return states_where(all(f));
      case Kind::ef:
        return fixed_point(false, [&](std::size_t s, const States& z) { return f[s] || some_successor(s, z); });
      case Kind::af:
        return fixed_point(
            false, [&](std::size_t s, const States& z) { return f[s] || (!is_dead(s) && all_successors(s, z)); });
      case Kind::eg:
        return fixed_point(
            true, [&](std::size_t s, const States& z) { return f[s] && (is_dead(s) || some_successor(s, z)); });
      case Kind::ag:
        return fixed_point(true, [&](std::size_t s, const States& z) { return f[s] && all_successors(s, z); });
      case Kind::eu:
        return fixed_point(
            false, [&](std::size_t s, const States& z) { return parts.at(1)[s] || (f[s] && some_successor(s, z)); });
      case Kind::au:
        return fixed_point(false, [&](std::size_t s, const States& z) {
          return parts.at(1)[s] || (f[s] && !is_dead(s) && all_successors(s, z));
        });
      default:
        throw std::logic_error("not a formula");
    }
  }

 private:
  using Step = std::function<bool(std::size_t, const States&)>;

  States label_boolean(const Formula& formula, const std::vector<States>& parts) const {
    const auto part_holds = [](std::size_t s) { return [s](const States& part) -> bool { return part[s]; }; };
    switch (formula.kind) {
      case Kind::atom:
        return states_where([&](std::size_t s) { return holds_naively(formula.predicate, _net, _graph.markings[s]); });
      case Kind::negation:
        return states_where([&](std::size_t s) { return !parts.at(0)[s]; });
      case Kind::conjunction:
        return states_where([&](std::size_t s) { return std::ranges::all_of(parts, part_holds(s)); });
      default:
        return states_where([&](std::size_t s) { return std::ranges::any_of(parts, part_holds(s)); });
    }
  }

  States states_where(const std::function<bool(std::size_t)>& holds) const {
    States result(_graph.states());
    for (std::size_t s = 0; s < result.size(); ++s) result[s] = holds(s);
    return result;
  }

  /// The least fixed point of a monotone step from false, the greatest one from true. Later states come
  /// first: the numbering is breadth-first, so most arcs that matter lead to a state seen before.
  States fixed_point(bool start, const Step& step) const {
    States z(_graph.states(), start);
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t s = z.size(); s-- > 0;) {
        if (z[s] != start || step(s, z) == start) continue;
        z[s] = !start;
        is_changed = true;
      }
    }
    return z;
  }

  bool is_dead(std::size_t s) const { return _graph.successors[s].empty(); }
  bool some_successor(std::size_t s, const States& z) const {
    return std::ranges::any_of(_graph.successors[s], [&](const NaiveArc& arc) -> bool { return z[arc.target]; });
  }
  bool all_successors(std::size_t s, const States& z) const {
    return std::ranges::all_of(_graph.successors[s], [&](const NaiveArc& arc) -> bool { return z[arc.target]; });
  }

  const Net& _net;
  const NaiveGraph& _graph;
};

/// The fewest steps from state 0 to a state of `goal`, over states of `through`.
std::optional<std::size_t> distance(const NaiveGraph& graph, const States& through, const States& goal) {
  std::vector<std::size_t> level{0};
  States is_seen(graph.states());
  is_seen[0] = true;
  for (std::size_t steps = 0; !level.empty(); ++steps) {
    std::vector<std::size_t> next;
    for (const std::size_t s : level) {
      if (goal[s]) return steps;
      if (!through[s]) continue;
      for (const NaiveArc& arc : graph.successors[s]) {
        if (!is_seen[arc.target]) next.push_back(arc.target);
        is_seen[arc.target] = true;
      }
    }
    level = std::move(next);
  }
  return std::nullopt;
}

}  // namespace

std::vector<bool> satisfying_states(const Formula& formula, const Net& net, const NaiveGraph& graph) {
  if (!graph.is_complete()) throw std::logic_error("labels of a graph that was cut would mean nothing");
  return Labelling(net, graph).label(formula);
}

std::optional<std::size_t> shortest_evidence(const Formula& formula, const Net& net, const NaiveGraph& graph) {
  const States everywhere(graph.states(), true);
  const auto states_of = [&](std::size_t child) { return satisfying_states(formula.children.at(child), net, graph); };
  if (formula.kind == Kind::ef) return distance(graph, everywhere, states_of(0));
  if (formula.kind == Kind::eu) return distance(graph, states_of(0), states_of(1));
  if (formula.kind != Kind::ag) return std::nullopt;
  States violating = states_of(0);
  violating.flip();
  return distance(graph, everywhere, violating);
}

bool needs_path(const Formula& formula, const std::function<bool(const Formula&)>& holds) {
  const bool verdict = holds(formula);
  const auto needs = [&](const Formula& child) { return needs_path(child, holds); };
  switch (formula.kind) {
    case Kind::atom:
      return false;
    case Kind::negation:
      return needs(formula.children.at(0));
    case Kind::conjunction:
    case Kind::disjunction:
      if (verdict == (formula.kind == Kind::conjunction)) return std::ranges::any_of(formula.children, needs);
      return std::ranges::all_of(formula.children, [&](const Formula& f) { return holds(f) != verdict || needs(f); });
    case Kind::ex:
    case Kind::ef:
    case Kind::eg:
    case Kind::eu:
      return verdict;
    default:
      return !verdict;
  }
}

bool needs_path(const Formula& formula, const Net& net, const NaiveGraph& graph) {
  return needs_path(formula, [&](const Formula& f) -> bool { return satisfying_states(f, net, graph)[0]; });
}

}  // namespace dcheck::test
