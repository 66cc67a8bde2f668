#pragma once
// What a name means at some point of a model or formula.

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dcheck/parse/model.hpp"

namespace dcheck::parse {

/// The names of a net, finished or under construction.
class NetNames {
 public:
  virtual ~NetNames() = default;
  virtual std::optional<Place> find_place(std::string_view name) const = 0;
  virtual std::optional<Transition> find_transition(std::string_view name) const = 0;
  /// All colours of a coloured place that are ever marked, all bindings of a coloured transition; none where the name
  /// is no such thing.
  virtual std::optional<std::span<const Place>> colours_of(std::string_view place) const = 0;
  virtual std::optional<std::span<const Transition>> bindings_of(std::string_view transition) const = 0;
  virtual void for_each_place(const std::function<void(const std::string&)>& visit) const = 0;
  virtual void for_each_transition(const std::function<void(const std::string&)>& visit) const = 0;
};

/// A definition and what copying it costs.
struct KnownDefinition {
  const Definition* definition;
  std::uint32_t size, depth;
};

/// Loop variables hide parameters, definitions and places of the same name.
class Scope {
 public:
  /// Refers to the names: they must outlive the scope.
  explicit Scope(const NetNames& net) : _net(net) {}

  const NetNames& net() const { return _net; }

  void add_parameter(const std::string& name, Tokens value) { _parameters.emplace(name, value); }
  void add_definition(const std::string& name, KnownDefinition known) { _definitions.emplace(name, known); }

  /// Refers to it: it must outlive the scope.
  void add_colour_set(const ColourSet& set);
  const ColourSet* colour_set(const std::string& name) const;
  /// The place of a named colour in its set.
  std::optional<Tokens> colour(const std::string& name) const;

  void add_family(const std::string& name) { _families.insert(name); }
  const std::set<std::string>& families() const { return _families; }

  /// A variable, and the colour set that it runs through, if any.
  struct Variable {
    std::string name;
    Tokens value;
    const ColourSet* set;
  };
  /// The innermost loop variable of this name; null where there is none.
  const Variable* variable(std::string_view name) const;
  std::optional<Tokens> parameter(const std::string& name) const;
  std::optional<KnownDefinition> definition(const std::string& name) const;

  /// "a place", "a parameter", ... where the name is taken; empty where it is free.
  std::string_view meaning(const std::string& name) const;

  /// `; did you mean 'x'?` over everything that may stand for a value.
  std::string suggest_value(std::string_view unknown) const;
  std::string suggest_place(std::string_view unknown) const;
  std::string suggest_transition(std::string_view unknown) const;

  /// Why this name, perhaps with indices behind it, is no value although it is that of a family: the members that
  /// there are. Empty where it is no family.
  std::string family_of_values(const std::string& name, bool has_indices) const;
  std::string family_of_transitions(const std::string& name, bool has_indices) const;

  void push_variable(const std::string& name, Tokens value, const ColourSet* set = nullptr) {
    _variables.push_back({name, value, set});
  }
  /// The innermost variables, so many of them, the outermost of these first.
  std::span<const Variable> innermost(std::size_t count) const { return std::span(_variables).last(count); }
  void set_variable(Tokens value) { _variables.back().value = value; }
  void pop_variable() { _variables.pop_back(); }

 private:
  const NetNames& _net;
  std::vector<Variable> _variables;  // innermost last
  std::unordered_map<std::string, Tokens> _parameters;
  std::unordered_map<std::string, KnownDefinition> _definitions;
  std::unordered_map<std::string, const ColourSet*> _colour_sets;
  std::unordered_map<std::string, Tokens> _colours;
  std::set<std::string> _families;
};

}  // namespace dcheck::parse
