#pragma once
// CTL formulas as the parsers hand them over: a plain tree, names resolved.
// Paths are maximal: infinite, or finite and ending in a deadlock.

#include <string>
#include <vector>

#include "dcheck/net/expression.hpp"

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

  bool operator==(const Formula&) const = default;
};

/// A property to decide. An upper bound asks for the largest value of `bound_of` instead of a verdict.
struct Property {
  std::string id;
  std::string text;  // as the user wrote it, for the report
  Formula formula;
  bool is_upper_bound = false;
  Expression bound_of;  // arithmetic, only where is_upper_bound
};

}  // namespace dcheck
