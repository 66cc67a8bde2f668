#include "colour/bindings.hpp"

#include <fmt/format.h>

#include "dcheck/base/readable.hpp"
#include "dcheck/base/utf8.hpp"

namespace dcheck {

namespace {

/// `'t' alone has up to 1,000 bindings (x: 10 colours, y: 100)`.
std::string size_of(const ColouredNet& net, const ColouredTransition& transition) {
  double product = 1;
  std::string variables;
  for (const ColourVariable& variable : transition.variables) {
    const Colour size = net.classes[variable.colour_class].size;
    product *= size;
    if (variables.size() < 200)
      variables +=
          fmt::format("{}{}: {} colours", variables.empty() ? "" : ", ", shown(variable.name), with_separators(size));
  }
  const std::string bindings =
      product < 1e18 ? with_separators(static_cast<std::uint64_t>(product)) : fmt::format("{:.1e}", product);
  return fmt::format("'{}' alone may have {} bindings{}", shown(transition.name), bindings,
                     variables.empty() ? "" : " (" + variables + ")");
}

}  // namespace

Bindings::Bindings(const ColouredNet& net, const UnfoldLimits& limits)
    : _net(net), _limits(limits), _marked(net, limits), _triggers(net.places.size()), _found(net.transitions.size()) {
  make_rules();
  mark_initial();
  for (const BindingRule& rule : _rules) {
    if (!rule.patterns.empty()) continue;
    _binding.assign(net.transitions[rule.transition].variables.size(), 0);
    run(rule, plan_of(net, rule, no_trigger, _marked), 0);
  }
  while (const auto next = _marked.advance()) run_newest(*next);
}

void Bindings::make_rules() {
  for (std::uint32_t t = 0; t < _net.transitions.size(); ++t) _rules.push_back(rule_of(_net, t));
  for (std::uint32_t t = 0; t < _rules.size(); ++t)
    for (std::uint32_t i = 0; i < _rules[t].patterns.size(); ++i)
      _triggers[_rules[t].patterns[i].place].push_back({t, plan_of(_net, _rules[t], i, _marked)});
}

void Bindings::mark_initial() {
  for (std::uint32_t p = 0; p < _net.places.size(); ++p)
    for (const ColourTuple& tuple : _net.places[p].initial)
      if (tuple.count > 0)
        for_each_colour(_net, _marked.domain(p), tuple, nullptr, [&](std::uint64_t code) { _marked.add(p, code); });
}

void Bindings::run_newest(std::uint32_t number) {
  _newest = number;
  const MarkedColour colour = _marked[number];
  for (const Trigger& trigger : _triggers[colour.place]) {
    const BindingRule& rule = _rules[trigger.rule];
    _binding.assign(_net.transitions[rule.transition].variables.size(), 0);
    count_step(rule.transition);
    if (match(rule.patterns[trigger.plan.trigger], 0, colour.code)) run(rule, trigger.plan, 0);
  }
}

bool Bindings::match(const InputPattern& pattern, std::uint64_t known, std::uint64_t code) {
  const ColourDomain& domain = _marked.domain(pattern.place);
  const std::vector<ColourTerm>& terms = pattern.tuple->components;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const ColourTerm& term = terms[i];
    if ((known >> i & 1) != 0 || term.kind != ColourTerm::Kind::variable) continue;
    const Colour digit = domain.digit(code, i), size = domain.size[i];
    _binding[term.variable] = digit >= term.value ? digit - term.value : digit + (size - term.value);
  }
  // A variable may stand in it twice, and constants must be the same.
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (colour_of(terms[i], _net, _binding.data()) != domain.digit(code, i)) return false;
  return true;
}

void Bindings::run(const BindingRule& rule, const BindingPlan& plan, std::size_t at) {
  for (; at < plan.steps.size(); ++at) {
    const BindingStep& step = plan.steps[at];
    switch (step.kind) {
      case BindingStep::Kind::test:
        if (!holds(*step.conjunct, _net, _binding.data())) return;
        break;
      case BindingStep::Kind::look_up:
        if (!is_marked(rule, step)) return;
        break;
      case BindingStep::Kind::assign: {
        const Colour colour = colour_of(*step.by, _net, _binding.data());
        _binding[step.variable] =
            colour >= step.of->value ? colour - step.of->value : colour + (step.size - step.of->value);
        break;
      }
      case BindingStep::Kind::join:
        return join(rule, plan, at);
      case BindingStep::Kind::enumerate:
        for (Colour colour = 0; colour < step.size; ++colour) {
          count_step(rule.transition);
          _binding[step.variable] = colour;
          run(rule, plan, at + 1);
        }
        return;
    }
  }
  found(rule);
}

bool Bindings::is_marked(const BindingRule& rule, const BindingStep& step) const {
  const InputPattern& pattern = rule.patterns[step.pattern];
  const ColourDomain& domain = _marked.domain(pattern.place);
  std::uint64_t code = 0;
  for (std::size_t i = 0; i < pattern.tuple->components.size(); ++i)
    code += colour_of(pattern.tuple->components[i], _net, _binding.data()) * domain.stride[i];
  const std::uint32_t number = _marked.find(pattern.place, code);
  return number != CodeTable::none && (number < _newest || (number == _newest && !step.is_earlier));
}

void Bindings::join(const BindingRule& rule, const BindingPlan& plan, std::size_t at) {
  const BindingStep& step = plan.steps[at];
  const InputPattern& pattern = rule.patterns[step.pattern];
  const ColourDomain& domain = _marked.domain(pattern.place);
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < pattern.tuple->components.size(); ++i)
    if ((step.known >> i & 1) != 0)
      key += colour_of(pattern.tuple->components[i], _net, _binding.data()) * domain.stride[i];
  for (std::uint32_t number = _marked.first_with(pattern.place, step.index, key); number != CodeTable::none;
       number = _marked.next_with(pattern.place, step.index, number)) {
    count_step(rule.transition);
    if (number == _newest && step.is_earlier) continue;
    if (match(pattern, step.known, _marked[number].code)) run(rule, plan, at + 1);
  }
}

void Bindings::found(const BindingRule& rule) {
  if (++_bindings > _limits.transitions)
    throw UnfoldError(
        _net.transitions[rule.transition].at,
        fmt::format("the net is too large: unfolded it has more than {} transitions; {}",
                    with_separators(_limits.transitions), size_of(_net, _net.transitions[rule.transition])));
  Found& all = _found[rule.transition];
  all.colours.insert(all.colours.end(), _binding.begin(), _binding.end());
  ++all.count;
  mark_outputs(rule.transition);
}

/// What is taken away from a sum may be all that another part of it gives: then that colour is marked too early, and
/// goes when what can fire is found out.
void Bindings::mark_outputs(std::uint32_t transition) {
  for (const ColouredArc& arc : _net.transitions[transition].outputs)
    for (const ColourTuple& tuple : arc.inscription)
      if (tuple.count > 0)
        for_each_colour(_net, _marked.domain(arc.place), tuple, _binding.data(), [&](std::uint64_t code) {
          count_step(transition);
          _marked.add(arc.place, code);
        });
}

void Bindings::count_step(std::uint32_t transition) {
  if (++_steps <= _limits.steps) return;
  throw UnfoldError(_net.transitions[transition].at,
                    fmt::format("the net is too large: unfolding it takes more than {} steps; {}",
                                with_separators(_limits.steps), size_of(_net, _net.transitions[transition])));
}

}  // namespace dcheck
