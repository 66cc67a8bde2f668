#pragma once
// Keys of some rows, at hand: row r may stand in place r modulo the number of places, and whoever comes later takes it.
// Rows found one after another never push each other out, so the cache always holds the youngest ones, those to which
// most arcs of a search lead.

#include <cstdint>
#include <cstring>

#include "dcheck/base/page_array.hpp"

namespace dcheck {

class KeyCache {
 public:
  using Row = std::uint32_t;

  /// Keys of `words` words.
  KeyCache(std::size_t words, MemoryBudget* budget)
      : _words(words), _rows(budget, Ahead::little), _depths(budget, Ahead::little), _keys(budget, Ahead::little) {}

  /// Gives the cache so many places, below 2^32; it is empty then.
  void resize(std::uint64_t places) {
    _places = places;
    _reciprocal = places == 0 ? 0 : ~std::uint64_t{0} / places + 1;
    if (places == 0) return;
    _rows.ensure(places);
    _depths.ensure(places);
    _keys.ensure(places * _words);
    std::memset(_rows.data(), 255, places * sizeof(Row));
  }
  std::uint64_t places() const { return _places; }
  std::size_t bytes_a_place() const { return (_words + 1) * 8; }

  void prefetch(Row row) const {
    if (_places != 0) __builtin_prefetch(_rows.data() + place_of(row));
  }
  /// The row's key, null where it is not here. Valid until the next put().
  const std::uint64_t* find(Row row) const {
    if (_places == 0) return nullptr;
    const std::uint64_t place = place_of(row);
    return _rows[place] == row ? _keys.data() + place * _words : nullptr;
  }
  /// The depth that was put with a row that is here.
  std::uint32_t depth(Row row) const { return _depths[place_of(row)]; }

  void put(Row row, std::uint32_t depth, const std::uint64_t* key) {
    if (_places == 0) return;
    const std::uint64_t place = place_of(row);
    _rows[place] = row;
    _depths[place] = depth;
    std::memcpy(_keys.data() + place * _words, key, _words * 8);
  }
  void set_depth(Row row, std::uint32_t depth) {
    if (_places != 0 && _rows[place_of(row)] == row) _depths[place_of(row)] = depth;
  }

  std::size_t bytes() const { return (_rows.capacity() + _depths.capacity()) * 4 + _keys.capacity() * 8; }

 private:
  /// row % places without a division: for numbers below 2^32 the fraction of row / places has enough bits.
  std::uint64_t place_of(Row row) const {
    if (_places == 1) return 0;
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(_reciprocal * row) * _places) >> 64);
  }

  std::size_t _words;
  std::uint64_t _places = 0, _reciprocal = 0;
  PageVector<Row> _rows;
  PageVector<std::uint32_t> _depths;
  PageVector<std::uint64_t> _keys;
};

}  // namespace dcheck
