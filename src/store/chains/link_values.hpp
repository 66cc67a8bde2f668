#pragma once
// What a row has that its parent has not (paper three): the values of the places that its link's label stands for. The
// values of one row after another lie in one stream of bits, without gaps; how many bits a row has, its label tells. So
// only every 32nd row's beginning is stored.

#include <cstdint>

#include "dcheck/base/page_array.hpp"
#include "store/chains/key_effects.hpp"
#include "store/chains/link_table.hpp"

namespace dcheck {

class LinkValues {
 public:
  using Row = LinkTable::Row;

  explicit LinkValues(MemoryBudget* budget = nullptr)
      : _stream(budget, Ahead::little), _beginnings(budget, Ahead::little) {}

  // Both throw ResourceError where memory ends; nothing has changed then.

  /// The next row's values are those that the key has in these runs.
  void append(std::span<const BitRun> runs, const std::uint64_t* key);
  /// The next row is explicit.
  void append_explicit() { append({}, nullptr); }

  /// Where the values of a row begin in the stream.
  std::uint64_t begin_of(Row row, const LinkTable& links, const KeyEffects& effects) const {
    std::uint64_t at = _beginnings[row / group_rows];
    links.for_each_label(row / group_rows * group_rows, row,
                         [&](std::uint32_t label) { at += effects.width_of(label); });
    return at;
  }
  /// Starts to fetch what begin_of() will look at.
  void prefetch(Row row) const { __builtin_prefetch(_beginnings.data() + row / group_rows); }

  /// Goes through the values from there on.
  class Reader {
   public:
    Reader(const LinkValues& values, std::uint64_t begin) : _stream(values._stream.data()), _at(begin) {}

    std::uint64_t read(unsigned width) {
      std::uint64_t value = 0;
      std::memcpy(&value, _stream + _at / 8, 8);
      const unsigned before = _at % 8;
      value >>= before;
      if (before + width > 64) [[unlikely]]
        value |= static_cast<std::uint64_t>(_stream[_at / 8 + 8]) << (64 - before);
      _at += width;
      return value & low_bits(width);
    }

   private:
    const std::byte* _stream;
    std::uint64_t _at;
  };

  std::uint64_t size() const { return _size; }
  std::size_t bytes() const { return _stream.usable() + _beginnings.capacity() * sizeof(std::uint64_t); }

 private:
  static constexpr Row group_rows = 32;

  PageArray _stream;
  PageVector<std::uint64_t> _beginnings;  // of each group of rows: its first bit
  std::uint64_t _size = 0, _end = 0;
};

}  // namespace dcheck
