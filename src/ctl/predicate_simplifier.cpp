#include "ctl/predicate_simplifier.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ctl/expression_order.hpp"
#include "dcheck/ctl/core.hpp"

namespace dcheck {

namespace {

using Kind = Expression::Kind;
using Relation = LinearConstraint::Relation;

Expression constant(bool truth) {
  return Expression::of(truth ? Kind::always : Kind::never);
}

bool is_constant(const Expression& predicate) {
  return predicate.kind == Kind::always || predicate.kind == Kind::never;
}

bool is_combination(const Expression& predicate) {
  return predicate.kind == Kind::conjunction || predicate.kind == Kind::disjunction;
}

Kind dual(Kind kind) {
  return kind == Kind::conjunction ? Kind::disjunction : Kind::conjunction;
}

Expression negation(Expression predicate) {
  std::vector<Expression> child;
  child.push_back(std::move(predicate));
  return Expression::of(Kind::negation, std::move(child));
}

/// The opposite of anything but and / or, by its outermost operator alone.
Expression opposite(const Expression& leaf) {
  const auto swapped = [&](Kind kind) { return Expression::of(kind, {leaf.children[1], leaf.children[0]}); };
  switch (leaf.kind) {
    case Kind::always:
    case Kind::never:
      return constant(leaf.kind == Kind::never);
    case Kind::negation:
      return leaf.children.front();
    case Kind::less:
      return swapped(Kind::less_equal);
    case Kind::less_equal:
      return swapped(Kind::less);
    case Kind::equal:
      return Expression::of(Kind::not_equal, leaf.children);
    case Kind::not_equal:
      return Expression::of(Kind::equal, leaf.children);
    default:
      return negation(leaf);
  }
}

/// None where it leaves 128 bits.
std::optional<__int128> value_in(std::span<const Tokens> marking, std::span<const LinearForm::Term> terms) {
  __int128 sum = 0;
  for (const LinearForm::Term& term : terms) {
    const __int128 part = static_cast<__int128>(term.coefficient) * marking[index(term.place)];
    if (__builtin_add_overflow(sum, part, &sum)) return std::nullopt;
  }
  return sum;
}

void sort_and_drop_duplicates(std::vector<Expression>& parts) {
  std::ranges::sort(parts, comes_before);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
}

/// Replaces the linear comparisons by fewer; false where they decide the combination.
bool merge_linear(Kind kind, std::vector<Expression>& parts) {
  std::vector<LinearConstraint> constraints;
  std::vector<Expression> others;
  for (Expression& part : parts) {
    auto constraint = constraint_of(part);
    if (!constraint) {
      others.push_back(std::move(part));
    } else {
      constraints.push_back(kind == Kind::conjunction ? std::move(*constraint) : complement_of(std::move(*constraint)));
    }
  }
  const auto merged = intersection_of(std::move(constraints));
  if (!merged) return false;
  for (const LinearConstraint& constraint : *merged) {
    others.push_back(expression_of(kind == Kind::conjunction ? constraint : complement_of(constraint)));
  }
  parts = std::move(others);
  return true;
}

/// Whether a part and its opposite are both there. The parts are sorted. An and / or of the other kind need not be
/// looked at: its opposite would have been taken apart.
bool has_opposites(const std::vector<Expression>& parts) {
  return std::ranges::any_of(parts, [&](const Expression& part) {
    return !is_combination(part) && std::ranges::binary_search(parts, opposite(part), comes_before);
  });
}

}  // namespace

PredicateSimplifier::PredicateSimplifier(const Net& net, const Structure& structure)
    : _net(net), _structure(structure), _facts(structure) {}

Expression PredicateSimplifier::made(const Expression& predicate, bool is_negated) {
  switch (predicate.kind) {
    case Kind::negation:
      return made(predicate.children.front(), !is_negated);
    case Kind::conjunction:
    case Kind::disjunction:
      return made_combination(predicate, is_negated);
    case Kind::less:
    case Kind::less_equal:
    case Kind::equal:
    case Kind::not_equal:
      return made_comparison(predicate, is_negated);
    case Kind::fireable: {
      const Expression result = fireable(predicate.transition);
      return is_negated ? opposite(result) : result;
    }
    default:
      return is_negated ? opposite(predicate) : predicate;
  }
}

Expression PredicateSimplifier::made_comparison(const Expression& comparison, bool is_negated) const {
  if (auto constraint = constraint_of(comparison)) {
    return settled(is_negated ? complement_of(std::move(*constraint)) : std::move(*constraint));
  }
  Expression result = is_negated ? opposite(comparison) : comparison;
  if (result.children[0] == result.children[1]) {
    return constant(result.kind == Kind::less_equal || result.kind == Kind::equal);
  }
  const bool is_symmetric = result.kind == Kind::equal || result.kind == Kind::not_equal;
  if (is_symmetric && comes_before(result.children[1], result.children[0])) {
    std::swap(result.children[0], result.children[1]);
  }
  return result;
}

Expression PredicateSimplifier::settled(LinearConstraint constraint) const {
  if (constraint.terms.empty()) return constant(holds_for_zero(constraint));
  if (constraint.relation == Relation::equal) return settled_equality(std::move(constraint));
  if (constraint.relation == Relation::not_equal) {
    return complement(settled_equality(complement_of(std::move(constraint))));
  }
  const bool is_upper = constraint.relation == Relation::at_most;
  const auto holds_at = [&](__int128 value) {
    return is_upper ? value <= constraint.limit : value >= constraint.limit;
  };
  // What holds in the initial marking can only be decided to hold always, and what fails to fail always.
  const auto initially = value_in(_net.initial(), constraint.terms);
  if (!initially) return expression_of(constraint);
  const bool holds_initially = holds_at(*initially);
  const auto extreme =
      is_upper == holds_initially ? _facts.maximum(constraint.terms) : _facts.minimum(constraint.terms);
  if (extreme && holds_at(*extreme) == holds_initially) return constant(holds_initially);
  return expression_of(constraint);
}

/// At an end of what the terms can be, one inequality says as much.
Expression PredicateSimplifier::settled_equality(LinearConstraint constraint) const {
  const auto most = _facts.maximum(constraint.terms), least = _facts.minimum(constraint.terms);
  if ((most && *most < constraint.limit) || (least && *least > constraint.limit)) return constant(false);
  const bool is_most = most == constraint.limit, is_least = least == constraint.limit;
  if (is_most && is_least) return constant(true);
  if (is_most) constraint.relation = Relation::at_least;
  if (is_least) constraint.relation = Relation::at_most;
  return expression_of(constraint);
}

Expression PredicateSimplifier::made_combination(const Expression& combination, bool is_negated) {
  const Kind kind = is_negated ? dual(combination.kind) : combination.kind;
  std::vector<Expression> parts;
  if (!gather(combination, is_negated, parts)) return constant(kind == Kind::disjunction);
  return combined(kind, std::move(parts));
}

bool PredicateSimplifier::gather(const Expression& combination, bool is_negated, std::vector<Expression>& parts) {
  const Kind kind = is_negated ? dual(combination.kind) : combination.kind;
  for (const Expression& child : combination.children) {
    if (child.kind == combination.kind) {
      if (!gather(child, is_negated, parts)) return false;
      continue;
    }
    Expression part = made(child, is_negated);
    if (part.kind == (kind == Kind::conjunction ? Kind::never : Kind::always)) return false;
    parts.push_back(std::move(part));
  }
  return true;
}

Expression PredicateSimplifier::combined(Kind kind, std::vector<Expression> parts) const {
  const bool is_conjunction = kind == Kind::conjunction;
  std::vector<Expression> flat;
  for (Expression& part : parts) {
    if (is_constant(part)) {
      if ((part.kind == Kind::always) != is_conjunction) return constant(!is_conjunction);
    } else if (part.kind == kind) {
      std::ranges::move(part.children, std::back_inserter(flat));
    } else {
      flat.push_back(std::move(part));
    }
  }
  if (!merge_linear(kind, flat)) return constant(!is_conjunction);
  sort_and_drop_duplicates(flat);
  if (flat.empty()) return constant(is_conjunction);
  if (flat.size() == 1) return std::move(flat.front());
  if (has_opposites(flat)) return constant(!is_conjunction);
  return Expression::of(kind, std::move(flat));
}

Expression PredicateSimplifier::complement(const Expression& predicate) const {
  if (const auto constraint = constraint_of(predicate)) return expression_of(complement_of(*constraint));
  if (!is_combination(predicate)) return opposite(predicate);
  std::vector<Expression> parts;
  parts.reserve(predicate.children.size());
  for (const Expression& child : predicate.children) parts.push_back(complement(child));
  std::ranges::sort(parts, comes_before);
  return Expression::of(dual(predicate.kind), std::move(parts));
}

Expression PredicateSimplifier::fireable(Transition transition) {
  const auto known = _fireable.find(index(transition));
  if (known != _fireable.end()) return known->second;
  return _fireable.emplace(index(transition), decided_fireable(transition)).first->second;
}

Expression PredicateSimplifier::decided_fireable(Transition transition) {
  if (std::ranges::binary_search(_structure.dead, transition)) return constant(false);
  std::vector<Expression> conditions;
  for (const Arc& arc : _net.pre(transition)) {
    conditions.push_back(settled({{{arc.place, 1}}, Relation::at_least, arc.weight}));
  }
  for (const Arc& arc : _net.inhibitors(transition)) {
    conditions.push_back(settled({{{arc.place, 1}}, Relation::at_most, arc.weight - 1}));
  }
  if (const Expression* guard = _net.guard(transition)) conditions.push_back(simplified(*guard));
  const Expression all = combined(Kind::conjunction, std::move(conditions));
  return is_constant(all) ? all : Expression::fireable_of(transition);
}

Expression simplified(const Expression& predicate, const Net& net, const Structure& structure) {
  return PredicateSimplifier(net, structure).simplified(predicate);
}

std::optional<Tokens> proven_maximum(const LinearForm& sum, const Structure& structure) {
  const auto most = LinearFacts(structure).maximum(sum.terms);
  Tokens result = 0;
  if (!most || __builtin_add_overflow(*most, sum.constant, &result)) return std::nullopt;
  return result;
}

}  // namespace dcheck
