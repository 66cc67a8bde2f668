#include "check/initial_truth.hpp"

#include <algorithm>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr int most_steps = 3;  // of nested EX that are followed one successor at a time
constexpr std::size_t most_firings = 2000;

bool is_boolean(CoreKind kind) {
  return kind == CoreKind::negation || kind == CoreKind::conjunction || kind == CoreKind::disjunction;
}

Truth opposite(Truth truth) {
  return truth == Truth::unknown ? truth : truth_of(truth == Truth::no);
}

Truth any_of(const std::vector<Truth>& truths) {
  if (std::find(truths.begin(), truths.end(), Truth::yes) != truths.end()) return Truth::yes;
  return std::find(truths.begin(), truths.end(), Truth::unknown) != truths.end() ? Truth::unknown : Truth::no;
}

Truth all_of(std::vector<Truth> truths) {
  for (Truth& truth : truths) truth = opposite(truth);
  return opposite(any_of(truths));
}

Truth combined(CoreKind kind, std::vector<Truth> children) {
  if (kind == CoreKind::negation) return opposite(children[0]);
  return kind == CoreKind::conjunction ? all_of(std::move(children)) : any_of(children);
}

}  // namespace

std::vector<Tokens> fire(const Net& net, Transition t, std::span<const Tokens> marking) {
  std::vector<Tokens> next(marking.begin(), marking.end());
  for (const Arc& change : net.effect(t))
    if (__builtin_add_overflow(next[index(change.place)], change.weight, &next[index(change.place)]))
      throw ResourceError("token counts in place '" + net.name(change.place) + "' grow beyond 63 bits");
  return next;
}

void InitialTruth::look_for(CoreId root, SearchGoals& goals) {
  const CoreNode& node = _pool[root];
  if (is_boolean(node.kind))
    for (const CoreId child : node.children) look_for(child, goals);
  if (node.kind != CoreKind::eu || node.children[0] != CorePool::always) return;
  // A negated atom is an atom to the search.
  const CoreNode& ends = _pool[node.children[1]];
  const bool is_negated = ends.kind == CoreKind::negation && _pool[ends.children[0]].kind == CoreKind::atom;
  if ((ends.kind != CoreKind::atom && !is_negated) || !_goals.emplace(root, goals.targets.size()).second) return;
  goals.targets.push_back(is_negated ? Expression::of(Expression::Kind::negation, {_pool[ends.children[0]].predicate})
                                     : ends.predicate);
}

Truth truth_of_parts(const Formula& formula, const std::function<Truth(const Formula&)>& leaf) {
  using Kind = Formula::Kind;
  if (formula.kind != Kind::negation && formula.kind != Kind::conjunction && formula.kind != Kind::disjunction)
    return leaf(formula);
  std::vector<Truth> children;
  children.reserve(formula.children.size());
  for (const Formula& child : formula.children) children.push_back(truth_of_parts(child, leaf));
  if (formula.kind == Kind::negation) return opposite(children[0]);
  return formula.kind == Kind::conjunction ? all_of(std::move(children)) : any_of(children);
}

Truth InitialTruth::of(CoreId id, const GoalState& found, bool is_complete) const {
  const CoreNode& node = _pool[id];
  if (const auto goal = _goals.find(id); goal != _goals.end()) {
    if (goal->second < found.found.size() && found.found[goal->second]) return Truth::yes;
    if (is_complete) return Truth::no;
  }
  if (!is_boolean(node.kind)) {
    if (const auto known = _initial.find(id); known != _initial.end()) return known->second;
    _firings_left = most_firings;
    return _initial[id] = at(id, _net.initial(), most_steps);
  }
  std::vector<Truth> children;
  children.reserve(node.children.size());
  for (const CoreId child : node.children) children.push_back(of(child, found, is_complete));
  return combined(node.kind, std::move(children));
}

Truth InitialTruth::at(CoreId id, std::span<const Tokens> marking, int steps_left) const {
  const CoreNode& node = _pool[id];
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
    case CoreKind::disjunction: {
      std::vector<Truth> children;
      children.reserve(node.children.size());
      for (const CoreId child : node.children) children.push_back(at(child, marking, steps_left));
      return combined(node.kind, std::move(children));
    }
    case CoreKind::ex:
      return some_successor(node.children[0], marking, steps_left);
    case CoreKind::eu:
    case CoreKind::au: {
      const Truth ends = at(node.children[1], marking, steps_left);
      if (ends != Truth::no) return ends;
      return at(node.children[0], marking, steps_left) == Truth::no ? Truth::no : Truth::unknown;
    }
  }
  return Truth::unknown;
}

Truth InitialTruth::some_successor(CoreId child, std::span<const Tokens> marking, int steps_left) const {
  if (steps_left == 0) return Truth::unknown;
  Truth result = Truth::no;
  for (std::size_t i = 0; i < _net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    if (!_net.is_enabled(t, marking)) continue;
    if (_firings_left == 0) return Truth::unknown;
    --_firings_left;
    const Truth next = at(child, fire(_net, t, marking), steps_left - 1);
    if (next == Truth::yes) return next;
    if (next == Truth::unknown) result = next;
  }
  return result;
}

}  // namespace dcheck
