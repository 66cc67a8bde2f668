// Colour sets, coloured places and coloured transitions of a .spn model: families whose indices are colours, made with
// as few bindings as the guards allow.

#include <fmt/format.h>

#include <algorithm>

#include "parse/spn/spn_elaborator.hpp"

namespace dcheck::parse {
namespace {

using Kind = Node::Kind;

bool mentions(const Node& node, const std::string& variable) {
  if (node.kind == Kind::name && node.children.empty() && node.text == variable) return true;
  return std::ranges::any_of(node.children, [&](const Node& child) { return mentions(child, variable); });
}

void collect_conjuncts(const Node& guard, std::vector<const Node*>& conjuncts) {
  if (guard.kind != Kind::conjunction) return conjuncts.push_back(&guard);
  for (const Node& child : guard.children) collect_conjuncts(child, conjuncts);
}

}  // namespace

void SpnElaborator::add_colour_set(const ColourDeclaration& declaration, ColourSet set) {
  if (set.last < set.first) _source.fail(declaration.name.at, fmt::format("colour set '{}' is empty", shown(set.name)));
  _colour_sets.push_back(std::move(set));
  _scope.add_colour_set(_colour_sets.back());
}

void SpnElaborator::declare(const ColourDeclaration& declaration) {
  const std::string& name = declaration.name.text;
  require_free(declaration.name.at, name);
  if (!declaration.range) {
    ColourSet set{name, 0, static_cast<Tokens>(declaration.colours.size()) - 1, {}};
    for (const auto& [colour, at] : declaration.colours) {
      require_free(at, colour);
      if (colour == name || std::ranges::find(set.names, colour) != set.names.end())
        _source.fail(at, fmt::format("duplicate name '{}': it is already a colour", shown(colour)));
      set.names.push_back(colour);
    }
    return add_colour_set(declaration, std::move(set));
  }
  const Node& range = *declaration.range;
  if (range.kind == Kind::loop) {
    _sets_of_tuples.emplace(name, &range);
    return;
  }
  if (range.children.size() == 1) {
    const auto tuples = _sets_of_tuples.find(range.children.front().text);
    if (tuples != _sets_of_tuples.end()) {
      _sets_of_tuples.emplace(name, tuples->second);
      return;
    }
  }
  const Evaluator::Range colours = _evaluator.range(range, 1);
  add_colour_set(declaration, {name, colours.first, colours.last,
                               colours.set != nullptr ? colours.set->names : std::vector<std::string>()});
}

template <typename Visit>
void SpnElaborator::for_each_colour(const Node& colours, Visit&& visit) {
  const Node* ranges = &colours;
  if (colours.kind == Kind::binding && colours.children.size() == 1) {
    const auto tuples = _sets_of_tuples.find(colours.children.front().text);
    if (tuples != _sets_of_tuples.end()) ranges = tuples->second;
  }
  Node single;
  if (ranges->kind == Kind::binding) {
    single = {Kind::loop, 1, ranges->at, 0, {}, {*ranges}};
    ranges = &single;
  }
  const auto components = static_cast<std::size_t>(
      std::ranges::count_if(ranges->children, [](const Node& child) { return child.kind == Kind::binding; }));
  _evaluator.for_each_binding(*ranges, [&] {
    std::string text;
    for (const Scope::Variable& component : _scope.innermost(components)) {
      text += text.empty() ? '[' : ',';
      text += component.set != nullptr ? component.set->text_of(component.value) : std::to_string(component.value);
    }
    visit(text + ']');
  });
}

void SpnElaborator::declare_coloured(const PlaceDeclaration& declaration) {
  const std::string& name = declaration.name.text;
  const Offset at = declaration.name.at;
  require_free(at, name);
  _scope.add_family(name);
  const std::size_t first = _builder.place_count();
  for_each_colour(*declaration.colours, [&](const std::string& colour) {
    Declared declared{_builder.place_count(), "places"};
    count_members(at, declared, 1);
    require_free(at, name + colour);
    _builder.add_place(name + colour);
    _names.add_place(name + colour, {name, true});
  });
  if (_builder.place_count() == first) _source.fail(at, fmt::format("place '{}' has no colour", shown(name)));
  const std::vector<Tokens> initial = initial_of_colours(declaration, first);
  for (std::size_t i = 0; i < initial.size(); ++i) _builder.set_initial(static_cast<Place>(first + i), initial[i]);
}

std::vector<Tokens> SpnElaborator::initial_of_colours(const PlaceDeclaration& declaration, std::size_t first) {
  std::vector<Tokens> initial(_builder.place_count() - first, 0);
  for (const ColouredTokens& tokens : declaration.coloured_initial) {
    const Tokens count = tokens.count ? _evaluator.integer(*tokens.count) : 1;
    if (count < 0) _source.fail(tokens.at, fmt::format("{} tokens: expected 0 or more", count));
    const auto add = [&](Tokens& to) {
      if (__builtin_add_overflow(to, count, &to)) _source.fail(tokens.at, "more than 2^63 - 1 tokens");
    };
    if (tokens.is_all) {
      std::ranges::for_each(initial, add);
      continue;
    }
    std::string member = declaration.name.text;
    for (const Node& component : tokens.colour) {
      member += &component == &tokens.colour.front() ? '[' : ',';
      member += _evaluator.index_text(component);
    }
    const auto place = _builder.find_place(member + ']');
    if (!place || index(*place) < first)
      _source.fail(tokens.at, fmt::format("'{}]' is no colour of the place", shown(member)));
    add(initial[index(*place) - first]);
  }
  return initial;
}

void SpnElaborator::declare_coloured(const TransitionDeclaration& declaration) {
  const std::vector<Node>& dimensions = declaration.name.dimensions;
  _scope.add_family(declaration.name.text);
  std::vector<const Node*> conditions;
  for (const Node& guard : declaration.guards) collect_conjuncts(guard, conditions);
  std::vector<Conjunct> guard;
  for (const Node* condition : conditions) {
    Conjunct conjunct{condition, 0};
    for (std::size_t i = 0; i < dimensions.size(); ++i)
      if (mentions(*condition, dimensions[i].text)) conjunct.last = i;
    guard.push_back(conjunct);
  }
  bind(declaration, guard, 0, declaration.name.text + "[");
}

void SpnElaborator::bind(const TransitionDeclaration& declaration, const std::vector<Conjunct>& guard,
                         std::size_t dimension, const std::string& so_far) {
  const std::vector<Node>& dimensions = declaration.name.dimensions;
  if (dimension == dimensions.size()) {
    Declared declared{_builder.transition_count(), "transitions"};
    count_members(declaration.name.at, declared, 1);
    return add_transition(declaration, so_far, true);
  }
  const Node& node = dimensions[dimension];
  const char* const separator = dimension + 1 == dimensions.size() ? "]" : ",";
  const auto go_on = [&](const std::string& index) {
    _evaluator.step(node.at, so_far.size());
    const auto rules_out = [&](const Conjunct& conjunct) {
      if (conjunct.last != dimension) return false;
      const Value value = _evaluator.value(*conjunct.condition);
      return !value.is_number && value.formula.is_never();
    };
    if (std::ranges::none_of(guard, rules_out)) bind(declaration, guard, dimension + 1, so_far + index + separator);
  };
  if (node.kind != Kind::binding) return go_on(_evaluator.index_text(node));
  const Evaluator::Range range = _evaluator.range(node, 1);
  if (range.last < range.first) return;
  _evaluator.require_new_variable(node);
  _scope.push_variable(node.text, range.first, range.set);
  for (Tokens i = range.first;; ++i) {
    _scope.set_variable(i);
    go_on(range.set != nullptr ? range.set->text_of(i) : std::to_string(i));
    if (i == range.last) break;
  }
  _scope.pop_variable();
}

}  // namespace dcheck::parse
