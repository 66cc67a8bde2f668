#include "support/naive_explorer.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace dcheck::test {

namespace {

using Kind = Expression::Kind;
using Number = __int128;

Number floor_quotient(Number a, Number b) {
  Number quotient = a / b;
  if (quotient * b > a) --quotient;
  return quotient;
}

Number value_of(const Expression& e, std::span<const Tokens> marking) {
  const auto child = [&](std::size_t i) { return value_of(e.children.at(i), marking); };
  if (e.kind == Kind::constant) return e.value;
  if (e.kind == Kind::place) return marking[index(e.place)];
  if (e.kind == Kind::subtract) return child(0) - child(1);
  if (e.kind == Kind::divide) return floor_quotient(child(0), child(1));
  if (e.kind == Kind::remainder) return child(0) - child(1) * floor_quotient(child(0), child(1));
  if (e.kind != Kind::add && e.kind != Kind::multiply) throw std::logic_error("not a number");
  Number result = e.kind == Kind::add ? 0 : 1;
  for (std::size_t i = 0; i < e.children.size(); ++i) {
    if (e.kind == Kind::add) result += child(i);
    if (e.kind == Kind::multiply) result *= child(i);
  }
  return result;
}

bool is_dead(const Net& net, std::span<const Tokens> marking) {
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (is_naively_enabled(net, Transition{t}, marking)) return false;
  }
  return true;
}

class NaiveSearch {
 public:
  NaiveSearch(const Net& net, NaiveLimits limits) : _net(net), _limits(limits) {}

  NaiveGraph run() {
    _graph.most_in_place.assign(_net.place_count(), 0);
    number({_net.initial().begin(), _net.initial().end()});
    for (std::size_t s = 0; s < _graph.states() && _graph.is_complete(); ++s) expand(s);
    return std::move(_graph);
  }

 private:
  void expand(std::size_t state) {
    for (std::uint32_t t = 0; t < _net.transition_count() && _graph.is_complete(); ++t) {
      if (!is_naively_enabled(_net, Transition{t}, _graph.markings[state])) continue;
      try {
        const std::size_t target = number(fire_naively(_net, Transition{t}, _graph.markings[state]));
        _graph.successors[state].push_back({Transition{t}, target});
        _graph.arcs += _net.bindings(Transition{t});
      } catch (const std::overflow_error&) {
        _graph.cut = NaiveGraph::Cut::overflow;
        return;
      }
    }
    if (_graph.successors[state].empty()) ++_graph.deadlocks;
  }

  std::size_t number(std::vector<Tokens> marking) {
    Number sum = 0;
    for (const Tokens tokens : marking) sum += tokens;
    if (sum > std::numeric_limits<Tokens>::max()) throw std::overflow_error("a marking");
    const auto [entry, is_new] = _graph.number_of.emplace(marking, _graph.states());
    if (!is_new) return entry->second;
    for (std::size_t p = 0; p < marking.size(); ++p) {
      _graph.most_in_place[p] = std::max(_graph.most_in_place[p], marking[p]);
      if (marking[p] > _limits.tokens) _graph.cut = NaiveGraph::Cut::tokens;
    }
    _graph.most_in_marking = std::max(_graph.most_in_marking, static_cast<Tokens>(sum));
    _graph.markings.push_back(std::move(marking));
    _graph.successors.emplace_back();
    if (_graph.states() > _limits.states) _graph.cut = NaiveGraph::Cut::states;
    return entry->second;
  }

  const Net& _net;
  NaiveLimits _limits;
  NaiveGraph _graph;
};

}  // namespace

Predecessors predecessors_in(const NaiveGraph& graph) {
  Predecessors result;
  for (std::size_t from = 0; from < graph.states(); ++from)
    for (const NaiveArc& arc : graph.successors[from])
      result[graph.markings[arc.target]].push_back(graph.markings[from]);
  for (auto& [target, sources] : result) std::ranges::sort(sources);
  return result;
}

std::optional<std::size_t> NaiveGraph::find(const std::vector<Tokens>& marking) const {
  const auto found = number_of.find(marking);
  if (found == number_of.end()) return std::nullopt;
  return found->second;
}

NaiveGraph explore_naively(const Net& net, NaiveLimits limits) {
  return NaiveSearch(net, limits).run();
}

bool is_naively_enabled(const Net& net, Transition t, std::span<const Tokens> marking) {
  for (const Arc& arc : net.pre(t)) {
    if (marking[index(arc.place)] < arc.weight) return false;
  }
  for (const Arc& arc : net.inhibitors(t)) {
    if (marking[index(arc.place)] >= arc.weight) return false;
  }
  return net.guard(t) == nullptr || holds_naively(*net.guard(t), net, marking);
}

std::vector<Tokens> fire_naively(const Net& net, Transition t, std::span<const Tokens> marking) {
  std::vector<Tokens> result(marking.begin(), marking.end());
  for (const Arc& arc : net.pre(t)) result[index(arc.place)] -= arc.weight;
  for (const Arc& arc : net.post(t)) {
    const Number sum = Number{result[index(arc.place)]} + arc.weight;
    if (sum > std::numeric_limits<Tokens>::max()) throw std::overflow_error("a place");
    result[index(arc.place)] = static_cast<Tokens>(sum);
  }
  return result;
}

bool holds_naively(const Expression& e, const Net& net, std::span<const Tokens> marking) {
  const auto number = [&](std::size_t i) { return value_of(e.children.at(i), marking); };
  switch (e.kind) {
    case Kind::less:
      return number(0) < number(1);
    case Kind::less_equal:
      return number(0) <= number(1);
    case Kind::equal:
      return number(0) == number(1);
    case Kind::not_equal:
      return number(0) != number(1);
    case Kind::always:
      return true;
    case Kind::never:
      return false;
    case Kind::negation:
      return !holds_naively(e.children.at(0), net, marking);
    case Kind::conjunction:
    case Kind::disjunction:
      for (const Expression& child : e.children) {
        if (holds_naively(child, net, marking) == (e.kind == Kind::disjunction)) return e.kind == Kind::disjunction;
      }
      return e.kind == Kind::conjunction;
    case Kind::fireable:
      return is_naively_enabled(net, e.transition, marking);
    case Kind::deadlock:
      return is_dead(net, marking);
    case Kind::initial:
      return std::ranges::equal(marking, net.initial());
    default:
      throw std::logic_error("not a predicate");
  }
}

Tokens value_naively(const Expression& arithmetic, std::span<const Tokens> marking) {
  const Number value = value_of(arithmetic, marking);
  if (value != static_cast<Tokens>(value)) throw std::overflow_error("more than 64 bits");
  return static_cast<Tokens>(value);
}

}  // namespace dcheck::test
