#pragma once
// CTL formulas as the parsers hand them over: a plain tree, names resolved.
// Paths are maximal: infinite, or finite and ending in a deadlock.

#include <string>
#include <vector>

#include "dcheck/net/structural_order.hpp"

namespace dcheck {

struct Formula {
  enum class Kind : std::uint8_t {
    atom,         // `predicate`, a boolean expression
    negation,     // 1 child
    conjunction,  // any number of children
    disjunction,
    ex,
    ax,
    ef,
    af,
    eg,
    ag,  // 1 child
    eu,
    au  // children[0] U children[1]
  };

  Kind kind = Kind::atom;
  Expression predicate;
  std::vector<Formula> children;

  static Formula atom_of(Expression predicate);
  static Formula of(Kind kind, std::vector<Formula> children);

  bool is_always() const { return kind == Kind::atom && predicate.kind == Expression::Kind::always; }
  bool is_never() const { return kind == Kind::atom && predicate.kind == Expression::Kind::never; }

  bool operator==(const Formula&) const = default;
};

/// Boolean combinations that stay as simple as they can: constants are folded away, a double negation
/// cancels, and a combination of atoms is one atom.
Formula negation_of(Formula formula);
Formula conjunction_of(std::vector<Formula> formulas);
Formula disjunction_of(std::vector<Formula> formulas);

/// Ids of places and transitions become those of the renumbered net.
void renumber(Formula& formula, const Renumbering& numbers);

/// A property to decide. An upper bound asks for the largest value of `bound_of` instead of a verdict.
struct Property {
  std::string id;
  std::string text;  // as the user wrote it, for the report
  Formula formula;
  bool is_upper_bound = false;
  Expression bound_of;  // arithmetic, only where is_upper_bound
};

}  // namespace dcheck
