#include "check/agenda.hpp"

#include <algorithm>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr int most_steps = 3;  // of nested EX that are followed one successor at a time
constexpr std::size_t most_firings = 2000;

Decision::Kind decision_kind(CoreKind kind) {
  if (kind == CoreKind::negation) return Decision::Kind::negation;
  return kind == CoreKind::conjunction ? Decision::Kind::conjunction : Decision::Kind::disjunction;
}

}  // namespace

bool Agenda::is_shown_by_search(const Formula& formula) {
  using Kind = Formula::Kind;
  switch (formula.kind) {
    case Kind::atom:
      return true;
    case Kind::negation:
    case Kind::conjunction:
    case Kind::disjunction:
      return std::ranges::all_of(formula.children, is_shown_by_search);
    case Kind::ef:
    case Kind::ag:
      return formula.children[0].kind == Kind::atom;
    default:
      return false;
  }
}

Agenda::Agenda(const Net& net, const Structure& structure, const std::vector<Property>& properties, bool is_shown)
    : _net(net), _pool(net, structure) {
  for (const Property& property : properties) {
    _sums.push_back(_goals.sums.size());
    if (property.is_upper_bound) {
      _roots.push_back(CorePool::always);
      const auto form = linear_form(property.bound_of);
      _goals.sums.push_back(property.bound_of);
      _goals.sum_limits.push_back(form ? proven_maximum(*form, structure) : std::nullopt);
      continue;
    }
    _roots.push_back(_pool.intern(property.formula));
    look_for(_roots.back());
    if (is_shown && is_shown_by_search(property.formula)) look_for_parts(property.formula);
  }
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const bool is_bound = properties[i].is_upper_bound;
    _questions.push_back(is_bound ? 0 : is_shown ? question(properties[i].formula) : question(_roots[i]));
    if (!is_bound) _goals.questions.push_back(_questions.back());
  }
}

/// Has every EF of a predicate that decides the property looked for; goals keep their order.
void Agenda::look_for(CoreId id) {
  const CoreNode& node = _pool[id];
  if (is_boolean(node.kind))
    for (const CoreId child : node.children) look_for(child);
  if (node.kind != CoreKind::eu || node.children[0] != CorePool::always) return;
  // A negated atom is an atom to the search.
  const CoreNode& ends = _pool[node.children[1]];
  const bool is_negated = ends.kind == CoreKind::negation && _pool[ends.children[0]].kind == CoreKind::atom;
  if ((ends.kind != CoreKind::atom && !is_negated) || !_targets.emplace(id, _goals.targets.size()).second) return;
  _goals.targets.push_back(is_negated ? Expression::of(Expression::Kind::negation, {_pool[ends.children[0]].predicate})
                                      : ends.predicate);
}

void Agenda::look_for_parts(const Formula& formula) {
  if (formula.kind == Formula::Kind::ef || formula.kind == Formula::Kind::ag) return look_for(_pool.intern(formula));
  for (const Formula& child : formula.children) look_for_parts(child);
}

std::size_t Agenda::add(Decision::Node node) {
  _goals.decision.nodes.push_back(std::move(node));
  return _goals.decision.nodes.size() - 1;
}

std::size_t Agenda::question(CoreId id) {
  if (const auto known = _asked.find(id); known != _asked.end()) return known->second;
  const CoreNode& node = _pool[id];
  Decision::Node asked;
  if (is_boolean(node.kind)) {
    asked.kind = decision_kind(node.kind);
    for (const CoreId child : node.children) asked.children.push_back(question(child));
  } else {
    _firings_left = most_firings;
    asked.known = at(id, _net.initial(), most_steps);
    if (const auto target = _targets.find(id); target != _targets.end() && asked.known == Truth::unknown)
      asked = {.kind = Decision::Kind::target, .target = target->second};
  }
  return _asked[id] = add(std::move(asked));
}

std::size_t Agenda::question(const Formula& formula) {
  using Kind = Formula::Kind;
  Decision::Node asked;
  if (formula.kind == Kind::negation)
    asked.kind = Decision::Kind::negation;
  else if (formula.kind == Kind::conjunction)
    asked.kind = Decision::Kind::conjunction;
  else if (formula.kind == Kind::disjunction)
    asked.kind = Decision::Kind::disjunction;
  else
    return question(_pool.intern(formula));
  for (const Formula& child : formula.children) asked.children.push_back(question(child));
  return add(std::move(asked));
}

Truth Agenda::truth(CoreId id, const GoalState& found, bool is_complete) {
  const std::size_t node = question(id);
  return _goals.decision.truths(found, is_complete)[node];
}

bool Agenda::is_decided(std::size_t property, const GoalState& found, bool is_complete) const {
  return _goals.decision.truths(found, is_complete)[_questions[property]] != Truth::unknown;
}

Truth Agenda::at(CoreId id, std::span<const Tokens> marking, int steps_left) {
  const CoreNode& node = _pool[id];
  const auto of_child = [&](CoreId child) { return at(child, marking, steps_left); };
  switch (node.kind) {
    case CoreKind::always:
    case CoreKind::never:
      return truth_of(node.kind == CoreKind::always);
    case CoreKind::atom:
      try {
        return truth_of(evaluate(node.predicate, _net, marking));
      } catch (const ResourceError&) {
        return Truth::unknown;  // a number too large for one formula is no reason to drop the others
      }
    case CoreKind::negation:
    case CoreKind::conjunction:
    case CoreKind::disjunction:
      return truth_of_boolean(node, of_child);
    case CoreKind::ex:
      return some_successor(node.children[0], marking, steps_left);
    case CoreKind::eu:
    case CoreKind::au: {
      const Truth ends = of_child(node.children[1]);
      if (ends != Truth::no) return ends;
      return of_child(node.children[0]) == Truth::no ? Truth::no : Truth::unknown;
    }
  }
  return Truth::unknown;
}

Truth Agenda::some_successor(CoreId child, std::span<const Tokens> marking, int steps_left) {
  if (steps_left == 0) return Truth::unknown;
  Truth result = Truth::no;
  for (const Transition t : enabled_in(_net, marking)) {
    if (_firings_left == 0) return Truth::unknown;
    --_firings_left;
    const Truth next = at(child, fired(_net, t, {marking.begin(), marking.end()}), steps_left - 1);
    if (next == Truth::yes) return next;
    if (next == Truth::unknown) result = next;
  }
  return result;
}

}  // namespace dcheck
