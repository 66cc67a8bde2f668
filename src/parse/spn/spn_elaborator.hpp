#pragma once
// Turns the statements of a .spn model into a net, definitions and properties.

#include <deque>
#include <string>
#include <unordered_map>
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

  /// The newest place or transition of the builder; the family's name is the one without indices.
  void add_place(const std::string& name, const Family& family) {
    join(static_cast<Place>(_places.size()), name, family, _places_of, _place_family);
    _places.push_back(name);
  }
  void add_transition(const std::string& name, const Family& family) {
    join(static_cast<Transition>(_transitions.size()), name, family, _transitions_of, _transition_family);
    _transitions.push_back(name);
  }
  const Families<Place>& place_families() const { return _places_of; }
  const Families<Transition>& transition_families() const { return _transitions_of; }
  const std::string& name(Place place) const { return _places[index(place)]; }

  std::optional<Place> find_place(std::string_view name) const override { return _builder.find_place(name); }
  std::optional<Transition> find_transition(std::string_view name) const override {
    return _builder.find_transition(name);
  }
  std::optional<std::span<const Place>> colours_of(std::string_view place) const override {
    return _places_of.coloured_members(place);
  }
  std::optional<std::span<const Transition>> bindings_of(std::string_view transition) const override {
    return _transitions_of.coloured_members(transition);
  }
  void for_each_place(const std::function<void(const std::string&)>& visit) const override {
    for (const std::string& name : _places) visit(name);
  }
  void for_each_transition(const std::function<void(const std::string&)>& visit) const override {
    for (const std::string& name : _transitions) visit(name);
  }

 private:
  using FamilyNumbers = std::unordered_map<std::string, std::uint32_t>;
  /// What has no indices is no member of a family.
  template <typename Id>
  static void join(Id id, const std::string& name, const Family& family, Families<Id>& families, FamilyNumbers& known) {
    if (name == family.name) return;
    const auto [at, is_new] = known.try_emplace(family.name, static_cast<std::uint32_t>(families.count()));
    if (is_new) families.add(family);
    families.join(id, at->second);
  }

  const NetBuilder& _builder;
  std::vector<std::string> _places, _transitions;
  Families<Place> _places_of;
  Families<Transition> _transitions_of;
  FamilyNumbers _place_family, _transition_family;
};

class SpnElaborator {
 public:
  SpnElaborator(const SourceText& source, const std::string& net_name, const GivenParameters& given);

  void run(const std::vector<Statement>& statements);

  /// Everything but the sha256. The elaborator is empty afterwards.
  Model finish();

 private:
  void declare(const ParameterDeclaration& declaration);
  void declare(const ColourDeclaration& declaration);
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

  void add_colour_set(const ColourDeclaration& declaration, ColourSet set);
  void declare_coloured(const PlaceDeclaration& declaration);
  /// Calls visit(`[a,b]`) for every colour that a place of these colours can have.
  template <typename Visit>
  void for_each_colour(const Node& colours, Visit&& visit);
  std::vector<Tokens> initial_of_colours(const PlaceDeclaration& declaration, std::size_t first);

  /// A part of a coloured transition's guard, and the last of its dimensions that the part speaks of.
  struct Conjunct {
    const Node* condition;
    std::size_t last;
  };
  void declare_coloured(const TransitionDeclaration& declaration);
  /// Gives colours to the dimensions from this one on; what the guard rules out is left as soon as that is known.
  void bind(const TransitionDeclaration& declaration, const std::vector<Conjunct>& guard, std::size_t dimension,
            const std::string& so_far);
  void add_transition(const TransitionDeclaration& declaration, const std::string& name, bool is_coloured);
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
  std::deque<ColourSet> _colour_sets;                            // a deque: the scope points into it
  std::unordered_map<std::string, const Node*> _sets_of_tuples;  // by name: their ranges
  std::deque<Definition> _definitions;                           // a deque: the scope points into it
  std::vector<Property> _checks;
  std::unordered_set<std::string> _check_names;
  std::size_t _arcs = 0, _kept = 0;
};

}  // namespace dcheck::parse
