#include "ctl/linear_facts.hpp"

#include <algorithm>
#include <map>

namespace dcheck {

namespace {

using Wide = __int128;

constexpr Wide largest = Wide{1} << 62;

/// Entries of semiflows that one descent may look at, and terms of the form that it may copy meanwhile: forms of up to
/// a thousand terms can use all of the first, longer ones fewer.
constexpr std::size_t descent_steps = 5'000, descent_copies = 1'000 * descent_steps;

bool is_small(Wide value) {
  return value <= largest && value >= -largest;
}

Wide magnitude(Wide value) {
  return value < 0 ? -value : value;
}

Wide common_divisor(Wide a, Wide b) {
  a = magnitude(a);
  b = magnitude(b);
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Wide floor_divide(Wide a, Wide positive) {
  const Wide quotient = a / positive;
  return a % positive < 0 ? quotient - 1 : quotient;
}

std::optional<Tokens> negated(std::optional<Tokens> value) {
  if (!value || !is_small(*value)) return std::nullopt;
  return -*value;
}

std::size_t places_in(const Structure& structure) {
  std::size_t count = structure.bounds.size();
  for (const auto* list : {&structure.invariants, &structure.semiflows}) {
    for (const Invariant& invariant : *list) {
      if (!invariant.terms.empty()) count = std::max(count, index(invariant.terms.back().place) + 1);
    }
  }
  return count;
}

}  // namespace

LinearFacts::LinearFacts(const Structure& structure)
    : _structure(structure),
      _bounds(structure.bounds),
      _semiflows_at(places_in(structure)),
      _only_invariant_at(_semiflows_at.size()) {
  _bounds.resize(_semiflows_at.size());
  for (std::size_t i = 0; i < structure.semiflows.size(); ++i) {
    for (const LinearForm::Term& term : structure.semiflows[i].terms) {
      _semiflows_at[index(term.place)].push_back(i);
      std::optional<Tokens>& bound = _bounds[index(term.place)];
      bound =
          std::min(bound.value_or(structure.semiflows[i].constant), structure.semiflows[i].constant / term.coefficient);
    }
  }
  std::vector<bool> is_shared(_only_invariant_at.size(), false);
  for (std::size_t i = 0; i < structure.invariants.size(); ++i) {
    for (const LinearForm::Term& term : structure.invariants[i].terms) {
      const std::size_t place = index(term.place);
      if (_only_invariant_at[place]) is_shared[place] = true;
      _only_invariant_at[place] = i;
    }
  }
  for (std::size_t place = 0; place < is_shared.size(); ++place) {
    if (is_shared[place]) _only_invariant_at[place].reset();
  }
}

std::optional<Tokens> LinearFacts::maximum(std::span<const LinearForm::Term> terms) const {
  const auto form = scaled(terms, 1);
  return form ? maximum_of(*form) : std::nullopt;
}

std::optional<Tokens> LinearFacts::minimum(std::span<const LinearForm::Term> terms) const {
  const auto form = scaled(terms, -1);
  return form ? negated(maximum_of(*form)) : std::nullopt;
}

std::optional<LinearFacts::ScaledForm> LinearFacts::scaled(std::span<const LinearForm::Term> terms, Tokens sign) {
  ScaledForm form;
  form.terms.reserve(terms.size());
  for (const LinearForm::Term& term : terms) {
    if (!is_small(term.coefficient)) return std::nullopt;
    form.terms.push_back({term.place, Wide{term.coefficient} * sign});
  }
  return form;
}

std::optional<Tokens> LinearFacts::maximum_of(const ScaledForm& form) const {
  Best best{form, at_bounds(form)};
  descend(best);
  if (const auto other = reduced(form)) {
    Best second{*other, at_bounds(*other)};
    descend(second);
    if (is_below(second.bound, best.bound)) best = std::move(second);
  }
  if (!best.bound) return std::nullopt;
  return static_cast<Tokens>(floor_divide(best.bound->numerator, best.bound->denominator));
}

bool LinearFacts::is_below(const std::optional<Ratio>& a, const std::optional<Ratio>& b) {
  return a && (!b || a->numerator * b->denominator < b->numerator * a->denominator);
}

std::optional<LinearFacts::ScaledForm> LinearFacts::reduced(const ScaledForm& form) const {
  // A sum over all places is reduced in as many steps as the invariants have terms, not one copy of it an invariant.
  std::map<Place, Wide> coefficients;
  for (const WideTerm& term : form.terms) coefficients.emplace_hint(coefficients.end(), term.place, term.coefficient);
  ScaledForm result{{}, form.constant, form.scale};
  for (const WideTerm& term : form.terms) {
    if (index(term.place) >= _only_invariant_at.size() || !_only_invariant_at[index(term.place)]) continue;
    const auto own = coefficients.find(term.place);
    if (own == coefficients.end()) continue;
    const Invariant& invariant = _structure.invariants[*_only_invariant_at[index(term.place)]];
    const Factors factors = factors_without(own->second, invariant, term.place);
    result.constant = result.constant * factors.keep + factors.take * invariant.constant;
    result.scale *= factors.keep;
    bool is_exact = is_small(result.constant) && is_small(result.scale);
    if (factors.keep != 1) {
      for (auto& [place, coefficient] : coefficients) is_exact &= is_small(coefficient *= factors.keep);
    }
    for (const LinearForm::Term& other : invariant.terms) {
      const auto at = coefficients.try_emplace(other.place, 0).first;
      is_exact &= is_small(at->second -= factors.take * other.coefficient);
      if (at->second == 0) coefficients.erase(at);
    }
    if (!is_exact) return std::nullopt;
  }
  if (coefficients.size() > 2 * form.terms.size() + 2) return std::nullopt;
  for (const auto& [place, coefficient] : coefficients) result.terms.push_back({place, coefficient});
  return result;
}

std::optional<LinearFacts::Ratio> LinearFacts::at_bounds(const ScaledForm& form) const {
  Wide sum = form.constant;
  for (const WideTerm& term : form.terms) {
    if (term.coefficient < 0) continue;
    if (index(term.place) >= _bounds.size() || !_bounds[index(term.place)]) return std::nullopt;
    sum += term.coefficient * *_bounds[index(term.place)];
    if (!is_small(sum)) return std::nullopt;
  }
  return Ratio{sum, form.scale};
}

void LinearFacts::descend(Best& best) const {
  std::size_t steps = descent_steps;
  std::size_t copies = descent_copies;
  for (bool has_improved = true; has_improved;) {
    has_improved = false;
    for (const std::size_t i : semiflows_touching(best.form)) {
      const Invariant& semiflow = _structure.semiflows[i];
      if (steps < semiflow.terms.size() || copies < best.form.terms.size()) return;
      steps -= semiflow.terms.size();
      copies -= best.form.terms.size();
      has_improved |= improve(best, semiflow);
    }
  }
}

std::vector<std::size_t> LinearFacts::semiflows_touching(const ScaledForm& form) const {
  std::vector<std::size_t> touching;
  for (const WideTerm& term : form.terms) {
    if (index(term.place) >= _semiflows_at.size()) continue;
    const auto& here = _semiflows_at[index(term.place)];
    touching.insert(touching.end(), here.begin(), here.end());
    if (touching.size() > descent_steps) break;
  }
  std::ranges::sort(touching);
  touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
  return touching;
}

bool LinearFacts::improve(Best& best, const Invariant& semiflow) const {
  const auto pivot = pivot_of(best.form, semiflow);
  if (!pivot || coefficient_at(best.form, *pivot) == 0) return false;
  std::optional<ScaledForm> moved = without(best.form, semiflow, *pivot);
  if (!moved) return false;
  const auto bound = at_bounds(*moved);
  if (!is_below(bound, best.bound)) return false;
  best = {std::move(*moved), bound};
  return true;
}

/// With the factor f of semiflow y, the bound is f c + sum over places of bound(p) * max(0, a_p - f y_p): convex
/// in f, with a bend at every a_p / y_p. Coming from large f it falls until the bounds of the places passed
/// weigh as much as c. None where f = 0 is best.
std::optional<Place> LinearFacts::pivot_of(const ScaledForm& form, const Invariant& semiflow) const {
  struct Bend {
    Place place;
    Wide numerator;
    Tokens denominator;
    Wide weight;
  };
  std::vector<Bend> bends;
  bends.reserve(semiflow.terms.size());
  Wide above = 0, level = 0;  // weights of the bends above 0, and at 0
  auto own = form.terms.begin();
  for (const LinearForm::Term& term : semiflow.terms) {
    while (own != form.terms.end() && own->place < term.place) ++own;
    const Wide coefficient = own != form.terms.end() && own->place == term.place ? own->coefficient : 0;
    const Wide weight = Wide{term.coefficient} * *_bounds[index(term.place)];  // at most the constant
    bends.push_back({term.place, coefficient, term.coefficient, weight});
    if (coefficient >= 0) (coefficient > 0 ? above : level) += weight;
  }
  if (above <= semiflow.constant && above + level >= semiflow.constant) return std::nullopt;  // best where we are
  std::ranges::sort(bends, [](const Bend& a, const Bend& b) {
    const Wide left = a.numerator * b.denominator, right = b.numerator * a.denominator;
    return left != right ? left > right : a.place < b.place;
  });
  Wide passed = 0;
  for (const Bend& bend : bends) {
    passed += bend.weight;
    if (passed >= semiflow.constant) return bend.place;
  }
  return std::nullopt;
}

Wide LinearFacts::coefficient_at(const ScaledForm& form, Place place) {
  const auto found = std::ranges::lower_bound(form.terms, place, {}, &WideTerm::place);
  return found != form.terms.end() && found->place == place ? found->coefficient : 0;
}

LinearFacts::Factors LinearFacts::factors_without(Wide own, const Invariant& invariant, Place place) {
  const auto pivot = std::ranges::lower_bound(invariant.terms, place, {}, &LinearForm::Term::place);
  const Wide divisor = common_divisor(own, pivot->coefficient) * (pivot->coefficient < 0 ? -1 : 1);
  return {pivot->coefficient / divisor, own / divisor};
}

std::optional<LinearFacts::ScaledForm> LinearFacts::without(const ScaledForm& form, const Invariant& invariant,
                                                            Place place) {
  const auto [keep, take] = factors_without(coefficient_at(form, place), invariant, place);
  ScaledForm result;
  result.constant = form.constant * keep + take * invariant.constant;
  result.scale = form.scale * keep;
  bool is_exact = is_small(result.constant) && is_small(result.scale);
  const auto add = [&](Place at, Wide coefficient) {
    is_exact = is_exact && is_small(coefficient);
    if (coefficient != 0) result.terms.push_back({at, coefficient});
  };
  auto mine = form.terms.begin();
  auto other = invariant.terms.begin();
  while (mine != form.terms.end() || other != invariant.terms.end()) {
    if (other == invariant.terms.end() || (mine != form.terms.end() && mine->place < other->place)) {
      add(mine->place, mine->coefficient * keep);
      ++mine;
    } else if (mine == form.terms.end() || other->place < mine->place) {
      add(other->place, -take * other->coefficient);
      ++other;
    } else {
      add(mine->place, mine->coefficient * keep - take * other->coefficient);
      ++mine;
      ++other;
    }
  }
  if (!is_exact) return std::nullopt;
  return result;
}

}  // namespace dcheck
