// Names and ranges: what they mean where an expression stands.

#include <fmt/format.h>

#include "parse/expression/evaluator.hpp"

namespace dcheck::parse {

Evaluator::Range Evaluator::range(const Node& binding, std::uint64_t times) {
  if (binding.children.size() == 1) return colour_range(binding.children.front(), times);
  const Tokens first = integer(binding.children[0]), last = integer(binding.children[1]);
  if (last < first) return {first, last, nullptr};
  Tokens difference = 0;
  const bool overflow = __builtin_sub_overflow(last, first, &difference);
  if (overflow || static_cast<std::uint64_t>(difference) >= max_iterations / times) {
    fail(binding, fmt::format("range {}..{} is too large: loops of at most {} iterations are supported", first, last,
                              max_iterations));
  }
  return {first, last, nullptr};
}

Evaluator::Range Evaluator::colour_range(const Node& name, std::uint64_t times) const {
  const ColourSet* const set = _scope.colour_set(name.text);
  if (set == nullptr)
    fail(name, fmt::format("unknown colour set '{}': expected one, or a range with '..'", shown(name.text)));
  if (static_cast<std::uint64_t>(set->last - set->first) >= max_iterations / times)
    fail(name, fmt::format("colour set '{}' is too large here: loops of at most {} iterations are supported",
                           shown(name.text), max_iterations));
  return {set->first, set->last, set};
}

/// A named colour stands by its name in the name of a member.
std::string Evaluator::index_text(const Node& index) {
  if (index.kind == Node::Kind::name && index.children.empty()) {
    const Scope::Variable* const variable = _scope.variable(index.text);
    if (variable != nullptr && variable->set != nullptr) return variable->set->text_of(variable->value);
    if (variable == nullptr && !_scope.parameter(index.text) && _scope.colour(index.text)) return index.text;
  }
  return std::to_string(integer(index));
}

std::string Evaluator::full_name(const Node& name) {
  std::string text = name.text;
  const char* separator = "[";
  for (const Node& index : name.children) {
    text += separator;
    text += index_text(index);
    separator = ",";
  }
  if (!name.children.empty()) text += ']';
  step(name.at, text.size());
  return text;
}

std::vector<Transition> Evaluator::transitions(const Node& name) {
  const std::string text = full_name(name);
  if (const auto found = _scope.net().find_transition(text)) return {*found};
  if (const auto bindings = _scope.net().bindings_of(text)) {
    step(name.at, bindings->size());
    return {bindings->begin(), bindings->end()};
  }
  fail_unknown(name, "transition", text, _scope.family_of_transitions(name.text, !name.children.empty()),
               _scope.suggest_transition(text));
}

Value Evaluator::named(const Node& node) {
  if (node.children.empty()) {
    if (const Scope::Variable* variable = _scope.variable(node.text)) return constant(variable->value);
    if (const auto parameter = _scope.parameter(node.text)) return constant(*parameter);
    if (const auto colour = _scope.colour(node.text)) return constant(*colour);
  }
  const std::string name = full_name(node);
  if (const auto known = _scope.definition(name)) {
    step(node.at, known->size);
    const Definition& definition = *known->definition;
    return {definition.is_number, definition.number, definition.formula, known->size, known->depth};
  }
  if (const auto place = _scope.net().find_place(name)) return {true, Expression::tokens_in(*place), {}, 1, 1};
  if (const auto colours = _scope.net().colours_of(name)) return tokens_of(node, *colours);
  if (_scope.net().find_transition(name) || _scope.net().bindings_of(name)) {
    fail(node, fmt::format("'{0}' is a transition: expected a place, or 'fireable({0})'", shown(name)));
  }
  if (!_scope.family_of_transitions(node.text, false).empty()) {
    fail(node,
         fmt::format("'{}' is a family of transitions: expected a place, or 'fireable' of a member", shown(node.text)));
  }
  fail_unknown(node, "name", name, _scope.family_of_values(node.text, !node.children.empty()),
               _scope.suggest_value(name));
}

Value Evaluator::tokens_of(const Node& node, std::span<const Place> colours) {
  step(node.at, colours.size());
  require_size(node, colours.size() + 1);
  if (colours.empty()) return constant(0);
  std::vector<Value> parts;
  parts.reserve(colours.size());
  for (const Place p : colours) parts.push_back({true, Expression::tokens_in(p), {}, 1, 1});
  return added(node, std::move(parts));
}

Place Evaluator::place(const Node& name) {
  const std::string text = full_name(name);
  if (const auto found = _scope.net().find_place(text)) return *found;
  fail_unknown(name, "place", text, _scope.family_of_values(name.text, !name.children.empty()),
               _scope.suggest_place(text));
}

void Evaluator::fail_unknown(const Node& node, std::string_view what, const std::string& name,
                             const std::string& family, const std::string& suggestion) const {
  if (!family.empty() && node.children.empty()) fail(node, family);
  fail(node, fmt::format("unknown {} '{}'{}", what, shown(name), family.empty() ? suggestion : ": " + family));
}

}  // namespace dcheck::parse
