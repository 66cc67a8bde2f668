#pragma once
// Turns the statements of a .spn model into a net, definitions and properties.

#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

#include "dcheck/net/net_builder.hpp"
#include "parse/expression/evaluator.hpp"
#include "parse/expression/scope.hpp"
#include "parse/expression/syntax.hpp"
#include "parse/parameters.hpp"

namespace dcheck::parse {

/// Places, transitions, definitions and properties, of each kind.
inline constexpr std::size_t max_members = 1'000'000;
inline constexpr std::size_t max_arcs = 10'000'000;

/// The names of a net that is still growing.
class GrowingNames : public NetNames {
 public:
  explicit GrowingNames(const NetBuilder& builder) : _builder(builder) {}

  void add_place(const std::string& name) { _places.push_back(name); }
  void add_transition(const std::string& name) { _transitions.push_back(name); }
  const std::string& name(Place place) const { return _places[index(place)]; }

  std::optional<Place> find_place(std::string_view name) const override { return _builder.find_place(name); }
  std::optional<Transition> find_transition(std::string_view name) const override {
    return _builder.find_transition(name);
  }
  void for_each_place(const std::function<void(const std::string&)>& visit) const override {
    for (const std::string& name : _places) visit(name);
  }
  void for_each_transition(const std::function<void(const std::string&)>& visit) const override {
    for (const std::string& name : _transitions) visit(name);
  }

 private:
  const NetBuilder& _builder;
  std::vector<std::string> _places, _transitions;
};

class SpnElaborator {
 public:
  SpnElaborator(const SourceText& source, const std::string& net_name, const GivenParameters& given);

  void run(const std::vector<Statement>& statements);

  /// Everything but the sha256. The elaborator is empty afterwards.
  Model finish();

 private:
  void declare(const ParameterDeclaration& declaration);
  void declare(const PlaceDeclaration& declaration);
  void declare(const TransitionDeclaration& declaration);
  void declare(const LetDeclaration& declaration);
  void declare(const CheckDeclaration& declaration);
  void declare(const Loop& loop);

  /// What is declared so far of a kind, and how messages call it.
  struct Declared {
    std::size_t count;
    const char* kind;
  };
  /// Calls visit(full name) for every member, with the loop variables of the indices set. Fails where there would be
  /// more than max_members of the kind, before a range that is too large is begun.
  template <typename Visit>
  void for_each_member(const DeclaredName& name, const Declared& declared, Visit&& visit);
  template <typename Visit>
  void expand(const DeclaredName& name, std::size_t dimension, std::uint64_t times, const std::string& so_far,
              Declared& declared, Visit& visit);
  /// Counts so many more; fails where they are too many.
  void count_members(Offset at, Declared& declared, std::uint64_t more) const;

  void add_side(Transition t, const Node& side, bool is_input);
  void add_term(Transition t, const Node& term, bool is_input);
  void add_inhibitor(Transition t, const InhibitorClause& clause);
  void add_guard(Transition t, const Node& guard);
  void count_arc(Offset at);
  /// Counts what a value that stays in memory is made of.
  void keep(Offset at, std::size_t size);
  void require_free(Offset at, const std::string& name) const;

  const SourceText& _source;
  const GivenParameters& _given;
  NetBuilder _builder;
  GrowingNames _names;
  Scope _scope;
  Evaluator _evaluator;
  std::vector<Parameter> _parameters;
  std::deque<Definition> _definitions;  // a deque: the scope points into it
  std::vector<Property> _checks;
  std::unordered_set<std::string> _check_names;
  std::size_t _arcs = 0, _kept = 0;
};

}  // namespace dcheck::parse
