#include "parse/spn/spn_elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dcheck::parse {
namespace {

/// False where the predicate looks at enabledness or at the initial marking, which no guard may do.
bool is_about_tokens_only(const Expression& predicate) {
  using Kind = Expression::Kind;
  if (predicate.kind == Kind::fireable || predicate.kind == Kind::deadlock || predicate.kind == Kind::initial) {
    return false;
  }
  for (const Expression& child : predicate.children) {
    if (!is_about_tokens_only(child)) return false;
  }
  return true;
}

}  // namespace

SpnElaborator::SpnElaborator(const SourceText& source, const std::string& net_name, const GivenParameters& given)
    : _source(source),
      _given(given),
      _builder(net_name),
      _names(_builder),
      _scope(_names),
      _evaluator(_source, _scope) {}

void SpnElaborator::run(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    std::visit([this](const auto& declaration) { declare(declaration); }, statement);
  }
}

Model SpnElaborator::finish() {
  Model model;
  _builder.set_families(_names.place_families(), _names.transition_families());
  try {
    model.net = _builder.build();
  } catch (const InputError& error) {
    throw InputError(_source.file(), {}, error.what());
  }
  model.parameters = std::move(_parameters);
  model.definitions.assign(std::make_move_iterator(_definitions.begin()), std::make_move_iterator(_definitions.end()));
  model.checks = std::move(_checks);
  model.colour_sets.assign(_colour_sets.begin(), _colour_sets.end());
  model.families = _scope.families();
  return model;
}

void SpnElaborator::require_free(Offset at, const std::string& name) const {
  const std::string_view meaning = _sets_of_tuples.contains(name) ? "a colour set" : _scope.meaning(name);
  if (!meaning.empty()) _source.fail(at, fmt::format("duplicate name '{}': it is already {}", shown(name), meaning));
}

void SpnElaborator::keep(Offset at, std::size_t size) {
  _kept += size;
  if (_kept > max_kept_nodes) {
    _source.fail(at, fmt::format("model is too large: guards, definitions and properties have more than {} operators",
                                 max_kept_nodes));
  }
}

void SpnElaborator::count_arc(Offset at) {
  if (++_arcs > max_arcs) _source.fail(at, fmt::format("model is too large: more than {} arcs", max_arcs));
}

void SpnElaborator::count_members(Offset at, Declared& declared, std::uint64_t more) const {
  if (more > max_members - declared.count) {
    _source.fail(at, fmt::format("model is too large: more than {} {}", max_members, declared.kind));
  }
  declared.count += more;
}

template <typename Visit>
void SpnElaborator::for_each_member(const DeclaredName& name, const Declared& declared, Visit&& visit) {
  Declared counted = declared;
  if (!name.dimensions.empty()) {
    _scope.add_family(name.text);
    return expand(name, 0, 1, name.text + "[", counted, visit);
  }
  count_members(name.at, counted, 1);
  _evaluator.step(name.at, name.text.size());
  visit(name.text);
}

template <typename Visit>
void SpnElaborator::expand(const DeclaredName& name, std::size_t dimension, std::uint64_t times,
                           const std::string& so_far, Declared& declared, Visit& visit) {
  _evaluator.step(name.at, so_far.size());
  if (dimension == name.dimensions.size()) return visit(so_far);
  const bool is_last = dimension + 1 == name.dimensions.size();
  const char* const separator = is_last ? "]" : ",";
  const Node& node = name.dimensions[dimension];
  if (node.kind != Node::Kind::binding) {
    if (is_last) count_members(name.at, declared, 1);
    const std::string index = _evaluator.index_text(node);
    return expand(name, dimension + 1, times, so_far + index + separator, declared, visit);
  }
  const auto [first, last, set] = _evaluator.range(node, times);
  if (last < first) return;
  const auto count = static_cast<std::uint64_t>(last - first) + 1;
  if (is_last) count_members(name.at, declared, count);
  _evaluator.require_new_variable(node);
  _scope.push_variable(node.text, first, set);
  for (Tokens i = first;; ++i) {
    _scope.set_variable(i);
    expand(name, dimension + 1, times * count,
           so_far + (set != nullptr ? set->text_of(i) : std::to_string(i)) + separator, declared, visit);
    if (i == last) break;
  }
  _scope.pop_variable();
}

void SpnElaborator::declare(const ParameterDeclaration& declaration) {
  const std::string& name = declaration.name.text;
  require_free(declaration.name.at, name);
  std::optional<Tokens> value = _given.value(name);
  if (!value && declaration.value) value = _evaluator.integer(*declaration.value);
  if (!value) {
    _source.fail(declaration.name.at,
                 fmt::format("parameter '{0}' has no value: expected one by '-D {0}=...'", shown(name)));
  }
  _scope.add_parameter(name, *value);
  _parameters.push_back({name, *value});
}

void SpnElaborator::declare(const PlaceDeclaration& declaration) {
  if (declaration.colours) return declare_coloured(declaration);
  const Offset at = declaration.name.at;
  for_each_member(declaration.name, {_builder.place_count(), "places"}, [&](const std::string& name) {
    require_free(at, name);
    const Tokens initial = declaration.initial ? _evaluator.integer(*declaration.initial) : 0;
    if (initial < 0) {
      _source.fail(declaration.initial->at,
                   fmt::format("place '{}' starts with {} tokens: expected 0 or more", shown(name), initial));
    }
    _builder.add_place(name, initial);
    _names.add_place(name, {declaration.name.text, false});
  });
}

void SpnElaborator::declare(const TransitionDeclaration& declaration) {
  const auto is_colour = [](const Node& dimension) {
    return dimension.kind == Node::Kind::binding && dimension.children.size() == 1;
  };
  if (std::ranges::any_of(declaration.name.dimensions, is_colour)) return declare_coloured(declaration);
  for_each_member(declaration.name, {_builder.transition_count(), "transitions"},
                  [&](const std::string& name) { add_transition(declaration, name, false); });
}

void SpnElaborator::add_transition(const TransitionDeclaration& declaration, const std::string& name,
                                   bool is_coloured) {
  require_free(declaration.name.at, name);
  const Transition t = _builder.add_transition(name);
  _names.add_transition(name, {declaration.name.text, is_coloured});
  if (declaration.rate) {
    const double rate = _evaluator.real(*declaration.rate);
    if (!(rate > 0) || !std::isfinite(rate)) {
      _source.fail(declaration.rate->at, fmt::format("rate is {}: expected a number above 0", rate));
    }
    _builder.set_rate(t, rate);
  }
  for (const Node& guard : declaration.guards) add_guard(t, guard);
  for (const InhibitorClause& clause : declaration.inhibitors) add_inhibitor(t, clause);
  if (declaration.inputs) add_side(t, *declaration.inputs, true);
  if (declaration.outputs) add_side(t, *declaration.outputs, false);
}

void SpnElaborator::add_side(Transition t, const Node& side, bool is_input) {
  if (side.kind != Node::Kind::add) return add_term(t, side, is_input);
  for (const Node& term : side.children) add_term(t, term, is_input);
}

void SpnElaborator::add_term(Transition t, const Node& term, bool is_input) {
  const Value value = _evaluator.value(term);
  const auto form = value.is_number ? linear_form(value.number) : std::nullopt;
  if (!form) _source.fail(term.at, "expected places with weights, as in 'p + 2*q'");
  if (form->constant != 0) {
    _source.fail(term.at, fmt::format("expected a place or 'weight * place', found the number {}", form->constant));
  }
  for (const auto& [place, weight] : form->terms) {
    if (weight < 0) {
      _source.fail(term.at, fmt::format("weight {} of the arc with place '{}': expected a number above 0", weight,
                                        shown(_names.name(place))));
    }
    count_arc(term.at);
    is_input ? _builder.add_input(t, place, weight) : _builder.add_output(t, place, weight);
  }
}

void SpnElaborator::add_inhibitor(Transition t, const InhibitorClause& clause) {
  const Place place = _evaluator.place(clause.place);
  const Tokens threshold = clause.threshold ? _evaluator.integer(*clause.threshold) : 1;
  if (threshold <= 0) {
    _source.fail(clause.threshold->at, fmt::format("'{}' never holds fewer than {} tokens: expected a number above 0",
                                                   shown(_names.name(place)), threshold));
  }
  count_arc(clause.place.at);
  _builder.add_inhibitor(t, place, threshold);
}

void SpnElaborator::add_guard(Transition t, const Node& guard) {
  Value value = _evaluator.value(guard);
  if (value.is_number) _source.fail(guard.at, "expected a condition, found a number: compare it, as in 'p >= 1'");
  if (value.formula.kind != Formula::Kind::atom || !is_about_tokens_only(value.formula.predicate)) {
    _source.fail(guard.at,
                 "a guard speaks of token counts only: no temporal operator, 'fireable', 'deadlock' or 'initial'");
  }
  if (value.formula.is_always()) return;
  keep(guard.at, value.size);
  _builder.add_guard(t, std::move(value.formula.predicate));
}

void SpnElaborator::declare(const LetDeclaration& declaration) {
  const Offset at = declaration.name.at;
  for_each_member(declaration.name, {_definitions.size(), "definitions"}, [&](const std::string& name) {
    require_free(at, name);
    Value value = _evaluator.value(declaration.value);
    keep(at, value.size);
    _definitions.push_back({name, value.is_number, std::move(value.number), std::move(value.formula)});
    _scope.add_definition(name, {&_definitions.back(), value.size, value.depth});
  });
}

void SpnElaborator::declare(const CheckDeclaration& declaration) {
  const Offset at = declaration.name.at;
  for_each_member(declaration.name, {_checks.size(), "properties"}, [&](const std::string& name) {
    if (!_check_names.insert(name).second) {
      _source.fail(at, fmt::format("duplicate name '{}': it is already a property", shown(name)));
    }
    SizedProperty made = _evaluator.property(declaration.question, name, declaration.text);
    keep(at, made.size);
    _checks.push_back(std::move(made.property));
  });
}

void SpnElaborator::declare(const Loop& loop) {
  _evaluator.for_each_binding(loop.ranges, [&] { run(loop.body); });
}

}  // namespace dcheck::parse
