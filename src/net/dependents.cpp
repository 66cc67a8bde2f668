#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "dcheck/net/structure.hpp"
#include "sparse_row.hpp"

namespace dcheck {

namespace {

constexpr Tokens largest_in_dependent = Tokens{1} << 31;

/// Entries looked at in one call; what is not solved by then stays independent.
constexpr std::size_t solver_steps = 20'000'000;

/// Columns are positions counted from the end of `keep`; the last column is the constant. A row says
/// that its entries times the marking (1 for the constant) add up to 0. In any stage a row may be dropped:
/// its place is then independent, and the other rows stay true.
class DependentSolver {
 public:
  DependentSolver(const Structure& structure, std::span<const Place> keep, Patience& patience)
      : _place_at(keep.rbegin(), keep.rend()),
        _with_lead(keep.size() + 1),
        _solved(keep.size()),
        _room(most_entries(keep.size())),
        _patience(patience) {
    std::vector<std::uint32_t> position(keep.size(), UINT32_MAX);
    for (std::uint32_t column = 0; column < _place_at.size(); ++column) {
      std::uint32_t& slot = position.at(index(_place_at[column]));
      if (slot != UINT32_MAX) throw std::logic_error("a place stands twice in the order of preference");
      slot = column;
    }
    for (const Invariant& invariant : structure.invariants) {
      SparseRow row;
      row.reserve(invariant.terms.size() + 1);
      _patience.spend(invariant.terms.size());
      for (const LinearForm::Term& term : invariant.terms) {
        row.push_back({position[index(term.place)], term.coefficient});
      }
      std::ranges::sort(row, {}, &Entry::column);
      if (invariant.constant != 0) row.push_back({constant_column(), -invariant.constant});
      file(std::move(row));
    }
  }

  std::vector<Dependent> run() {
    make_echelon();
    for (std::uint32_t column = constant_column(); column-- > 0;) reduce(column);
    std::vector<Dependent> dependents;
    for (std::uint32_t column = 0; column < _solved.size(); ++column) {
      if (!_solved[column].empty()) dependents.push_back(dependent_of(std::exchange(_solved[column], {})));
    }
    return dependents;
  }

 private:
  std::uint32_t constant_column() const { return static_cast<std::uint32_t>(_place_at.size()); }

  void file(SparseRow row) {
    if (!row.empty()) _with_lead[row.front().column].push_back(std::move(row));
  }

  bool spend(std::size_t cost) {
    _patience.spend(cost);
    if (_steps < cost) return false;
    _steps -= cost;
    return true;
  }

  void make_echelon() {
    const auto rank = [](const SparseRow& row) {
      return std::pair(row.front().value != 1 && row.front().value != -1, row.size());
    };
    for (std::uint32_t column = 0; column < constant_column(); ++column) {
      std::vector<SparseRow> rows = std::exchange(_with_lead[column], {});
      if (rows.empty()) continue;
      const auto best = std::ranges::min_element(rows, {}, rank);
      for (auto row = rows.begin(); row != rows.end(); ++row) {
        if (row == best) continue;
        if (!spend(row->size() + best->size())) continue;
        SparseRow rest = _combiner.eliminate(*row, *best, column);
        if (_combiner.lost().empty()) file(std::move(rest));
      }
      _solved[column] = std::move(*best);
    }
  }

  /// Replaces the later dependents in a row by their own, already reduced rows.
  void reduce(std::uint32_t column) {
    SparseRow row = std::exchange(_solved[column], {});
    if (row.empty()) return;
    std::vector<std::uint32_t> dependents;
    for (const Entry& entry : row) {
      if (entry.column < constant_column() && !_solved[entry.column].empty()) dependents.push_back(entry.column);
    }
    for (const std::uint32_t other : dependents) {
      if (!spend(row.size() + _solved[other].size())) return;
      row = _combiner.eliminate(row, _solved[other], other);
      if (!_combiner.lost().empty()) return;
    }
    make_primitive(row);
    const bool is_small = std::ranges::all_of(row, [](const Entry& entry) {
      return entry.value <= largest_in_dependent && entry.value >= -largest_in_dependent;
    });
    if (!is_small || row.size() > _room) return;
    _room -= row.size();
    _solved[column] = std::move(row);
  }

  Dependent dependent_of(const SparseRow& row) const {
    const Tokens sign = row.front().value > 0 ? 1 : -1;
    Dependent result;
    result.place = _place_at[row.front().column];
    result.scale = sign * row.front().value;
    for (const Entry& entry : std::span(row).subspan(1)) {
      if (entry.column == constant_column()) {
        result.constant = -sign * entry.value;
      } else {
        result.terms.push_back({_place_at[entry.column], -sign * entry.value});
      }
    }
    std::ranges::sort(result.terms, {}, &LinearForm::Term::place);
    return result;
  }

  std::vector<Place> _place_at;
  std::vector<std::vector<SparseRow>> _with_lead;  // by first column, still to be used
  std::vector<SparseRow> _solved;                  // by first column, empty where the place is independent
  RowCombiner _combiner;
  std::size_t _steps = solver_steps;
  std::size_t _room;  // entries that reduced rows may still have
  Patience& _patience;
};

/// Substitutes the dependents into the initial marking and into every effect.
void verify(const Net& net, std::span<const Dependent> dependents, Patience& patience) {
  struct Mention {
    std::size_t dependent;
    Tokens coefficient;
  };
  std::vector<std::vector<Mention>> mentions(net.place_count());
  std::vector<Wide> rest(dependents.size());  // what is missing to equality, 0 between transitions
  for (std::size_t i = 0; i < dependents.size(); ++i) {
    mentions[index(dependents[i].place)].push_back({i, -dependents[i].scale});
    for (const LinearForm::Term& term : dependents[i].terms)
      mentions[index(term.place)].push_back({i, term.coefficient});
    rest[i] = dependents[i].constant;
  }
  const auto add = [&](Place place, Tokens tokens) {
    patience.spend(mentions[index(place)].size());
    for (const Mention& mention : mentions[index(place)]) rest[mention.dependent] += Wide{mention.coefficient} * tokens;
  };
  const auto require_zero = [](Wide value) {
    if (value != 0) throw std::logic_error("a dependent place does not follow from the invariants");
  };
  for (std::uint32_t p = 0; p < net.place_count(); ++p) add(Place{p}, net.initial()[p]);
  std::ranges::for_each(rest, require_zero);
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    for (const Arc& arc : net.effect(Transition{t})) add(arc.place, arc.weight);
    for (const Arc& arc : net.effect(Transition{t})) {
      for (const Mention& mention : mentions[index(arc.place)]) require_zero(rest[mention.dependent]);
    }
  }
}

}  // namespace

std::vector<Dependent> solve_for_dependents(const Net& net, const Structure& structure, std::span<const Place> keep,
                                            Patience& patience) {
  if (keep.size() != net.place_count()) throw std::logic_error("the order of preference must name every place once");
  std::vector<Dependent> dependents = DependentSolver(structure, keep, patience).run();
  verify(net, dependents, patience);
  return dependents;
}

}  // namespace dcheck
