#pragma once
// A coloured net (a symmetric net of PNML) as it was written, before it is unfolded: tokens have colours, arcs and
// guards speak of variables. A plain value; readers make it, unfold() turns it into a Net.
//
// Colours are numbers: those of a class are 0, 1, ... in the order of its declaration. Tuples are flat: a place has a
// list of classes, one for each component (products of products are flattened, `dot` is a class of one colour), and so
// has a term. A transition fires under a binding, a colour for each of its variables, that its guard allows.

#include <cstdint>
#include <string>
#include <vector>

#include "dcheck/base/ids.hpp"

namespace dcheck {

using Colour = std::uint32_t;
/// Where in the model's text something stands; unfold() only hands it back in its complaints.
using Origin = std::uint32_t;

struct ColourClass {
  std::string name;
  std::vector<std::string> names;  // of its colours; empty: consecutive integers
  Tokens first = 0;                // the first of them
  Colour size = 1;
  bool is_cyclic = false;  // the last colour has a successor, the first one

  std::string name_of(Colour colour) const;
  /// The class of plain tokens.
  bool is_dot() const { return size == 1 && names.size() == 1 && names.front() == "dot"; }
};

/// One component of a term.
struct ColourTerm {
  enum class Kind : std::uint8_t { constant, variable, set, all };
  Kind kind = Kind::constant;
  std::uint32_t colour_class = 0;
  std::uint32_t variable = 0;  // of the transition
  Colour value = 0;            // the constant, or how many successors further than the variable, below the class's size
  std::vector<Colour> set;     // ascending; a term with a set stands for all its colours

  bool is_single() const { return kind == Kind::constant || kind == Kind::variable; }
  bool operator==(const ColourTerm&) const = default;
};

/// `count` tokens of each colour that the components stand for. Counts below 0 take away from what others add.
struct ColourTuple {
  Tokens count = 1;
  std::vector<ColourTerm> components;
  bool operator==(const ColourTuple&) const = default;
};

struct ColouredPlace {
  std::string name;
  std::vector<std::uint32_t> classes;
  std::vector<ColourTuple> initial;  // without variables
  Origin at = 0;
};

struct ColourVariable {
  std::string name;
  std::uint32_t colour_class = 0;
};

struct ColourGuard {
  enum class Kind : std::uint8_t {
    conjunction,  // of any number of children: none is true
    disjunction,  // none is false
    negation,
    less,  // left and right by their order in the class
    less_equal,
    equal,
    not_equal,
    member  // left is in the set, or in the class, of right
  };
  Kind kind = Kind::conjunction;
  ColourTerm left, right;
  std::vector<ColourGuard> children;
};

struct ColouredArc {
  std::uint32_t place = 0;
  std::vector<ColourTuple> inscription;  // their sum
  Origin at = 0;
};

struct ColouredTransition {
  std::string name;
  std::vector<ColourVariable> variables;
  ColourGuard guard;
  std::vector<ColouredArc> inputs, outputs;
  Origin at = 0;
};

struct ColouredNet {
  std::string name;
  std::vector<ColourClass> classes;
  std::vector<ColouredPlace> places;
  std::vector<ColouredTransition> transitions;
};

/// The colour that a single term stands for under a binding.
inline Colour colour_of(const ColourTerm& term, const ColouredNet& net, const Colour* binding) {
  if (term.kind == ColourTerm::Kind::constant) return term.value;
  const std::uint64_t colour = std::uint64_t{binding[term.variable]} + term.value;
  const Colour size = net.classes[term.colour_class].size;
  return static_cast<Colour>(colour >= size ? colour - size : colour);
}

bool holds(const ColourGuard& guard, const ColouredNet& net, const Colour* binding);

}  // namespace dcheck
