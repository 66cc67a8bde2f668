#pragma once
// A net as other tools have them: with read arcs, capacities, priorities, arcs whose weights depend on the marking (a
// reset arc takes all that is there), immediate transitions. translate.hpp makes a net of it that has none of these.
//
// t is enabled in m iff every input weight and test is at most m(place), every inhibitor weight above 0 is above
// m(place), its guards hold, firing leaves no place above its capacity, and no transition that precedes t is enabled.
// A weight that works out as 0 is no arc. All weights and guards are taken in the marking before firing.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dcheck/net/net.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse {

/// A weight, and where it is the one: of all cases of an arc, exactly one condition holds in each marking.
struct WeightCase {
  Expression condition;  // a predicate
  Expression weight;     // arithmetic; never negative in a reachable marking
  bool operator==(const WeightCase&) const = default;
};

struct VariableArc {
  Place place;
  std::vector<WeightCase> cases;
  Offset at;  // where messages about it point
};

struct ExtendedPlace {
  std::string name;
  Tokens initial = 0;
  std::optional<Tokens> capacity;
};

struct ExtendedTransition {
  std::string name;
  Offset at = 0;
  std::vector<Arc> inputs, outputs, inhibitors, tests;  // parallel inputs and outputs add up; weights above 0
  std::vector<VariableArc> variable_inputs, variable_outputs, variable_inhibitors;
  std::vector<Expression> guards;
  std::optional<double> rate;
  bool is_immediate = false;  // precedes all that are not
  Tokens priority = 0;        // a higher one precedes, among immediate ones and among the others
};

class ExtendedNet {
 public:
  std::string name;
  std::vector<ExtendedPlace> places;
  std::vector<ExtendedTransition> transitions;
  /// Pairs (a, b): a precedes b, besides what priorities say. Taken as transitive.
  std::vector<std::pair<Transition, Transition>> precedes;
  /// Where it does not hold, no transition is enabled.
  std::optional<Expression> goes_on;
  /// Markings in which an immediate transition is enabled are no states: whatever fires, immediate transitions fire
  /// after it as long as one is enabled. Otherwise they are states, and immediate transitions precede others.
  bool is_without_vanishing = false;
  std::vector<Unit> units;
  bool units_claim_safe = false;

  std::optional<Place> find_place(std::string_view place_name) const { return found<Place>(_place_index, place_name); }
  std::optional<Transition> find_transition(std::string_view transition_name) const {
    return found<Transition>(_transition_index, transition_name);
  }
  /// The name must be new.
  Place add_place(const std::string& place_name);
  Transition add_transition(const std::string& transition_name, Offset at);

  ExtendedPlace& operator[](Place p) { return places[index(p)]; }
  ExtendedTransition& operator[](Transition t) { return transitions[index(t)]; }

 private:
  using NameIndex = std::unordered_map<std::string, std::uint32_t>;
  template <typename Id>
  static std::optional<Id> found(const NameIndex& names, std::string_view wanted) {
    const auto at = names.find(std::string(wanted));
    return at == names.end() ? std::nullopt : std::optional(static_cast<Id>(at->second));
  }

  NameIndex _place_index, _transition_index;
};

}  // namespace dcheck::parse
