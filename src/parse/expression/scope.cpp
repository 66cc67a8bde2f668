#include "parse/expression/scope.hpp"

#include <fmt/format.h>

#include "parse/expression/family.hpp"
#include "parse/nearest.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse {
namespace {

std::string described(const Family& family, const std::string& name, bool has_indices, std::string_view members) {
  if (family.empty()) return {};
  if (has_indices) return fmt::format("the family has {}", family.range());
  return fmt::format("'{}' is a family of {}: expected a member, {}", shown(name), members, family.range());
}

}  // namespace

const Scope::Variable* Scope::variable(std::string_view name) const {
  for (auto variable = _variables.rbegin(); variable != _variables.rend(); ++variable) {
    if (variable->name == name) return &*variable;
  }
  return nullptr;
}

void Scope::add_colour_set(const ColourSet& set) {
  _colour_sets.emplace(set.name, &set);
  for (std::size_t i = 0; i < set.names.size(); ++i) _colours.emplace(set.names[i], static_cast<Tokens>(i));
}

const ColourSet* Scope::colour_set(const std::string& name) const {
  const auto found = _colour_sets.find(name);
  return found == _colour_sets.end() ? nullptr : found->second;
}

std::optional<Tokens> Scope::colour(const std::string& name) const {
  const auto found = _colours.find(name);
  if (found == _colours.end()) return std::nullopt;
  return found->second;
}

std::optional<Tokens> Scope::parameter(const std::string& name) const {
  const auto found = _parameters.find(name);
  if (found == _parameters.end()) return std::nullopt;
  return found->second;
}

std::optional<KnownDefinition> Scope::definition(const std::string& name) const {
  const auto found = _definitions.find(name);
  if (found == _definitions.end()) return std::nullopt;
  return found->second;
}

std::string_view Scope::meaning(const std::string& name) const {
  if (variable(name) != nullptr) return "a loop variable";
  if (parameter(name)) return "a parameter";
  if (colour(name)) return "a colour";
  if (colour_set(name) != nullptr) return "a colour set";
  if (definition(name)) return "a definition";
  if (_net.find_place(name)) return "a place";
  if (_net.find_transition(name)) return "a transition";
  return {};
}

std::string Scope::suggest_value(std::string_view unknown) const {
  NearestName nearest(unknown);
  for (const Variable& variable : _variables) nearest.consider(variable.name);
  for (const auto& [name, value] : _parameters) nearest.consider(name);
  for (const auto& [name, value] : _colours) nearest.consider(name);
  for (const auto& [name, known] : _definitions) nearest.consider(name);
  _net.for_each_place([&](const std::string& name) { nearest.consider(name); });
  for (const std::string_view keyword : {"deadlock", "initial", "fireable", "exists", "forall", "true", "false"}) {
    nearest.consider(keyword);
  }
  return nearest.suggestion();
}

std::string Scope::family_of_values(const std::string& name, bool has_indices) const {
  if (!_families.contains(name)) return {};
  Family places(name), definitions(name);
  _net.for_each_place([&](const std::string& place) { places.consider(place); });
  for (const auto& [known, ignored] : _definitions) definitions.consider(known);
  if (!places.empty()) return described(places, name, has_indices, "places");
  return described(definitions, name, has_indices, "definitions");
}

std::string Scope::family_of_transitions(const std::string& name, bool has_indices) const {
  if (!_families.contains(name)) return {};
  Family transitions(name);
  _net.for_each_transition([&](const std::string& transition) { transitions.consider(transition); });
  return described(transitions, name, has_indices, "transitions");
}

std::string Scope::suggest_place(std::string_view unknown) const {
  NearestName nearest(unknown);
  _net.for_each_place([&](const std::string& name) { nearest.consider(name); });
  return nearest.suggestion();
}

std::string Scope::suggest_transition(std::string_view unknown) const {
  NearestName nearest(unknown);
  _net.for_each_transition([&](const std::string& name) { nearest.consider(name); });
  return nearest.suggestion();
}

}  // namespace dcheck::parse
