#pragma once
// The rows with one lane that wait to be handled. Plain data.
//
// Breadth-first, rows are handled in the order of their ids, so a row's number is all that there is to know: those
// before it were handled, it and those after it wait. Depth-first, a stack of rows. Their keys wait beside them where
// that is asked for. Young-first, a stack of ranges of rows: the last rows of the last range are the level at hand.

#include <algorithm>
#include <iterator>
#include <vector>

#include "dcheck/space/row_choice.hpp"
#include "dcheck/space/waiting_keys.hpp"
#include "dcheck/store/row_store.hpp"

namespace dcheck {

class RowQueue {
 public:
  using Row = RowStore::Row;

  explicit RowQueue(MemoryBudget* budget = nullptr) : _stack(budget), _keys(budget) {}

  /// Once, before anything waits.
  void begin(const RowChoice& choice, std::size_t key_words) {
    _is_stack = choice.order == Order::depth_first;
    _is_young_first = choice.order == Order::young_first;
    _keeps_keys = choice.waiting == Waiting::full && !_is_young_first;
    _keys.keep(_keeps_keys ? key_words : 0);
  }

  bool is_stack() const { return _is_stack; }
  std::uint64_t size() const {
    return _is_young_first ? _level_end - _next + _older_rows + _end - _ranges_end : _end - _next;
  }
  /// Whether it is enough to call add_below() for new rows.
  bool is_number_only() const { return !_is_stack && !_keeps_keys; }

  /// A new row waits: rows are added in the order of their ids. null: its key is not at hand.
  void add(Row row, const std::uint64_t* key) {
    if (_is_stack) {
      _stack.ensure(_end + 1);
      _stack[_end] = row;
    }
    _keys.add(_end++, key);
  }
  /// All rows below this one that were not added yet wait.
  void add_below(std::uint64_t row) { _end = row; }
  /// Breadth-first: nothing waits, and rows below this one never will.
  void begin_at(std::uint64_t row) { _next = _level_end = _end = _ranges_end = row; }

  /// Whether a row can be taken: breadth-first, one of the level at hand.
  bool has_next() const { return _is_stack ? _end != 0 : _next != _level_end; }
  bool has_next_level() const { return !_is_stack && !_is_young_first && _level_end != _end; }
  /// Not on a stack of rows, where nothing can be taken any more: what waits by now can be; young-first, the youngest.
  void begin_level() {
    if (_is_young_first)
      begin_youngest();
    else
      _level_end = _end;
  }

  /// The next row, which must be there; writes its key.
  Row take(RowStore& store, std::uint64_t* key, std::size_t key_words) {
    const std::uint64_t entry = _is_stack ? --_end : _next++;
    const Row row = _is_stack ? _stack[entry] : static_cast<Row>(entry);
    if (const std::uint64_t* const known = _keys.take(entry))
      std::copy_n(known, key_words, key);
    else
      store.key(row, key);
    return row;
  }

  /// Not on a stack of rows: whether the row waits.
  bool is_waiting(Row row) const {
    if (!_is_young_first) return row >= _next;
    if (row >= _ranges_end || (row >= _next && row < _level_end)) return true;
    const auto after = std::upper_bound(_older.begin(), _older.end(), row,
                                        [](Row of, const Range& range) { return of < range.begin; });
    return after != _older.begin() && row < std::prev(after)->end;
  }
  /// Breadth-first: whether a row that waits can be taken before the next level begins.
  bool is_of_level(Row row) const { return row < _level_end; }
  /// visit(row) for all rows that wait, the oldest first.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    const auto visit_range = [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) visit(_is_stack ? _stack[i] : static_cast<Row>(i));
    };
    if (_is_stack) return visit_range(0, _end);
    if (!_is_young_first) return visit_range(_next, _end);
    for (const Range& range : _older) visit_range(range.begin, range.end);
    visit_range(_next, _level_end);
    visit_range(_ranges_end, _end);
  }

  std::size_t bytes() const {
    return _stack.capacity() * sizeof(Row) + _keys.bytes() + _older.capacity() * sizeof(Range);
  }

 private:
  // Few enough that what they lead to is still in the cache of a store when its turn comes, enough for full batches.
  static constexpr std::uint64_t young_rows = 256;
  struct Range {
    std::uint64_t begin, end;
  };

  void begin_youngest() {
    if (_ranges_end != _end) {
      _older.push_back({_ranges_end, _end});
      _older_rows += _end - _ranges_end;
      _ranges_end = _end;
    }
    if (_older.empty()) return;
    Range& last = _older.back();
    _level_end = last.end;
    _next = last.end - std::min(young_rows, last.end - last.begin);
    _older_rows -= _level_end - _next;
    last.end = _next;
    if (last.begin == last.end) _older.pop_back();
  }

  PageVector<Row> _stack;
  WaitingKeys _keys;
  std::uint64_t _next = 0, _level_end = 0, _end = 0;  // row ids, or entries of the stack
  // Young-first: the level at hand is apart from the others; rows from _ranges_end on are in no range yet.
  std::vector<Range> _older;  // ascending
  std::uint64_t _older_rows = 0, _ranges_end = 0;
  bool _is_stack = false, _keeps_keys = false, _is_young_first = false;
};

}  // namespace dcheck
