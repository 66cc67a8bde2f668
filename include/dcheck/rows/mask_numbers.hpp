#pragma once
// Different masks of lanes, numbered as they come: each is stored once. Number 0 is the mask without lanes.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/page_array.hpp"

namespace dcheck {

class MaskNumbers {
 public:
  /// Masks of `words` words, at least one. The budget must outlive it.
  explicit MaskNumbers(std::size_t words = 1, MemoryBudget* budget = nullptr)
      : _words(words), _masks(budget, Ahead::little), _slots(budget, Ahead::little) {}

  /// Holds until drop_unused() or clear().
  const std::uint64_t* operator[](std::uint32_t number) const { return _masks.data() + number * _words; }
  /// How many numbers are in use, and how many there is room for.
  std::uint32_t size() const { return _size; }
  std::uint32_t room() const { return _limit - _size; }
  std::size_t bytes() const { return _masks.capacity() * 8 + _slots.capacity() * 4; }

  /// Makes room for so many masks. Throws ResourceError, and is as before, where memory ends.
  void reserve(std::uint32_t masks);

  /// The number of a mask, a new one where it has none: there must be room.
  std::uint32_t number_of(const std::uint64_t* mask) {
    for (std::uint32_t slot = home(mask);; slot = (slot + 1) & _slot_mask) {
      const std::uint32_t number = _slots[slot];
      if (number == hole) return is_empty(mask) ? 0 : add(mask, slot);
      if (std::equal(mask, mask + _words, (*this)[number])) return number;
    }
  }

  /// Keeps the masks that are in use, by their numbers, and closes the gaps: returns the new number of each old one.
  std::vector<std::uint32_t> drop_unused(const std::vector<bool>& is_used);
  /// Keeps the mask without lanes only, and the room.
  void clear();
  /// Becomes a copy. Throws ResourceError where memory ends.
  void assign(const MaskNumbers& other);

 private:
  static constexpr std::uint32_t hole = 0;  // the empty mask stands in no slot

  std::uint32_t home(const std::uint64_t* mask) const {
    std::uint64_t hash = 0;
    for (std::size_t w = 0; w < _words; ++w)  // no step waits for the one before
      hash += (mask[w] ^ mask[w] >> 32) * (0x9E3779B97F4A7C15U * (2 * w + 1));
    return static_cast<std::uint32_t>(mixed_bits(hash)) & _slot_mask;
  }
  bool is_empty(const std::uint64_t* mask) const {
    return std::all_of(mask, mask + _words, [](std::uint64_t word) { return word == 0; });
  }
  std::uint32_t add(const std::uint64_t* mask, std::uint32_t slot) {
    std::copy_n(mask, _words, _masks.data() + _size * _words);
    return _slots[slot] = _size++;
  }
  void fill_slots();

  std::size_t _words;
  PageVector<std::uint64_t> _masks;  // by number
  PageVector<std::uint32_t> _slots;  // a number, at the place its mask's hash says or after it
  std::uint32_t _size = 0, _limit = 0, _slot_mask = 0;
};

}  // namespace dcheck
