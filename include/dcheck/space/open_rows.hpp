#pragma once
// Rows with lanes that wait to be handled, last in first out. Plain data.
//
// Most rows wait with all their lanes: they are found once, and handled once. Only a row that is opened again, after
// some of its lanes were handled, needs a mask of its own to say which lanes wait.

#include <cstring>

#include "dcheck/base/page_array.hpp"
#include "dcheck/space/waiting_keys.hpp"
#include "dcheck/store/row_store.hpp"

namespace dcheck {

class OpenRows {
 public:
  using Row = RowStore::Row;

  explicit OpenRows(MemoryBudget* budget = nullptr)
      : _entry_of(budget), _rows(budget), _mask_of(budget), _masks(budget), _keys(budget) {}

  /// From now on the keys of rows, of so many words, wait beside them where they are given.
  void keep_keys(std::size_t words) { _keys.keep(words); }

  std::uint64_t size() const { return _size; }
  bool empty() const { return _size == 0; }

  /// Before rows below `row_limit` are opened, `more` of them at most; masks have `words` words.
  void ensure(std::size_t row_limit, std::size_t more, std::size_t words) {
    _entry_of.ensure(row_limit);
    _rows.ensure(_size + more);
    _mask_of.ensure(_size + more);
    _masks.ensure((_mask_count + more) * words);
  }

  /// Opens a row with all the lanes it has, and those it will have got when it is taken; it must not be open.
  /// `key`: where it is at hand.
  void open_whole(Row row, const std::uint64_t* key = nullptr) { add(row, 0, key); }
  /// The mask of the lanes that wait; null where all lanes of the row do. Opens the row where it is not open,
  /// with no lane yet.
  std::uint64_t* open(Row row, std::size_t words, const std::uint64_t* key = nullptr) {
    if (_entry_of[row] == 0) {
      add(row, ++_mask_count, key);
      std::memset(mask(_size - 1, words), 0, words * 8);
    }
    return mask(_entry_of[row] - 1, words);
  }

  struct Taken {
    Row row;
    const std::uint64_t* lanes;  // that waited; null: all
    const std::uint64_t* key;    // null: it is not at hand
  };
  /// Closes the row opened last. What this points to holds until another row is opened.
  Taken take(std::size_t words) {
    const Row row = _rows[--_size];
    const std::uint64_t* const lanes = mask(_size, words);
    if (lanes != nullptr) --_mask_count;  // masks are made and given back in the order of their rows
    _entry_of[row] = 0;
    return {row, lanes, _keys.take(_size)};
  }

  bool is_open(Row row) const { return _size != 0 && _entry_of[row] != 0; }
  /// Of an open row; null where all its lanes wait.
  const std::uint64_t* mask_of(Row row, std::size_t words) const { return mask(_entry_of[row] - 1, words); }

  /// By entry, the oldest first.
  Row row(std::uint64_t entry) const { return _rows[entry]; }
  std::uint64_t* mask(std::uint64_t entry, std::size_t words) const {
    return _mask_of[entry] == 0 ? nullptr : _masks.data() + (_mask_of[entry] - 1) * words;
  }
  void prefetch(Row row) const { __builtin_prefetch(_entry_of.data() + row, 1); }

  std::size_t mask_bytes() const { return _masks.capacity() * 8; }
  std::size_t list_bytes() const {
    return (_entry_of.capacity() + _rows.capacity() + _mask_of.capacity()) * 4 + _keys.bytes();
  }

 private:
  void add(Row row, std::uint32_t mask, const std::uint64_t* key) {
    _keys.add(_size, key);
    _rows[_size] = row;
    _mask_of[_size] = mask;
    _entry_of[row] = static_cast<std::uint32_t>(++_size);
  }

  PageVector<std::uint32_t> _entry_of;  // per row: its entry + 1; 0 where it does not wait
  PageVector<Row> _rows;                // per entry
  PageVector<std::uint32_t> _mask_of;   // per entry: its mask + 1; 0 where all lanes of the row wait
  PageVector<std::uint64_t> _masks;
  WaitingKeys _keys;
  std::uint64_t _size = 0;
  std::uint32_t _mask_count = 0;
};

}  // namespace dcheck
