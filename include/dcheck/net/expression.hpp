#pragma once
// State predicates and the arithmetic inside them: guards of transitions, atoms of formulas,
// sums of upper bounds. A plain tree; names are already resolved to places and transitions.
//
// Meaning: arithmetic is exact over the integers; division and remainder are by a positive constant
// and round towards minus infinity. evaluate() throws ResourceError where a value leaves 64 bits.

#include <optional>
#include <span>
#include <vector>

#include "dcheck/base/ids.hpp"

namespace dcheck {

class Net;

struct Expression {
  enum class Kind : std::uint8_t {
    // arithmetic
    constant,   // value
    place,      // tokens in `place`
    add,        // sum of all children, at least one
    subtract,   // children[0] - children[1]
    multiply,   // product of all children, at least one
    divide,     // children[0] / children[1], the divisor is a constant > 0
    remainder,  // children[0] % children[1], the divisor is a constant > 0
    // comparisons of two arithmetic children
    less,
    less_equal,
    equal,
    not_equal,
    // boolean; and / or have any number of children
    always,
    never,
    negation,
    conjunction,
    disjunction,
    fireable,  // `transition` is enabled (formulas only, never in a guard)
    deadlock,  // no transition is enabled (formulas only)
    initial    // the marking is the initial one (formulas only)
  };

  Kind kind = Kind::always;
  Tokens value = 0;
  Place place{};
  Transition transition{};
  std::vector<Expression> children;

  static Expression constant_of(Tokens value);
  static Expression tokens_in(Place place);
  static Expression fireable_of(Transition transition);
  static Expression of(Kind kind, std::vector<Expression> children = {});

  bool is_arithmetic() const { return kind <= Kind::remainder; }
  bool operator==(const Expression&) const = default;
};

/// terms + constant, one term a place, places ascending, no zero coefficients.
struct LinearForm {
  struct Term {
    Place place;
    Tokens coefficient;
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> terms;
  Tokens constant = 0;
};

/// The linear form of an arithmetic expression; none where it is not linear or a number would not fit.
std::optional<LinearForm> linear_form(const Expression& arithmetic);

/// The value of an arithmetic expression in a marking (one entry per place).
Tokens evaluate_number(const Expression& arithmetic, std::span<const Tokens> marking);

/// The truth of a boolean expression in a marking.
bool evaluate(const Expression& predicate, const Net& net, std::span<const Tokens> marking);

}  // namespace dcheck
