#include "state_equation.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include "sparse_row.hpp"

namespace dcheck {

namespace {

/// Tableaus beyond this many entries are not begun.
constexpr std::size_t largest_tableau = 4'000'000;
/// Products of two numbers below this fit 64 bits, and so does their difference.
constexpr Tokens short_number = Tokens{1} << 31;

/// Variables: the places by number, then the firings of each distinct live effect. Row i says
///     denominator * basic[i] + sum over columns j of entry(i, j) * free[j] = constant[i],
/// and constant >= 0 throughout: setting all free variables to 0 is a solution. A row without negative
/// entries therefore bounds its basic variable by constant / denominator.
class Tableau {
 public:
  Tableau(const Net& net, const std::vector<std::vector<Arc>>& effects, std::size_t steps, Patience& patience)
      : _columns(effects.size()),
        _entries(net.place_count() * effects.size(), 0),
        _constants(net.initial().begin(), net.initial().end()),
        _basic(net.place_count()),
        _free(effects.size()),
        _position(net.place_count() + effects.size()),
        _is_basic(net.place_count() + effects.size(), false),
        _steps(steps),
        _patience(patience) {
    for (std::size_t p = 0; p < net.place_count(); ++p) set_basic(p, p);
    for (std::size_t j = 0; j < _columns; ++j) {
      set_free(j, net.place_count() + j);
      for (const Arc& arc : effects[j]) entry(index(arc.place), j) = -arc.weight;
    }
  }

  /// The largest value of m(place); none where there is none below `enough`, or the end came before.
  std::optional<Tokens> maximise(std::size_t place, Tokens enough) {
    _patience.spend(_columns);
    if (!_is_basic[place] && !raise(_position[place])) return std::nullopt;
    const std::size_t row = _position[place];
    std::size_t greedy_pivots = _basic.size();
    while (const std::optional<std::size_t> improving = entering_column(row, greedy_pivots > 0)) {
      greedy_pivots -= std::min<std::size_t>(greedy_pivots, 1);
      if (_constants[row] / _denominator >= enough || !raise(*improving)) return std::nullopt;
    }
    return _constants[row] / _denominator;
  }

  bool is_exhausted() const { return _is_exhausted; }

 private:
  void set_basic(std::size_t row, std::size_t variable) {
    _basic[row] = variable;
    _position[variable] = row;
    _is_basic[variable] = true;
  }
  void set_free(std::size_t column, std::size_t variable) {
    _free[column] = variable;
    _position[variable] = column;
    _is_basic[variable] = false;
  }

  Tokens& entry(std::size_t i, std::size_t j) { return _entries[i * _columns + j]; }
  Tokens entry(std::size_t i, std::size_t j) const { return _entries[i * _columns + j]; }

  /// A variable whose growth raises the row's: greedily the steepest, else, by Bland's rule (as in
  /// leaving_row), the smallest, which excludes cycling.
  std::optional<std::size_t> entering_column(std::size_t row, bool is_greedy) const {
    std::optional<std::size_t> best;
    for (std::size_t j = 0; j < _columns; ++j) {
      if (entry(row, j) >= 0) continue;
      if (!best || (is_greedy ? entry(row, j) < entry(row, *best) : _free[j] < _free[*best])) best = j;
    }
    return best;
  }

  /// The row that limits the growth of a free variable first; none where nothing limits it.
  std::optional<std::size_t> leaving_row(std::size_t column) const {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < _basic.size(); ++i) {
      if (entry(i, column) <= 0) continue;
      if (best) {
        const Wide here = Wide{_constants[i]} * entry(*best, column);
        const Wide there = Wide{_constants[*best]} * entry(i, column);
        if (here > there || (here == there && _basic[i] > _basic[*best])) continue;
      }
      best = i;
    }
    return best;
  }

  /// Lets a free variable grow until a row limits it. False where none does, or as pivot().
  bool raise(std::size_t column) {
    spend(_columns + _basic.size());
    const std::optional<std::size_t> row = leaving_row(column);
    return row && pivot(*row, column);
  }

  void spend(std::size_t cost) {
    _patience.spend(cost);
    _is_exhausted = _is_exhausted || _steps < cost;
    _steps -= std::min(_steps, cost);
  }

  /// Exchanges a basic and a free variable. False, and the tableau is spoilt, where a number grows too large or
  /// the steps are spent.
  bool pivot(std::size_t row, std::size_t column) {
    const Tokens by = entry(row, column);
    _touched.clear();
    for (std::size_t j = 0; j < _columns; ++j) {
      if (by != _denominator || entry(row, j) != 0) _touched.push_back(j);
    }
    for (std::size_t i = 0; i < _basic.size() && !_is_exhausted; ++i) {
      if (i != row) update_row(i, row, column);
    }
    entry(row, column) = _denominator;
    _denominator = by;
    const std::size_t leaving = _basic[row];
    set_basic(row, _free[column]);
    set_free(column, leaving);
    return !_is_exhausted;
  }

  /// The division is exact: entries are minors of the first tableau.
  void update_row(std::size_t i, std::size_t row, std::size_t column) {
    const Tokens by = entry(row, column);
    const Tokens factor = entry(i, column);
    if (factor == 0 && by == _denominator) return;
    spend(_touched.size());
    const auto is_short = [](Tokens number) { return number < short_number && number > -short_number; };
    const bool has_short_factors = is_short(by) && is_short(factor);
    const auto update = [&](Tokens& target, Tokens in_pivot_row) {
      if (has_short_factors && is_short(target) && is_short(in_pivot_row)) {  // nearly always
        target = (target * by - factor * in_pivot_row) / _denominator;
        return;
      }
      const Wide value = (Wide{target} * by - Wide{factor} * in_pivot_row) / _denominator;
      if (value > largest_entry || value < -largest_entry) _is_exhausted = true;
      target = static_cast<Tokens>(value);
    };
    for (const std::size_t j : _touched) update(entry(i, j), entry(row, j));
    update(_constants[i], _constants[row]);
    entry(i, column) = -factor;
  }

  std::size_t _columns;
  std::vector<Tokens> _entries;
  std::vector<Tokens> _constants;
  std::vector<std::size_t> _basic, _free;  // variables of rows and of columns
  std::vector<std::size_t> _position;      // per variable: its row where it is basic, else its column
  std::vector<bool> _is_basic;             // per variable
  std::vector<std::size_t> _touched;       // columns that the pivot in hand can change
  Tokens _denominator = 1;
  std::size_t _steps;
  Patience& _patience;
  bool _is_exhausted = false;
};

std::pair<Place, Tokens> as_pair(const Arc& arc) {
  return {arc.place, arc.weight};
}

std::vector<std::vector<Arc>> distinct_effects(const Net& net, const std::vector<bool>& is_dead) {
  std::vector<std::vector<Arc>> effects;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    const auto effect = net.effect(Transition{t});
    if (!is_dead[t] && !effect.empty()) effects.emplace_back(effect.begin(), effect.end());
  }
  std::ranges::sort(effects, [](const std::vector<Arc>& a, const std::vector<Arc>& b) {
    return std::ranges::lexicographical_compare(a, b, {}, as_pair, as_pair);
  });
  effects.erase(std::unique(effects.begin(), effects.end()), effects.end());
  return effects;
}

bool are_small(const Net& net, const std::vector<std::vector<Arc>>& effects) {
  const auto is_small = [](Tokens value) { return value <= largest_entry && value >= -largest_entry; };
  return std::ranges::all_of(net.initial(), is_small) && std::ranges::all_of(effects, [&](const auto& effect) {
           return std::ranges::all_of(effect, is_small, &Arc::weight);
         });
}

}  // namespace

void bound_by_state_equation(const Net& net, const std::vector<bool>& is_dead, std::size_t steps,
                             std::vector<std::optional<Tokens>>& bounds, Patience& patience) {
  const std::vector<std::vector<Arc>> effects = distinct_effects(net, is_dead);
  if (net.place_count() * effects.size() > largest_tableau || !are_small(net, effects)) return;
  Tableau tableau(net, effects, steps, patience);
  const auto lower = [&](std::size_t p) {
    const std::optional<Tokens> bound = tableau.maximise(p, bounds[p].value_or(INT64_MAX));
    if (bound && (!bounds[p] || *bound < *bounds[p])) bounds[p] = bound;
    return !tableau.is_exhausted();
  };
  std::vector<std::size_t> loosest_first(bounds.size());
  std::iota(loosest_first.begin(), loosest_first.end(), std::size_t{0});
  std::erase_if(loosest_first, [&](std::size_t p) { return bounds[p] && *bounds[p] <= 1; });
  std::ranges::stable_sort(loosest_first, std::greater<>(),
                           [&](std::size_t p) { return bounds[p].value_or(INT64_MAX); });
  for (const std::size_t p : loosest_first) {
    if (!lower(p)) break;
  }
}

}  // namespace dcheck
