#include "parse/extended/interval.hpp"

#include <algorithm>

#include "dcheck/parse/extended/place_limits.hpp"

namespace dcheck::parse {
namespace {

using Kind = Expression::Kind;
using Wide = __int128;

constexpr Tokens endless = Interval::endless;

Tokens clamped(Wide value) {
  return static_cast<Tokens>(std::clamp<Wide>(value, -endless, endless));
}

/// Endless stays endless, whatever is added to it or taken from it.
Tokens sum_of(Tokens a, Tokens b) {
  if (a == endless || a == -endless) return a;
  if (b == endless || b == -endless) return b;
  return clamped(Wide{a} + b);
}

Tokens product_of(Tokens a, Tokens b) {
  return clamped(Wide{a} * b);
}

Interval operator+(Interval a, Interval b) {
  return {sum_of(a.low, b.low), sum_of(a.high, b.high)};
}

Interval operator-(Interval a) {
  return {-a.high, -a.low};
}

Interval operator*(Interval a, Interval b) {
  const auto [low, high] = std::minmax(
      {product_of(a.low, b.low), product_of(a.low, b.high), product_of(a.high, b.low), product_of(a.high, b.high)});
  return {low, high};
}

Interval only(Tokens value) {
  return {clamped(value), clamped(value)};
}

Interval values_of(const LinearForm& form, const Box& box) {
  Interval sum = only(form.constant);
  for (const auto& [place, coefficient] : form.terms) sum = sum + only(coefficient) * box[place];
  return sum;
}

Interval quotient(Interval a, Tokens divisor) {
  const auto divided = [&](Tokens value) {
    return value == endless || value == -endless ? value : floor_quotient(value, divisor);
  };
  return {divided(a.low), divided(a.high)};
}

std::optional<LinearForm> difference(const Expression& comparison) {
  return linear_form(Expression::of(Kind::subtract, comparison.children));
}

LinearForm negative(LinearForm form) {
  form.constant = -form.constant;
  for (auto& term : form.terms) term.coefficient = -term.coefficient;
  return form;
}

/// Small enough for sums of a few of them.
bool is_small(const LinearForm& form) {
  const auto small = [](Tokens value) { return value > -endless && value < endless; };
  return small(form.constant) && std::ranges::all_of(form.terms, small, &LinearForm::Term::coefficient);
}

}  // namespace

Interval Box::operator[](Place place) const {
  if (const auto known = _learned.find(place); known != _learned.end()) return known->second;
  Interval interval;
  if (index(place) < _bounds.size() && _bounds[index(place)]) interval.high = std::min(*_bounds[index(place)], endless);
  return interval;
}

Interval Box::values(const Expression& arithmetic) const {
  if (const auto form = linear_form(arithmetic)) return values_of(*form, *this);
  const auto& children = arithmetic.children;
  switch (arithmetic.kind) {
    case Kind::add: {
      Interval sum = only(0);
      for (const Expression& child : children) sum = sum + values(child);
      return sum;
    }
    case Kind::subtract:
      return values(children[0]) + -values(children[1]);
    case Kind::multiply: {
      Interval product = only(1);
      for (const Expression& child : children) product = product * values(child);
      return product;
    }
    case Kind::divide:
      return quotient(values(children[0]), children[1].value);
    case Kind::remainder:
      return {0, clamped(children[1].value - 1)};
    default:
      return {-endless, endless};
  }
}

Truth Box::truth(const Expression& predicate) const {
  const auto& children = predicate.children;
  const auto of_child = [this](const Expression& child) { return truth(child); };
  switch (predicate.kind) {
    case Kind::always:
      return Truth::yes;
    case Kind::never:
      return Truth::no;
    case Kind::negation:
      return opposite(truth(children[0]));
    case Kind::conjunction:
      return dcheck::all_of(children, of_child);
    case Kind::disjunction:
      return dcheck::any_of(children, of_child);
    case Kind::less:
    case Kind::less_equal:
    case Kind::equal:
    case Kind::not_equal:
      break;
    default:
      return Truth::unknown;
  }
  const auto [low, high] = values(Expression::of(Kind::subtract, children));
  if (predicate.kind == Kind::less || predicate.kind == Kind::less_equal) {
    const Tokens most = predicate.kind == Kind::less ? -1 : 0;
    if (high <= most) return Truth::yes;
    return low > most ? Truth::no : Truth::unknown;
  }
  const Truth is_equal = low > 0 || high < 0 ? Truth::no : low == high ? Truth::yes : Truth::unknown;
  return predicate.kind == Kind::equal ? is_equal : opposite(is_equal);
}

bool Box::learn(const Expression& predicate, bool holds) {
  const auto& children = predicate.children;
  switch (predicate.kind) {
    case Kind::negation:
      return learn(children[0], !holds);
    case Kind::conjunction:
      return holds ? learn_all(children, true) : learn_any(children, false);
    case Kind::disjunction:
      return holds ? learn_any(children, true) : learn_all(children, false);
    case Kind::less:
    case Kind::less_equal:
    case Kind::equal:
    case Kind::not_equal:
      return learn_comparison(predicate, holds);
    default:
      return truth(predicate) != truth_of(!holds);
  }
}

bool Box::learn_all(std::span<const Expression> predicates, bool holds) {
  return std::ranges::all_of(predicates, [&](const Expression& predicate) { return learn(predicate, holds); });
}

/// Nothing follows where two of them are possible.
bool Box::learn_any(std::span<const Expression> predicates, bool holds) {
  const Expression* possible = nullptr;
  for (const Expression& predicate : predicates) {
    if (truth(predicate) == truth_of(!holds)) continue;
    if (possible != nullptr) return true;
    possible = &predicate;
  }
  return possible != nullptr && learn(*possible, holds);
}

bool Box::learn_comparison(const Expression& comparison, bool holds) {
  if (truth(comparison) == truth_of(!holds)) return false;
  const auto form = difference(comparison);  // left - right
  if (!form || !is_small(*form)) return true;
  LinearForm turned = negative(*form), strict = *form;
  switch (comparison.kind) {
    case Kind::less:
      strict.constant += 1;
      return learn_at_most_zero(holds ? strict : turned);
    case Kind::less_equal:
      turned.constant += 1;
      return learn_at_most_zero(holds ? *form : turned);
    default:
      if ((comparison.kind == Kind::equal) == holds) return learn_at_most_zero(*form) && learn_at_most_zero(turned);
      return learn_not_zero(*form);
  }
}

/// Something follows only where zero is at the end of what the one place allows.
bool Box::learn_not_zero(const LinearForm& form) {
  if (form.terms.size() != 1 || form.constant % form.terms.front().coefficient != 0) return true;
  const auto [place, coefficient] = form.terms.front();
  const Tokens excluded = -form.constant / coefficient;
  Interval known = (*this)[place];
  if (known.low == excluded) ++known.low;
  if (known.high == excluded) --known.high;
  _learned[place] = known;
  return known.low <= known.high;
}

bool Box::learn_at_most_zero(const LinearForm& form) {
  for (const auto& [place, coefficient] : form.terms) {
    LinearForm others = form;
    std::erase_if(others.terms, [&](const LinearForm::Term& term) { return term.place == place; });
    const Tokens least = values_of(others, *this).low;
    if (least == -endless) continue;
    // coefficient * m(place) <= -least
    Interval known = (*this)[place];
    if (coefficient > 0)
      known.high = std::min(known.high, floor_quotient(-least, coefficient));
    else
      known.low = std::max(known.low, -floor_quotient(-least, -coefficient));
    if (known.low > known.high) return false;
    _learned[place] = known;
  }
  return true;
}

}  // namespace dcheck::parse
