#include "kernel.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace dcheck {

namespace {

/// One equation solved for one of its columns.
struct Pivot {
  std::uint32_t column;
  SparseRow row;
};

/// The equations of a net, one a distinct effect up to a factor.
std::vector<SparseRow> equations_of(const Net& net) {
  std::vector<SparseRow> rows;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    SparseRow row;
    for (const Arc& arc : net.effect(Transition{t})) {
      row.push_back({static_cast<std::uint32_t>(arc.place), arc.weight});
    }
    if (row.empty()) continue;
    make_primitive(row);
    if (row.front().value < 0) {
      for (Entry& entry : row) entry.value = -entry.value;
    }
    rows.push_back(std::move(row));
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// Forward elimination, the shortest equation first, solved for its rarest column.
/// A column whose numbers grow too large is fixed to 0: that only shrinks the kernel.
class Elimination {
 public:
  Elimination(std::vector<SparseRow> rows, std::size_t columns, std::size_t& steps, Patience& patience)
      : _rows(std::move(rows)),
        _users(columns),
        _count(columns, 0),
        _fixed(columns, false),
        _steps(steps),
        _patience(patience) {
    for (std::uint32_t r = 0; r < _rows.size(); ++r) {
      for (const Entry& entry : _rows[r]) use(entry.column, r);
      enqueue(r);
    }
    fix_oversized();
  }

  std::vector<Pivot> run() {
    std::vector<Pivot> pivots;
    while (!_queue.empty()) {
      const auto [length, r] = _queue.top();
      _queue.pop();
      if (_rows[r].size() != length || length == 0) continue;
      if (_steps == 0) {
        give_up();
        break;
      }
      pivots.push_back(solve(r));
    }
    return pivots;
  }

  bool is_fixed(std::uint32_t column) const { return _fixed[column]; }

 private:
  using Waiting = std::pair<std::size_t, std::uint32_t>;  // length, row

  void use(std::uint32_t column, std::uint32_t r) {
    _users[column].push_back(r);
    ++_count[column];
  }

  void enqueue(std::uint32_t r) {
    if (!_rows[r].empty()) _queue.push({_rows[r].size(), r});
  }

  void spend(std::size_t cost) {
    _steps -= std::min(_steps, cost);
    _patience.spend(cost);
  }

  /// Weights up to 2^63 - 1 are legal input, entries are not.
  void fix_oversized() {
    std::vector<std::uint32_t> oversized;
    for (const SparseRow& row : _rows) {
      for (const Entry& entry : row) {
        if (entry.value > largest_entry || entry.value < -largest_entry) oversized.push_back(entry.column);
      }
    }
    for (const std::uint32_t column : oversized) fix(column);
  }

  std::uint32_t choose_column(const SparseRow& row) const {
    const auto rank = [&](const Entry& entry) {
      return std::tuple(entry.value != 1 && entry.value != -1, _count[entry.column], entry.column);
    };
    return std::ranges::min_element(row, {}, rank)->column;
  }

  Pivot solve(std::uint32_t r) {
    const std::uint32_t column = choose_column(_rows[r]);
    Pivot pivot{column, std::exchange(_rows[r], {})};
    for (const Entry& entry : pivot.row) --_count[entry.column];
    std::vector<std::uint32_t> users = std::exchange(_users[column], {});
    spend(users.size());
    std::ranges::sort(users);
    users.erase(std::unique(users.begin(), users.end()), users.end());
    std::vector<std::uint32_t> lost;
    for (const std::uint32_t user : users) {
      if (value_at(_rows[user], column) == 0) continue;
      replace(user, _combiner.eliminate(_rows[user], pivot.row, column), pivot.row);
      lost.insert(lost.end(), _combiner.lost().begin(), _combiner.lost().end());
    }
    for (const std::uint32_t c : lost) fix(c);
    return pivot;
  }

  void replace(std::uint32_t r, SparseRow row, const SparseRow& added) {
    for (const Entry& entry : _rows[r]) --_count[entry.column];
    for (const Entry& entry : row) ++_count[entry.column];
    for (const Entry& entry : added) _users[entry.column].push_back(r);
    spend(_rows[r].size() + added.size());
    _rows[r] = std::move(row);
    enqueue(r);
  }

  void fix(std::uint32_t column) {
    if (_fixed[column]) return;
    _fixed[column] = true;
    for (const std::uint32_t r : _users[column]) {
      if (std::erase_if(_rows[r], [&](const Entry& entry) { return entry.column == column; }) == 0) continue;
      make_primitive(_rows[r]);
      spend(_rows[r].size());
      enqueue(r);
    }
    _users[column].clear();
    _count[column] = 0;
  }

  /// Satisfies every equation that is left by fixing all it mentions.
  void give_up() {
    for (const SparseRow& row : _rows) {
      for (const Entry& entry : row) _fixed[entry.column] = true;
    }
  }

  std::vector<SparseRow> _rows;
  std::vector<std::vector<std::uint32_t>> _users;  // rows of a column: a superset, with repetitions
  std::vector<std::size_t> _count;                 // rows of a column, exactly
  std::vector<bool> _fixed;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> _queue;  // may hold outdated lengths
  RowCombiner _combiner;
  std::size_t& _steps;
  Patience& _patience;
};

/// Completes a free column to a vector of the kernel. A pivot's equation mentions only columns that are
/// fixed, free or solved by a later pivot, so visiting pivots from the last to the first suffices.
class BackSubstitution {
 public:
  BackSubstitution(const std::vector<Pivot>& pivots, std::size_t columns, std::size_t& steps, Patience& patience)
      : _pivots(pivots),
        _users(columns),
        _values(columns, 0),
        _seen(pivots.size(), false),
        _steps(steps),
        _patience(patience) {
    for (std::uint32_t i = 0; i < pivots.size(); ++i) {
      for (const Entry& entry : pivots[i].row) {
        if (entry.column != pivots[i].column) _users[entry.column].push_back(i);
      }
    }
  }

  /// Empty where a number leaves 62 bits or the steps are spent.
  SparseRow complete(std::uint32_t free_column) {
    set(free_column, 1);
    bool is_exact = true;
    while (is_exact && !_queue.empty()) {
      const std::uint32_t i = _queue.top();
      _queue.pop();
      is_exact = substitute(_pivots[i]);
    }
    return take(is_exact);
  }

 private:
  void set(std::uint32_t column, Tokens value) {
    _values[column] = value;
    _support.push_back(column);
    for (const std::uint32_t i : _users[column]) {
      if (_seen[i]) continue;
      _seen[i] = true;
      _touched.push_back(i);
      _queue.push(i);
    }
  }

  bool substitute(const Pivot& pivot) {
    const std::size_t cost = pivot.row.size();
    if (_steps < cost) return false;
    _steps -= cost;
    _patience.spend(cost);
    Wide sum = 0;
    Wide own = 0;
    for (const Entry& entry : pivot.row) {
      if (entry.column == pivot.column) {
        own = entry.value;
      } else if (__builtin_sub_overflow(sum, Wide{entry.value} * _values[entry.column], &sum)) {
        return false;
      }
    }
    if (sum == 0) return true;
    const Wide shared = common_divisor(sum, own) * (own < 0 ? -1 : 1);
    const Wide value = sum / shared;
    if (value > largest_entry || value < -largest_entry || !scale(own / shared)) return false;
    set(pivot.column, static_cast<Tokens>(value));
    return true;
  }

  bool scale(Wide factor) {
    if (factor == 1) return true;
    for (const std::uint32_t column : _support) {
      const Wide value = _values[column] * factor;
      if (value > largest_entry || value < -largest_entry) return false;
      _values[column] = static_cast<Tokens>(value);
    }
    return true;
  }

  SparseRow take(bool is_exact) {
    SparseRow row;
    std::ranges::sort(_support);
    for (const std::uint32_t column : _support) {
      if (is_exact) row.push_back({column, _values[column]});
      _values[column] = 0;
    }
    _support.clear();
    for (const std::uint32_t i : _touched) _seen[i] = false;
    _touched.clear();
    _queue = {};
    make_primitive(row);
    return row;
  }

  const std::vector<Pivot>& _pivots;
  std::vector<std::vector<std::uint32_t>> _users;  // pivots whose equation mentions a column
  std::vector<Tokens> _values;
  std::vector<std::uint32_t> _support, _touched;
  std::vector<bool> _seen;
  std::priority_queue<std::uint32_t> _queue;
  std::size_t& _steps;
  Patience& _patience;
};

}  // namespace

std::vector<KernelVector> kernel_basis(const Net& net, std::size_t steps, Patience& patience) {
  const std::size_t columns = net.place_count();
  std::size_t forward_steps = steps / 2;
  std::size_t backward_steps = steps - forward_steps;
  Elimination elimination(equations_of(net), columns, forward_steps, patience);
  const std::vector<Pivot> pivots = elimination.run();
  std::vector<bool> is_free(columns, true);
  for (const Pivot& pivot : pivots) is_free[pivot.column] = false;
  BackSubstitution back(pivots, columns, backward_steps, patience);
  std::vector<KernelVector> basis;
  std::size_t room = most_entries(columns);
  for (std::uint32_t column = 0; column < columns; ++column) {
    if (!is_free[column] || elimination.is_fixed(column)) continue;
    SparseRow row = back.complete(column);
    if (row.empty() || row.size() > room) continue;
    room -= row.size();
    basis.push_back({column, std::move(row)});
  }
  return basis;
}

}  // namespace dcheck
