#pragma once
// One small counter per state, for AU: how many of its successors have not joined yet.
//
// One lane: one byte per row, or four where a state may have more than 255 successors. Many lanes: bit-sliced, a word
// holds one bit of 64 counters, so that a whole mask of lanes is counted down at once.

#include <algorithm>
#include <stdexcept>

#include "dcheck/base/page_array.hpp"
#include "dcheck/rows/mask.hpp"

namespace dcheck {

/// Adds one to the lanes of `lanes`; planes[b] is bit b of every lane's number.
template <int W>
void count_up(const MaskOps<W>& ops, std::vector<Mask<W>>& planes, Mask<W> lanes) {
  for (std::size_t b = 0; ops.any(lanes); ++b) {
    if (b == planes.size()) planes.push_back(ops.zero());
    for (std::size_t w = 0; w < ops.count(); ++w) {
      const std::uint64_t carry = planes[b].word[w] & lanes.word[w];
      planes[b].word[w] ^= lanes.word[w];
      lanes.word[w] = carry;
    }
  }
}

/// Counters of `bits` bits for rows of W words. The words that hold the counters of the same 64 lanes lie side by side.
template <int W>
class SlicedCounters {
 public:
  SlicedCounters(std::uint64_t rows, std::size_t words, std::size_t bits, MemoryBudget* budget)
      : _ops(words), _bits(bits), _size(rows * words * bits), _planes(budget, Ahead::none) {
    _planes.ensure(_size + 1);
  }
  static std::uint64_t bytes(std::uint64_t rows, std::size_t words, std::size_t bits) {
    return rows * words * bits * 8;
  }

  /// Takes over the numbers of counters of the same size.
  void assign(const SlicedCounters& other) { std::copy_n(other._planes.data(), _size, _planes.data()); }

  void fetch(Row row) const { __builtin_prefetch(at(row), 1); }
  /// The row's counters, at most `bits` planes of them.
  void set(Row row, const std::vector<Mask<W>>& planes) {
    for (std::size_t b = 0; b < planes.size(); ++b)
      for (std::size_t w = 0; w < _ops.count(); ++w) at(row)[w * _bits + b] = planes[b].word[w];
  }
  /// Takes one off the counters of `lanes`; returns those of them that are zero now. Often only a few words have any.
  Mask<W> count_down(Row row, const Mask<W>& lanes) {
    Mask<W> zero = lanes;
    std::uint64_t below_zero = 0;
    for (std::size_t w = 0; w < _ops.count(); ++w) {
      std::uint64_t borrow = lanes.word[w];
      if (borrow == 0) continue;
      std::uint64_t* const digits = at(row) + w * _bits;
      std::uint64_t some = 0;
      for (std::size_t b = 0; b < _bits; ++b) {
        const std::uint64_t old = digits[b];
        digits[b] = old ^ borrow;
        some |= digits[b];
        borrow &= ~old;
      }
      zero.word[w] &= ~some;
      below_zero |= borrow;
    }
    if (below_zero != 0) throw std::logic_error("a successor was counted twice");
    return zero;
  }
  /// The same for one lane; whether it is zero now.
  bool count_down(Row row, Lane lane) {
    std::uint64_t* const digits = at(row) + index(lane) / 64 * _bits;
    const std::uint64_t bit = std::uint64_t{1} << (index(lane) % 64);
    std::uint64_t some = 0;  // bits of the counter: those before the lowest one become ones, it itself zero
    std::size_t b = 0;
    for (; b < _bits && (digits[b] & bit) == 0; ++b) some |= digits[b] |= bit;
    if (b == _bits) throw std::logic_error("a successor was counted twice");
    digits[b] ^= bit;
    for (; b < _bits; ++b) some |= digits[b];
    return (some & bit) == 0;
  }

 private:
  std::uint64_t* at(Row row) const { return _planes.data() + index(row) * _ops.count() * _bits; }

  MaskOps<W> _ops;
  std::size_t _bits;
  std::uint64_t _size;  // words
  PageVector<std::uint64_t> _planes;
};

/// The same for one lane.
class PlainCounters {
 public:
  PlainCounters(std::uint64_t rows, std::size_t, std::size_t bits, MemoryBudget* budget)
      : _is_wide(bits > 8), _size(bytes(rows, 1, bits)), _bytes(budget, Ahead::none) {
    _bytes.ensure(_size + 1);
  }
  static std::uint64_t bytes(std::uint64_t rows, std::size_t, std::size_t bits) { return rows * (bits > 8 ? 4 : 1); }

  void assign(const PlainCounters& other) { std::copy_n(other._bytes.data(), _size, _bytes.data()); }

  void fetch(Row row) const { __builtin_prefetch(_bytes.data() + (_is_wide ? index(row) * 4 : index(row)), 1); }
  void set(Row row, const std::vector<Mask<1>>& planes) {
    std::uint32_t count = 0;
    for (std::size_t b = 0; b < planes.size(); ++b) count |= static_cast<std::uint32_t>(planes[b].word[0]) << b;
    if (_is_wide)
      wide()[index(row)] = count;
    else
      _bytes[index(row)] = static_cast<std::uint8_t>(count);
  }
  Mask<1> count_down(Row row, const Mask<1>& lanes) {
    const std::uint32_t left = _is_wide ? wide()[index(row)]-- : _bytes[index(row)]--;
    if (left == 0) throw std::logic_error("a successor was counted twice");
    return {{left == 1 ? lanes.word[0] : 0}};
  }
  bool count_down(Row row, Lane) { return count_down(row, Mask<1>{{1}}).word[0] != 0; }

 private:
  std::uint32_t* wide() const { return reinterpret_cast<std::uint32_t*>(_bytes.data()); }

  bool _is_wide;
  std::uint64_t _size;
  PageVector<std::uint8_t> _bytes;
};

}  // namespace dcheck
