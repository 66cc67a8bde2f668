#pragma once
// Predicates that are nothing but limits of single places: what arcs can express as well as a guard.

#include <map>

#include "dcheck/net/expression.hpp"

namespace dcheck {

/// m(p) >= at_least[p] and m(p) < below[p] for the places named; all numbers above 0.
struct PlaceLimits {
  std::map<Place, Tokens> at_least, below;

  void ask_at_least(Place place, Tokens tokens);
  void ask_below(Place place, Tokens tokens);
};

/// Adds what a conjunction of comparisons of a place with a number asks. False, with limits that mean nothing, where
/// the predicate is anything else.
bool add_place_limits(const Expression& predicate, PlaceLimits& limits);

/// a / b rounded towards minus infinity; b > 0.
constexpr Tokens floor_quotient(Tokens a, Tokens b) {
  const Tokens quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

}  // namespace dcheck
