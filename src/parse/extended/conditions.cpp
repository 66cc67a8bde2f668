#include "parse/extended/conditions.hpp"

#include <algorithm>
#include <iterator>

namespace dcheck::parse {
namespace {

using Kind = Expression::Kind;

/// Constants go, and parts of the same kind become parts of the whole.
Expression combined(Kind kind, std::vector<Expression> predicates) {
  const Kind neutral = kind == Kind::conjunction ? Kind::always : Kind::never;
  const Kind absorbing = kind == Kind::conjunction ? Kind::never : Kind::always;
  std::vector<Expression> parts;
  for (Expression& predicate : predicates) {
    if (predicate.kind == absorbing) return Expression::of(absorbing);
    if (predicate.kind == neutral) continue;
    if (predicate.kind == kind) {
      std::ranges::move(predicate.children, std::back_inserter(parts));
    } else {
      parts.push_back(std::move(predicate));
    }
  }
  if (parts.empty()) return Expression::of(neutral);
  if (parts.size() == 1) return std::move(parts.front());
  return Expression::of(kind, std::move(parts));
}

}  // namespace

Expression all_of(std::vector<Expression> predicates) {
  return combined(Kind::conjunction, std::move(predicates));
}

Expression any_of(std::vector<Expression> predicates) {
  return combined(Kind::disjunction, std::move(predicates));
}

Expression negation(Expression predicate) {
  switch (predicate.kind) {
    case Kind::always:
      return Expression::of(Kind::never);
    case Kind::never:
      return Expression::of(Kind::always);
    case Kind::negation:
      return std::move(predicate.children[0]);
    case Kind::less:
    case Kind::less_equal:
      predicate.kind = predicate.kind == Kind::less ? Kind::less_equal : Kind::less;
      std::swap(predicate.children[0], predicate.children[1]);
      return predicate;
    case Kind::equal:
    case Kind::not_equal:
      predicate.kind = predicate.kind == Kind::equal ? Kind::not_equal : Kind::equal;
      return predicate;
    case Kind::conjunction:
    case Kind::disjunction: {
      std::vector<Expression> parts;
      for (Expression& part : predicate.children) parts.push_back(negation(std::move(part)));
      return predicate.kind == Kind::conjunction ? any_of(std::move(parts)) : all_of(std::move(parts));
    }
    default: {
      std::vector<Expression> child;
      child.push_back(std::move(predicate));
      return Expression::of(Kind::negation, std::move(child));
    }
  }
}

Expression at_least(Place place, Tokens tokens) {
  return Expression::of(Kind::less_equal, {Expression::constant_of(tokens), Expression::tokens_in(place)});
}

Expression below(Place place, Tokens tokens) {
  return Expression::of(Kind::less, {Expression::tokens_in(place), Expression::constant_of(tokens)});
}

std::vector<Expression> own_conditions(const ExtendedTransition& transition) {
  std::vector<Expression> conditions;
  std::map<Place, Tokens> needed;
  for (const Arc& arc : transition.inputs) needed[arc.place] += arc.weight;
  for (const Arc& arc : transition.tests) needed[arc.place] = std::max(needed[arc.place], arc.weight);
  for (const auto& [place, tokens] : needed) conditions.push_back(at_least(place, tokens));
  for (const Arc& arc : transition.inhibitors) conditions.push_back(below(arc.place, arc.weight));
  conditions.insert(conditions.end(), transition.guards.begin(), transition.guards.end());
  return conditions;
}

Effect effect_of(const ExtendedTransition& transition) {
  Effect effect;
  for (const Arc& arc : transition.inputs) effect[arc.place] -= arc.weight;
  for (const Arc& arc : transition.outputs) effect[arc.place] += arc.weight;
  std::erase_if(effect, [](const auto& entry) { return entry.second == 0; });
  return effect;
}

Expression before(const Expression& expression, const Effect& effect) {
  if (expression.kind == Kind::place) {
    const auto change = effect.find(expression.place);
    if (change == effect.end()) return expression;
    return Expression::of(Kind::add, {expression, Expression::constant_of(change->second)});
  }
  Expression result = expression;
  for (Expression& child : result.children) child = before(child, effect);
  return result;
}

std::size_t size_of(const Expression& expression) {
  std::size_t size = 1;
  for (const Expression& child : expression.children) size += size_of(child);
  return size;
}

}  // namespace dcheck::parse
