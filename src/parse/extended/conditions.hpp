#pragma once
// Enabledness as predicates, and predicates about the marking after firing.

#include <map>

#include "parse/extended/extended_net.hpp"

namespace dcheck::parse {

/// What is added to places; none with 0.
using Effect = std::map<Place, Tokens>;

/// Whether the transition's own arcs and guards allow it to fire: nothing about others that precede it. For transitions
/// without variable arcs.
std::vector<Expression> own_conditions(const ExtendedTransition& transition);

Effect effect_of(const ExtendedTransition& transition);

/// What must hold before the effect for the expression to hold, or have its value, after it.
Expression before(const Expression& expression, const Effect& effect);

Expression all_of(std::vector<Expression> predicates);
Expression any_of(std::vector<Expression> predicates);
Expression negation(Expression predicate);

/// m(place) >= tokens, m(place) < tokens
Expression at_least(Place place, Tokens tokens);
Expression below(Place place, Tokens tokens);

/// Calls visit(place) for each place that the expression reads, perhaps more than once.
template <typename Visit>
void for_each_place(const Expression& expression, Visit&& visit) {
  if (expression.kind == Expression::Kind::place) visit(expression.place);
  for (const Expression& child : expression.children) for_each_place(child, visit);
}

/// How many nodes it has.
std::size_t size_of(const Expression& expression);

}  // namespace dcheck::parse
