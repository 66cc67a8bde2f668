#include "ctl/linear_constraint.hpp"

#include <algorithm>
#include <compare>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace dcheck {

namespace {

using Kind = Expression::Kind;
using Relation = LinearConstraint::Relation;
using Term = LinearForm::Term;

constexpr Tokens largest = Tokens{1} << 62;

bool is_small(Tokens value) {
  return value <= largest && value >= -largest;
}

Tokens floor_divide(Tokens a, Tokens positive) {
  const Tokens quotient = a / positive;
  return a % positive < 0 ? quotient - 1 : quotient;
}

/// Relation with both sides negated.
Relation mirrored(Relation relation) {
  if (relation == Relation::at_most) return Relation::at_least;
  return relation == Relation::at_least ? Relation::at_most : relation;
}

void negate_sides(LinearConstraint& constraint) {
  for (Term& term : constraint.terms) term.coefficient = -term.coefficient;
  constraint.limit = -constraint.limit;
  constraint.relation = mirrored(constraint.relation);
}

void divide_by_common_divisor(LinearConstraint& constraint) {
  Tokens divisor = 0;
  for (const Term& term : constraint.terms) divisor = std::gcd(divisor, term.coefficient);
  if (divisor <= 1) return;
  for (Term& term : constraint.terms) term.coefficient /= divisor;
  const Tokens below = floor_divide(constraint.limit, divisor);
  const bool is_multiple = below * divisor == constraint.limit;
  const bool is_order = constraint.relation == Relation::at_most || constraint.relation == Relation::at_least;
  if (!is_multiple && !is_order) {  // equal to no multiple: a constant
    constraint.terms.clear();
    constraint.limit = 1;
  } else {
    constraint.limit = constraint.relation == Relation::at_least && !is_multiple ? below + 1 : below;
  }
}

Expression side_of(std::span<const Term> terms, Tokens sign, Tokens constant) {
  std::vector<Expression> parts;
  for (const Term& term : terms) {
    const Tokens coefficient = term.coefficient * sign;
    if (coefficient <= 0) continue;
    Expression place = Expression::tokens_in(term.place);
    parts.push_back(coefficient == 1 ? std::move(place)
                                     : Expression::of(Kind::multiply, {Expression::constant_of(coefficient), place}));
  }
  if (constant > 0 || parts.empty()) parts.push_back(Expression::constant_of(std::max<Tokens>(constant, 0)));
  return parts.size() == 1 ? std::move(parts.front()) : Expression::of(Kind::add, std::move(parts));
}

/// What constraints on the same terms leave of the integers.
class Range {
 public:
  void restrict(Relation relation, Tokens limit) {
    if (relation == Relation::not_equal) _holes.insert(limit);
    if (relation == Relation::at_most || relation == Relation::equal)
      _highest = std::min(limit, _highest.value_or(limit));
    if (relation == Relation::at_least || relation == Relation::equal)
      _lowest = std::max(limit, _lowest.value_or(limit));
  }

  /// Appends what is left to `out`; false where nothing is.
  bool write(const std::vector<Term>& terms, std::vector<LinearConstraint>& out) {
    trim();
    if (_lowest && _highest && *_lowest > *_highest) return false;
    if (_lowest && _lowest == _highest) {
      out.push_back({terms, Relation::equal, *_lowest});
      return true;
    }
    if (_highest) out.push_back({terms, Relation::at_most, *_highest});
    if (_lowest) out.push_back({terms, Relation::at_least, *_lowest});
    for (const Tokens hole : _holes) out.push_back({terms, Relation::not_equal, hole});
    return true;
  }

 private:
  /// Holes at an end move it, holes beyond it say nothing.
  void trim() {
    while (_lowest && !_holes.empty() && *_holes.begin() <= *_lowest) {
      if (*_holes.begin() == *_lowest) ++*_lowest;
      _holes.erase(_holes.begin());
    }
    while (_highest && !_holes.empty() && *_holes.rbegin() >= *_highest) {
      if (*_holes.rbegin() == *_highest) --*_highest;
      _holes.erase(std::prev(_holes.end()));
    }
  }

  std::optional<Tokens> _lowest, _highest;
  std::set<Tokens> _holes;
};

bool terms_before(const LinearConstraint& a, const LinearConstraint& b) {
  return std::ranges::lexicographical_compare(a.terms, b.terms, [](const Term& x, const Term& y) {
    return x.place != y.place ? x.place < y.place : x.coefficient < y.coefficient;
  });
}

}  // namespace

std::optional<LinearConstraint> constraint_of(const Expression& comparison) {
  if (comparison.kind < Kind::less || comparison.kind > Kind::not_equal) return std::nullopt;
  auto difference = linear_form(Expression::of(Kind::subtract, comparison.children));
  if (!difference || !is_small(difference->constant)) return std::nullopt;
  const auto has_small_coefficient = [](const Term& term) { return is_small(term.coefficient); };
  if (!std::ranges::all_of(difference->terms, has_small_coefficient)) return std::nullopt;
  LinearConstraint constraint{std::move(difference->terms), Relation::at_most, -difference->constant};
  if (comparison.kind == Kind::less) --constraint.limit;
  if (comparison.kind == Kind::equal) constraint.relation = Relation::equal;
  if (comparison.kind == Kind::not_equal) constraint.relation = Relation::not_equal;
  if (constraint.terms.empty()) return constraint;
  if (constraint.terms.front().coefficient < 0) negate_sides(constraint);
  divide_by_common_divisor(constraint);
  return constraint;
}

Expression expression_of(const LinearConstraint& constraint) {
  LinearConstraint upper = constraint;
  if (upper.relation == Relation::at_least) negate_sides(upper);
  const Kind kind = upper.relation == Relation::equal       ? Kind::equal
                    : upper.relation == Relation::not_equal ? Kind::not_equal
                                                            : Kind::less_equal;
  return Expression::of(kind, {side_of(upper.terms, 1, -upper.limit), side_of(upper.terms, -1, upper.limit)});
}

LinearConstraint complement_of(LinearConstraint constraint) {
  switch (constraint.relation) {
    case Relation::at_most:
      constraint.relation = Relation::at_least;
      ++constraint.limit;
      break;
    case Relation::at_least:
      constraint.relation = Relation::at_most;
      --constraint.limit;
      break;
    case Relation::equal:
      constraint.relation = Relation::not_equal;
      break;
    case Relation::not_equal:
      constraint.relation = Relation::equal;
      break;
  }
  return constraint;
}

bool holds_for_zero(const LinearConstraint& constraint) {
  switch (constraint.relation) {
    case Relation::at_most:
      return 0 <= constraint.limit;
    case Relation::at_least:
      return 0 >= constraint.limit;
    case Relation::equal:
      return constraint.limit == 0;
    default:
      return constraint.limit != 0;
  }
}

std::optional<std::vector<LinearConstraint>> intersection_of(std::vector<LinearConstraint> constraints) {
  std::ranges::stable_sort(constraints, terms_before);
  std::vector<LinearConstraint> result;
  for (auto first = constraints.begin(); first != constraints.end();) {
    Range range;
    auto next = first;
    for (; next != constraints.end() && next->terms == first->terms; ++next)
      range.restrict(next->relation, next->limit);
    if (!range.write(first->terms, result)) return std::nullopt;
    first = next;
  }
  return result;
}

}  // namespace dcheck
