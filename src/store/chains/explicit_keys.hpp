#pragma once
// Keys stored whole, one after another, numbered 0, 1, 2, ... With collapsing (paper one): keys are cut into parts of
// 16 bits, the values that occur in a part are numbered as they come, and a key is stored as these numbers, each in as
// many bits as its part needs so far. Nothing is to be guessed: when a part's numbers outgrow their bits, later keys
// are stored with more. Keys between two such changes are an epoch; all have one length, so a key is found by its
// number.
//
// A part with one value takes no bits. A part whose numbers would take as many bits as its values is stored as it is
// from then on; only what its earlier numbers mean is kept.

#include <cstdint>
#include <vector>

#include "dcheck/base/page_array.hpp"

namespace dcheck {

/// The values that occur in one part of keys, numbered in the order of their coming.
class PartValues {
 public:
  /// Values have so many bits, 1 to 16.
  explicit PartValues(unsigned value_bits) : _value_bits(value_bits) {}

  /// Gives a new value the next number. Where values are kept as they are, each is its own number.
  std::uint16_t number_of(std::uint16_t value);
  /// What a number means that was given while values had numbers.
  std::uint16_t value(std::uint16_t number) const { return _values[number]; }

  bool is_plain() const { return _is_plain; }
  /// Of the largest number so far.
  unsigned bits() const { return _bits; }
  std::size_t bytes() const { return (_values.capacity() + _slots.capacity()) * sizeof(std::uint16_t); }

 private:
  std::size_t slot_of(std::uint16_t value) const;
  std::uint16_t add(std::uint16_t value);
  void grow();

  std::vector<std::uint16_t> _values;  // by number
  std::vector<std::uint16_t> _slots;   // number + 1 at a place the value's hash says, or after it; 0: a hole
  unsigned _slot_bits = 0;
  unsigned _value_bits, _bits = 0;
  bool _is_plain = false;
};

class ExplicitKeys {
 public:
  /// Keys of `words` words, of which the first `bytes` bytes are in use.
  ExplicitKeys(std::size_t words, std::size_t bytes, bool collapse, MemoryBudget* budget = nullptr);

  /// Appends a key; its number is size() before. Throws ResourceError, and is as before, where memory ends.
  void append(const std::uint64_t* key);
  /// Writes `words` words.
  void read(std::uint64_t number, std::uint64_t* out) const;
  /// Whether the key with this number is this one; stops at the first part that differs.
  bool equals(std::uint64_t number, const std::uint64_t* key) const;
  /// Starts to fetch what read() and equals() look at.
  void prefetch(std::uint64_t number) const;

  std::uint64_t size() const { return _size; }
  /// Keys and tables.
  std::size_t bytes() const;

 private:
  struct Epoch {
    std::uint64_t first_key = 0, first_bit = 0, key_bits = 0;
  };
  /// How an epoch stores a part.
  struct Width {
    std::uint8_t bits = 0;
    bool is_plain = false;
  };

  std::uint64_t bit_of(const Epoch& epoch, std::uint64_t number) const {
    return epoch.first_bit + (number - epoch.first_key) * epoch.key_bits;
  }
  /// Its number.
  std::size_t epoch_of(std::uint64_t number) const;
  std::uint16_t part_of(const std::uint64_t* key, std::size_t part) const {
    const auto value = static_cast<std::uint16_t>(key[part / 4] >> (part % 4 * 16));
    return part + 1 == _parts.size() ? value & _last_mask : value;
  }
  void append_collapsed(const std::uint64_t* key);
  bool widths_are_current() const;
  void begin_epoch();
  /// visit(part, value) for all parts in order, or until it says false; then this is false.
  template <typename Visit>
  bool each_part(std::uint64_t number, Visit&& visit) const;

  std::size_t _words, _bytes;
  bool _collapse;
  std::uint64_t _size = 0;
  PageArray _keys;
  // Of collapsed keys only.
  std::vector<PartValues> _parts;
  std::uint16_t _last_mask;             // of the last part's bits in use
  std::vector<std::uint16_t> _numbers;  // of the parts of the key that is being appended
  std::vector<Epoch> _epochs;
  std::vector<Width> _widths;  // for each epoch, one a part
};

}  // namespace dcheck
