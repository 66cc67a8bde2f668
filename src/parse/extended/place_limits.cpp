#include "dcheck/parse/extended/place_limits.hpp"

#include <algorithm>
#include <limits>

namespace dcheck {
namespace {

using Kind = Expression::Kind;

/// children[0] <= children[1] (or <) over one place; false where it is anything else, or holds never.
bool add_comparison(const Expression& left, const Expression& right, bool is_strict, PlaceLimits& limits) {
  constexpr Tokens lowest = std::numeric_limits<Tokens>::min(), highest = std::numeric_limits<Tokens>::max();
  const auto form = linear_form(Expression::of(Kind::subtract, {left, right}));
  if (!form || form->terms.size() != 1 || form->constant == lowest) return false;
  const auto [place, coefficient] = form->terms.front();
  Tokens most = -form->constant;  // coefficient * m(place) <= most
  if (coefficient == lowest || (is_strict && __builtin_sub_overflow(most, Tokens{1}, &most))) return false;
  if (coefficient < 0) {
    limits.ask_at_least(place, -floor_quotient(most, -coefficient));
    return true;
  }
  const Tokens last = floor_quotient(most, coefficient);
  if (last < 0 || last == highest) return false;
  limits.ask_below(place, last + 1);
  return true;
}

}  // namespace

void PlaceLimits::ask_at_least(Place place, Tokens tokens) {
  if (tokens <= 0) return;
  Tokens& least = at_least[place];
  least = std::max(least, tokens);
}

void PlaceLimits::ask_below(Place place, Tokens tokens) {
  const auto [known, is_new] = below.try_emplace(place, tokens);
  if (!is_new) known->second = std::min(known->second, tokens);
}

bool add_place_limits(const Expression& predicate, PlaceLimits& limits) {
  const auto& children = predicate.children;
  switch (predicate.kind) {
    case Kind::always:
      return true;
    case Kind::conjunction:
      return std::ranges::all_of(children, [&](const Expression& part) { return add_place_limits(part, limits); });
    case Kind::less:
      return add_comparison(children[0], children[1], true, limits);
    case Kind::less_equal:
      return add_comparison(children[0], children[1], false, limits);
    case Kind::equal:
      return add_comparison(children[0], children[1], false, limits) &&
             add_comparison(children[1], children[0], false, limits);
    case Kind::not_equal: {  // p != 0
      const auto form = linear_form(Expression::of(Kind::subtract, children));
      if (!form || form->terms.size() != 1 || form->constant != 0) return false;
      limits.ask_at_least(form->terms.front().place, 1);
      return true;
    }
    case Kind::negation: {
      const Expression& inner = children[0];
      if (inner.kind == Kind::less) return add_comparison(inner.children[1], inner.children[0], false, limits);
      if (inner.kind == Kind::less_equal) return add_comparison(inner.children[1], inner.children[0], true, limits);
      return false;
    }
    default:
      return false;
  }
}

}  // namespace dcheck
