#pragma once
// For each of many numbered rows, the rows from which transitions lead into it: numbers, packed into as many bits as
// they need. A row that leads into another by two transitions is there twice.
//
// A list is   count | smallest source, relative to the row itself | bits | (source - smallest), `bits` bits each
// with the first two as bytes of seven bits. Rows that are found one after another have neighbouring numbers, so that a
// source takes 2 to 3 bytes.

#include <bit>
#include <cstring>

#include "dcheck/base/page_array.hpp"

namespace dcheck {

/// A row of any rank: its number there, and the rank in the lowest bits.
using RowCode = std::uint64_t;

class PredecessorLists {
 public:
  explicit PredecessorLists(MemoryBudget* budget = nullptr) : _bytes(budget), _block_begin(budget), _begin(budget) {}

  /// Adds the list of the next row, whose own code is given. Sorts the sources.
  void add(RowCode row, std::span<RowCode> sources);
  /// All lists are there.
  void finish();

  std::uint64_t size() const { return _size; }
  /// visit(source) for each source of a row, whose own code is given.
  template <typename Visit>
  [[gnu::always_inline]] void for_each(std::uint32_t number, RowCode row, Visit&& visit) const {
    const std::byte* at = _bytes.data() + _block_begin[number >> block_bits] + _begin[number];
    const std::uint64_t count = read_number(at);
    if (count == 0) return;
    const std::uint64_t zigzag = read_number(at);
    const RowCode smallest = row + (zigzag >> 1 ^ (0 - (zigzag & 1)));
    const auto bits = static_cast<unsigned>(*at++);
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    std::uint64_t position = 0;
    for (std::uint64_t i = 0; i < count; ++i, position += bits) {
      std::uint64_t word = 0;
      std::memcpy(&word, at + (position >> 3), 8);
      visit(smallest + (word >> (position & 7) & mask));
    }
  }
  void fetch(std::uint32_t number) const {
    __builtin_prefetch(_bytes.data() + _block_begin[number >> block_bits] + _begin[number]);
  }

  std::size_t bytes() const { return _bytes.capacity() + 4 * _begin.capacity() + 8 * _block_begin.capacity(); }

 private:
  static constexpr unsigned block_bits = 10;

  static std::uint64_t read_number(const std::byte*& at) {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint64_t>(*at++);
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  }
  void write_number(std::uint64_t number);

  PageVector<std::byte> _bytes;
  PageVector<std::uint64_t> _block_begin;  // per 2^block_bits rows, into _bytes
  PageVector<std::uint32_t> _begin;        // per row, from its block's on
  std::uint64_t _size = 0, _end = 0;
};

}  // namespace dcheck
