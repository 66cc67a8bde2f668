#include "parse/formula/formula_scope.hpp"

#include <algorithm>

namespace dcheck::parse {
namespace {

struct Extent {
  std::uint32_t size = 1, depth = 1;

  void include(const Extent& part) {
    size += part.size;
    depth = std::max(depth, part.depth + 1);
  }
};

Extent extent_of(const Expression& expression) {
  Extent whole;
  for (const Expression& child : expression.children) whole.include(extent_of(child));
  return whole;
}

Extent extent_of(const Formula& formula) {
  Extent whole = extent_of(formula.predicate);
  for (const Formula& child : formula.children) whole.include(extent_of(child));
  return whole;
}

/// The names of coloured families that have members of other names.
template <typename Id>
void for_each_coloured(const Families<Id>& families, const std::function<void(const std::string&)>& visit) {
  for (std::uint32_t i = 0; i < families.count(); ++i)
    if (families[i].is_coloured) visit(families[i].name);
}

}  // namespace

std::optional<std::span<const Place>> FinishedNames::colours_of(std::string_view place) const {
  return _net.place_families().coloured_members(place);
}

std::optional<std::span<const Transition>> FinishedNames::bindings_of(std::string_view transition) const {
  return _net.transition_families().coloured_members(transition);
}

void FinishedNames::for_each_place(const std::function<void(const std::string&)>& visit) const {
  for_each_coloured(_net.place_families(), visit);
  for (std::size_t i = 0; i < _net.place_count(); ++i) visit(_net.name(static_cast<Place>(i)));
}

void FinishedNames::for_each_transition(const std::function<void(const std::string&)>& visit) const {
  for_each_coloured(_net.transition_families(), visit);
  for (std::size_t i = 0; i < _net.transition_count(); ++i) visit(_net.name(static_cast<Transition>(i)));
}

FormulaScope::FormulaScope(const Model& model) : _names(model.net), _scope(_names) {
  for (const Parameter& parameter : model.parameters) _scope.add_parameter(parameter.name, parameter.value);
  for (const ColourSet& set : model.colour_sets) _scope.add_colour_set(set);
  for (const std::string& family : model.families) _scope.add_family(family);
  for (const Definition& definition : model.definitions) {
    const Extent extent = definition.is_number ? extent_of(definition.number) : extent_of(definition.formula);
    _scope.add_definition(definition.name, {&definition, extent.size, extent.depth});
  }
}

}  // namespace dcheck::parse
