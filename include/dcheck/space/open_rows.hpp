#pragma once
// Rows with lanes that wait to be handled, last in first out. Plain data.
//
// Most rows wait with all their lanes: they are found once, and handled once. They take a bit each, and four bytes
// while they wait. Only a row that is opened again, after some of its lanes were handled, needs a mask of its own to
// say which lanes wait. These masks are found by the hash of their row; since the one that was added last is always
// taken first, it leaves nothing behind that a search would have to pass.

#include <cstring>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/page_array.hpp"
#include "dcheck/space/waiting_keys.hpp"
#include "dcheck/store/row_store.hpp"

namespace dcheck {

class OpenRows {
 public:
  using Row = RowStore::Row;

  explicit OpenRows(MemoryBudget* budget = nullptr)
      : _is_open(budget), _rows(budget), _masks(budget), _row_of_mask(budget), _slots(budget), _keys(budget) {}

  /// From now on the keys of rows, of so many words, wait beside them where they are given.
  void keep_keys(std::size_t words) { _keys.keep(words); }

  std::uint64_t size() const { return _size; }
  bool empty() const { return _size == 0; }

  /// Before rows below `row_limit` are opened, `more` of them at most; masks have `words` words.
  void ensure(std::size_t row_limit, std::size_t more, std::size_t words) {
    _is_open.ensure(row_limit / 64 + 1);
    _rows.ensure(_size + more);
    _masks.ensure((_mask_count + more) * words);
    _row_of_mask.ensure(_mask_count + more);
    if (2 * (_mask_count + more) > _slot_count) make_slots(2 * (_mask_count + more));
  }

  /// Opens a row with all the lanes it has, and those it will have got when it is taken; it must not be open.
  /// `key`: where it is at hand.
  void open_whole(Row row, const std::uint64_t* key = nullptr) {
    _keys.add(_size, key);
    _rows[_size++] = row;
    word_of(row) |= bit_of(row);
  }
  /// The mask of the lanes that wait; null where all lanes of the row do. Opens the row where it is not open,
  /// with no lane yet.
  std::uint64_t* open(Row row, std::size_t words, const std::uint64_t* key = nullptr) {
    if (is_open(row)) return mask_of(row, words);
    open_whole(row, key);
    _row_of_mask[_mask_count] = row;
    _slots[slot_of(row)] = ++_mask_count;
    std::uint64_t* const mask = _masks.data() + (_mask_count - 1) * words;
    std::memset(mask, 0, words * 8);
    return mask;
  }

  struct Taken {
    Row row;
    const std::uint64_t* lanes;  // that waited; null: all
    const std::uint64_t* key;    // null: it is not at hand
  };
  /// Closes the row opened last. What this points to holds until another row is opened.
  Taken take(std::size_t words) {
    const Row row = _rows[--_size];
    word_of(row) &= ~bit_of(row);
    const std::uint64_t* lanes = nullptr;
    // Masks are made and given back in the order of their rows.
    if (_mask_count != 0 && _row_of_mask[_mask_count - 1] == row) {
      lanes = _masks.data() + (_mask_count - 1) * words;
      _slots[slot_of(row)] = 0;
      --_mask_count;
    }
    return {row, lanes, _keys.take(_size)};
  }

  bool is_open(Row row) const { return _size != 0 && (word_of(row) & bit_of(row)) != 0; }
  /// Of an open row; null where all its lanes wait.
  std::uint64_t* mask_of(Row row, std::size_t words) const {
    if (_mask_count == 0) return nullptr;
    const std::uint32_t mask = _slots[slot_of(row)];
    return mask == 0 ? nullptr : _masks.data() + (mask - 1) * words;
  }

  /// By entry, the oldest first.
  Row row(std::uint64_t entry) const { return _rows[entry]; }
  void prefetch(Row row) const { __builtin_prefetch(&word_of(row), 1); }

  std::size_t mask_bytes() const { return _masks.capacity() * 8; }
  std::size_t list_bytes() const {
    return _is_open.capacity() * 8 + (_rows.capacity() + _row_of_mask.capacity() + _slots.capacity()) * 4 +
           _keys.bytes();
  }

 private:
  std::uint64_t& word_of(Row row) const { return _is_open[row / 64]; }
  static std::uint64_t bit_of(Row row) { return std::uint64_t{1} << (row % 64); }

  /// Where the row's mask is, or would be.
  std::uint64_t slot_of(Row row) const {
    std::uint64_t slot = mixed_bits(row) & (_slot_count - 1);
    while (_slots[slot] != 0 && _row_of_mask[_slots[slot] - 1] != row) slot = (slot + 1) & (_slot_count - 1);
    return slot;
  }
  void make_slots(std::uint64_t least) {
    const std::uint64_t count = std::bit_ceil(least);
    _slots.ensure(count);
    std::memset(_slots.data(), 0, count * 4);
    _slot_count = count;
    for (std::uint32_t mask = 0; mask < _mask_count; ++mask) _slots[slot_of(_row_of_mask[mask])] = mask + 1;
  }

  PageVector<std::uint64_t> _is_open;  // a bit per row
  PageVector<Row> _rows;               // per entry
  PageVector<std::uint64_t> _masks;    // of some open rows; of all others, all lanes wait
  PageVector<Row> _row_of_mask;
  PageVector<std::uint32_t> _slots;  // a mask + 1, at the place its row's hash says or after it; 0: a hole
  WaitingKeys _keys;
  std::uint64_t _size = 0, _slot_count = 0;
  std::uint32_t _mask_count = 0;
};

}  // namespace dcheck
