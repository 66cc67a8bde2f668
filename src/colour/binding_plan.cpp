#include "colour/binding_plan.hpp"

#include <algorithm>
#include <bit>

namespace dcheck {

namespace {

using Kind = BindingStep::Kind;

/// A tuple stands for one colour of each binding, and no other tuple of the inscription takes from it.
bool is_pattern(const ColouredArc& arc) {
  return std::ranges::none_of(arc.inscription, [](const ColourTuple& tuple) { return tuple.count < 0; });
}

/// Patterns beyond these are kept only if they tell a variable: what is left out is found out later, by what can fire.
constexpr std::size_t enough_patterns = 16;

bool tells_more(const ColourTuple& tuple, std::vector<bool>& is_told) {
  bool tells = false;
  for (const ColourTerm& term : tuple.components) {
    if (term.kind != ColourTerm::Kind::variable || is_told[term.variable]) continue;
    is_told[term.variable] = tells = true;
  }
  return tells;
}

void collect_conjuncts(const ColourGuard& guard, std::vector<const ColourGuard*>& conjuncts) {
  if (guard.kind != ColourGuard::Kind::conjunction) return conjuncts.push_back(&guard);
  for (const ColourGuard& child : guard.children) collect_conjuncts(child, conjuncts);
}

class PlanMaker {
 public:
  PlanMaker(const ColouredNet& net, const BindingRule& rule, std::uint32_t trigger, MarkedColours& marked)
      : _rule(rule), _variables(net.transitions[rule.transition].variables), _net(net), _marked(marked) {
    _plan.rule = 0;
    _plan.trigger = trigger;
    _is_bound.assign(_variables.size(), false);
    _is_used.assign(rule.patterns.size(), false);
    _is_tested.assign(rule.conjuncts.size(), false);
  }

  BindingPlan make() {
    if (_plan.trigger != no_trigger) use(_plan.trigger);
    do deduce();
    while (join_next() || enumerate_next());
    return std::move(_plan);
  }

 private:
  bool is_known(const ColourTerm& term) const {
    return term.kind != ColourTerm::Kind::variable || _is_bound[term.variable];
  }
  bool is_known(const ColourGuard& guard) const {
    return is_known(guard.left) && is_known(guard.right) &&
           std::ranges::all_of(guard.children, [this](const ColourGuard& child) { return is_known(child); });
  }
  std::uint64_t known_components(const InputPattern& pattern) const {
    std::uint64_t known = 0;
    for (std::size_t i = 0; i < pattern.tuple->components.size(); ++i)
      if (is_known(pattern.tuple->components[i])) known |= std::uint64_t{1} << i;
    return known;
  }

  /// The pattern's colour is at hand: its variables are bound by it.
  void use(std::uint32_t pattern) {
    _is_used[pattern] = true;
    for (const ColourTerm& term : _rule.patterns[pattern].tuple->components)
      if (term.kind == ColourTerm::Kind::variable) _is_bound[term.variable] = true;
  }

  /// All that what is bound decides: tests, variables that equalities tell, inputs that only need a look.
  void deduce() {
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (std::size_t i = 0; i < _rule.conjuncts.size(); ++i)
        if (!_is_tested[i]) is_new |= test_or_assign(i);
      for (std::uint32_t i = 0; i < _rule.patterns.size(); ++i) {
        const InputPattern& pattern = _rule.patterns[i];
        const auto components = static_cast<int>(pattern.tuple->components.size());
        if (_is_used[i] || std::popcount(known_components(pattern)) != components) continue;
        add_pattern(Kind::look_up, i);
        is_new = true;
      }
    }
  }

  bool test_or_assign(std::size_t i) {
    const ColourGuard& conjunct = *_rule.conjuncts[i];
    if (is_known(conjunct)) {
      _is_tested[i] = true;
      _plan.steps.push_back({.kind = Kind::test, .conjunct = &conjunct});
      return true;
    }
    if (conjunct.kind != ColourGuard::Kind::equal) return false;
    const bool left_is_known = is_known(conjunct.left);
    if (!left_is_known && !is_known(conjunct.right)) return false;
    _is_tested[i] = true;
    const ColourTerm& unknown = left_is_known ? conjunct.right : conjunct.left;
    BindingStep step = about(Kind::assign, unknown.variable);
    step.of = &unknown;
    step.by = left_is_known ? &conjunct.left : &conjunct.right;
    _plan.steps.push_back(step);
    return true;
  }

  /// Joins the input of which most is known.
  bool join_next() {
    std::uint32_t best = no_trigger;
    int best_known = -1;
    for (std::uint32_t i = 0; i < _rule.patterns.size(); ++i) {
      const int known = std::popcount(known_components(_rule.patterns[i]));
      if (_is_used[i] || known <= best_known) continue;
      best = i;
      best_known = known;
    }
    if (best == no_trigger) return false;
    add_pattern(Kind::join, best);
    return true;
  }

  bool enumerate_next() {
    const auto unbound = std::ranges::find(_is_bound, false);
    if (unbound == _is_bound.end()) return false;
    _plan.steps.push_back(about(Kind::enumerate, static_cast<std::uint32_t>(unbound - _is_bound.begin())));
    return true;
  }

  BindingStep about(Kind kind, std::uint32_t variable) {
    _is_bound[variable] = true;
    return {.kind = kind, .variable = variable, .size = _net.classes[_variables[variable].colour_class].size};
  }

  void add_pattern(Kind kind, std::uint32_t i) {
    const InputPattern& pattern = _rule.patterns[i];
    const std::uint64_t known = known_components(pattern);
    BindingStep step{.kind = kind, .pattern = i, .known = known, .is_earlier = i < _plan.trigger};
    if (kind == Kind::join) step.index = _marked.index_by(pattern.place, known);
    _plan.steps.push_back(step);
    use(i);
  }

  const BindingRule& _rule;
  const std::vector<ColourVariable>& _variables;
  const ColouredNet& _net;
  MarkedColours& _marked;
  std::vector<bool> _is_bound, _is_used, _is_tested;
  BindingPlan _plan;
};

}  // namespace

BindingRule rule_of(const ColouredNet& net, std::uint32_t transition) {
  BindingRule rule{transition, {}, {}};
  std::vector<bool> is_told(net.transitions[transition].variables.size(), false);
  for (const ColouredArc& arc : net.transitions[transition].inputs) {
    if (!is_pattern(arc)) continue;
    for (const ColourTuple& tuple : arc.inscription) {
      if (tuple.count == 0 || !std::ranges::all_of(tuple.components, &ColourTerm::is_single)) continue;
      if (!tells_more(tuple, is_told) && rule.patterns.size() >= enough_patterns) continue;
      const InputPattern pattern{arc.place, &tuple};
      if (std::ranges::find(rule.patterns, pattern) == rule.patterns.end()) rule.patterns.push_back(pattern);
    }
  }
  collect_conjuncts(net.transitions[transition].guard, rule.conjuncts);
  return rule;
}

BindingPlan plan_of(const ColouredNet& net, const BindingRule& rule, std::uint32_t trigger, MarkedColours& marked) {
  return PlanMaker(net, rule, trigger, marked).make();
}

}  // namespace dcheck
