#pragma once
// Linear comparisons in the one form that all ways of writing them share.

#include <optional>
#include <vector>

#include "dcheck/net/expression.hpp"

namespace dcheck {

/// terms.m <relation> limit. The coefficients have no common divisor and the first is positive. Without
/// terms it is a constant: 0 <relation> limit.
struct LinearConstraint {
  enum class Relation : std::uint8_t { at_most, at_least, equal, not_equal };

  std::vector<LinearForm::Term> terms;
  Relation relation = Relation::at_most;
  Tokens limit = 0;

  bool operator==(const LinearConstraint&) const = default;
};

/// The constraint that a comparison is; none where it is not linear or a number leaves 62 bits.
std::optional<LinearConstraint> constraint_of(const Expression& comparison);

/// A comparison again: coefficients and the constant are positive, each on the side where that makes them so.
Expression expression_of(const LinearConstraint& constraint);

LinearConstraint complement_of(LinearConstraint constraint);

/// The truth of a constraint without terms.
bool holds_for_zero(const LinearConstraint& constraint);

/// Fewer constraints with the same conjunction, in a fixed order; none where they contradict each other. Only
/// those with equal terms are compared.
std::optional<std::vector<LinearConstraint>> intersection_of(std::vector<LinearConstraint> constraints);

}  // namespace dcheck
