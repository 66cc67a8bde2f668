#pragma once
// A place/transition net with weights, inhibitor arcs and guards. Immutable after building: made by
// NetBuilder, passed as `const Net&`. Arcs lie in flat arrays, one run per transition.
//
// t is enabled in m iff  m(p) >= w for every (p, w) in pre(t),
//                        m(p) <  w for every (p, w) in inhibitors(t),  and the guard holds in m.
// Firing it gives m + effect(t).

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dcheck/base/ids.hpp"
#include "dcheck/net/expression.hpp"
#include "dcheck/net/families.hpp"
#include "dcheck/net/name_index.hpp"

namespace boost::serialization {
class access;
}

namespace dcheck {

struct Arc {
  Place place;
  Tokens weight;
  bool operator==(const Arc&) const = default;
};

/// A NUPN unit: in a safe NUPN, at most one of the unit's own places and its subunits' is marked at a
/// time along each branch. dcheck treats units as hints for lanes and widths, never as proof.
struct Unit {
  std::string name;
  std::vector<Place> places;            // local places only
  std::vector<std::uint32_t> subunits;  // indices into Net::units()
};

class Net {
 public:
  const std::string& name() const { return _name; }
  std::size_t place_count() const { return _place_names.size(); }
  std::size_t transition_count() const { return _transition_names.size(); }

  const std::string& name(Place p) const { return _place_names[index(p)]; }
  const std::string& name(Transition t) const { return _transition_names[index(t)]; }
  /// Where the place stood in the model's text, for lists that people read.
  std::uint32_t position(Place p) const {
    return _positions.empty() ? static_cast<std::uint32_t>(p) : _positions[index(p)];
  }
  /// All places by position.
  std::vector<Place> places_as_written() const;
  std::optional<Place> find_place(std::string_view name) const;
  std::optional<Transition> find_transition(std::string_view name) const;

  /// The initial marking, one entry per place.
  std::span<const Tokens> initial() const { return _initial; }

  /// Places ascending, weights > 0, one entry per place (parallel arcs are added up).
  std::span<const Arc> pre(Transition t) const { return _pre.run(t); }
  std::span<const Arc> post(Transition t) const { return _post.run(t); }
  /// Places ascending, weights > 0, the smallest threshold where several were given.
  std::span<const Arc> inhibitors(Transition t) const { return _inhibitors.run(t); }
  /// post - pre, places ascending, weights != 0.
  std::span<const Arc> effect(Transition t) const { return _effect.run(t); }

  /// Null where the transition has none.
  const Expression* guard(Transition t) const;
  /// In how many ways it fires: bindings of a coloured transition that take and give the same are one transition, and
  /// each of its firings is so many arcs of the state space.
  std::uint32_t bindings(Transition t) const { return _bindings.empty() ? 1 : _bindings[index(t)]; }
  /// Kept for stochastic work; none where the model gives none.
  std::optional<double> rate(Transition t) const { return _rates[index(t)]; }

  bool has_inhibitors() const { return !_inhibitors.arcs.empty(); }
  bool has_guards() const { return _has_guards; }

  const Families<Place>& place_families() const { return _place_families; }
  const Families<Transition>& transition_families() const { return _transition_families; }

  /// Empty where the model has no NUPN data.
  std::span<const Unit> units() const { return _units; }
  bool units_claim_safe() const { return _units_claim_safe; }

  /// By the definition above; the slow, obvious way, for tests and for cold code.
  bool is_enabled(Transition t, std::span<const Tokens> marking) const;

 private:
  friend class NetBuilder;
  friend class boost::serialization::access;
  template <typename Archive>
  void serialize(Archive& archive, unsigned version);  // serialize.hpp
  struct Runs {
    std::vector<Arc> arcs;
    std::vector<std::size_t> begin{0};  // transition_count() + 1 entries
    std::span<const Arc> run(Transition t) const {
      return std::span(arcs).subspan(begin[index(t)], begin[index(t) + 1] - begin[index(t)]);
    }
    template <typename Archive>
    void serialize(Archive& archive, unsigned version);
  };
  std::string _name;
  std::vector<std::string> _place_names, _transition_names;
  std::vector<std::uint32_t> _positions;  // per place; empty: as the places are numbered
  NameIndex _place_index, _transition_index;
  std::vector<Tokens> _initial;
  Runs _pre, _post, _inhibitors, _effect;
  std::vector<std::optional<Expression>> _guards;
  std::vector<std::optional<double>> _rates;
  std::vector<std::uint32_t> _bindings;  // per transition; empty: one each
  Families<Place> _place_families;
  Families<Transition> _transition_families;
  std::vector<Unit> _units;
  bool _has_guards = false, _units_claim_safe = false;
};

}  // namespace dcheck
