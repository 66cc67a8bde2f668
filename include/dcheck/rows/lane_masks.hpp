#pragma once
// A mask of lanes per row. Where many rows have equal masks, each mask is stored once and a row has its number, in 1, 2
// or 4 bytes. Where most masks are different, they would take more memory and time that way: then every row has its own
// words, from then on ("plain").

#include <cstring>

#include "dcheck/rows/mask_numbers.hpp"

namespace dcheck {

class LaneMasks {
 public:
  enum class Form : std::uint8_t { plain, numbered };

  /// No rows. The budget must outlive it.
  explicit LaneMasks(MemoryBudget* budget = nullptr, Ahead ahead = Ahead::huge_pages)
      : _budget(budget), _ahead(ahead), _plain(budget, ahead), _numbers(budget, ahead) {}

  /// Masks get `words` words. Only while there are no rows.
  void begin(std::size_t words, Form form);

  /// Rows below `rows` exist, new ones without lanes, and `changes` calls of set() will not throw and not move a mask.
  /// May change the form. Throws ResourceError where memory ends; all masks are as before then.
  void ensure(std::size_t rows, std::uint32_t changes) {
    if (rows > _capacity) grow(rows);
    _rows = std::max(_rows, rows);
    if (_is_numbered && _masks.room() < changes) make_room(changes);
  }

  bool is_numbered() const { return _is_numbered; }
  std::size_t rows() const { return _rows; }
  std::size_t words() const { return _words; }
  /// The words of a row's mask, until a mask is set.
  const std::uint64_t* operator[](std::size_t row) const {
    return _is_numbered ? _masks[number(row)] : _plain.data() + row * _words;
  }
  void prefetch(std::size_t row) const {
    if (_is_numbered)
      __builtin_prefetch(_numbers.data() + (row << _shift), 1);
    else
      __builtin_prefetch(_plain.data() + row * _words, 1);
  }
  /// Without changes left of ensure() it may change the form or throw ResourceError; then the row is as before.
  void set(std::size_t row, const std::uint64_t* mask) {
    if (_is_numbered && _masks.room() == 0) [[unlikely]]
      make_room(1);
    if (_is_numbered)
      put(row, _masks.number_of(mask));
    else
      std::copy_n(mask, _words, _plain.data() + row * _words);
  }

  // All rows at once. Other masks are of the same rows, in any form. These may throw ResourceError where memory ends;
  // what the rows have then is not defined.

  /// All rows without lanes; the form stays.
  void clear();
  void assign(const LaneMasks& other);
  /// Each row gets op(words of a, words of b), word by word; returns how many lanes those are. `a` or `b` may be *this.
  template <typename Op>
  std::uint64_t combine(const LaneMasks& a, const LaneMasks& b, Op&& op);
  bool empty() const;
  std::uint64_t size() const;
  bool operator==(const LaneMasks& other) const;
  /// Every row gets its own words. Throws ResourceError, and is as before, where memory ends.
  void become_plain();

  // Of the form that it has.

  std::uint64_t* plain() const { return _plain.data(); }
  std::uint32_t number(std::size_t row) const {
    std::uint32_t number = 0;
    std::memcpy(&number, _numbers.data() + (row << _shift), 4);
    return number & _number_mask;
  }
  const MaskNumbers& masks() const { return _masks; }

  std::size_t bytes() const { return _plain.capacity() * 8 + _numbers.usable() + _masks.bytes(); }

 private:
  void put(std::size_t row, std::uint32_t number) {
    std::byte* const at = _numbers.data() + (row << _shift);
    std::uint32_t old = 0;
    std::memcpy(&old, at, 4);
    old = (old & ~_number_mask) | number;
    std::memcpy(at, &old, 4);
  }
  std::size_t number_bytes(std::size_t rows, unsigned shift) const { return (rows << shift) + 4; }
  void grow(std::size_t rows);
  void make_room(std::uint32_t changes);
  void sweep();
  void widen(unsigned shift);

  MemoryBudget* _budget;
  Ahead _ahead;
  std::size_t _words = 1, _rows = 0, _capacity = 0;
  bool _is_numbered = false;
  PageVector<std::uint64_t> _plain;  // every row's words,
  PageArray _numbers;                // or its number, 4 bytes being readable at the last one,
  MaskNumbers _masks;                // and what it means
  unsigned _shift = 0;               // a number takes 2^shift bytes
  std::uint32_t _number_mask = 255;
  std::uint32_t _sweep_at = 0;  // so many masks are worth a look whether all are in use
  std::uint32_t _sweeps = 0;    // after each, numbers mean something else
};

template <typename Op>
std::uint64_t LaneMasks::combine(const LaneMasks& a, const LaneMasks& b, Op&& op) {
  // What was made of two numbers last is likely to be asked for again.
  struct Made {
    std::uint32_t a = 0, b = 0, out = 0, sweeps = ~std::uint32_t{0};
    std::uint64_t size = 0;
  };
  constexpr std::size_t remembered = 1024;
  std::vector<Made> made(remembered);
  std::vector<std::uint64_t> mask(_words);
  std::uint64_t count = 0;
  for (std::size_t row = 0; row < _rows; ++row) {
    const bool has_numbers = _is_numbered && a._is_numbered && b._is_numbered;
    const std::uint32_t of_a = has_numbers ? a.number(row) : 0, of_b = has_numbers ? b.number(row) : 0;
    Made& known = made[(of_a * 0x9E3779B1U + of_b) % remembered];
    if (has_numbers && known.a == of_a && known.b == of_b && known.sweeps == _sweeps) {
      put(row, known.out);
      count += known.size;
      continue;
    }
    const std::uint64_t* const words_of_a = a[row];
    const std::uint64_t* const words_of_b = b[row];
    std::uint64_t lanes = 0;
    for (std::size_t w = 0; w < _words; ++w) {
      mask[w] = op(words_of_a[w], words_of_b[w]);
      lanes += static_cast<std::uint64_t>(__builtin_popcountll(mask[w]));
    }
    count += lanes;
    const std::uint32_t sweeps = _sweeps;
    set(row, mask.data());
    if (has_numbers && _is_numbered && sweeps == _sweeps) known = {of_a, of_b, number(row), sweeps, lanes};
  }
  return count;
}

}  // namespace dcheck
