#pragma once
// A hash table from 64-bit codes of colours to numbers below 2^32 - 1. Grows, never shrinks, forgets nothing.

#include <cstdint>
#include <vector>

#include "dcheck/base/bits.hpp"

namespace dcheck {

class CodeTable {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// none where the code is not there.
  std::uint32_t find(std::uint64_t code) const {
    if (_slots.empty()) return none;
    return _slots[slot_of(code)].number;
  }
  /// The number of the code: a new one if it was not there, to be set by the caller before the next call.
  std::uint32_t& operator[](std::uint64_t code) {
    if ((_used + 1) * 4 > _slots.size() * 3) grow();
    Slot& slot = _slots[slot_of(code)];
    if (slot.number == none) {
      slot.code = code;
      ++_used;
    }
    return slot.number;
  }

 private:
  struct Slot {
    std::uint64_t code = 0;
    std::uint32_t number = none;
  };

  std::size_t slot_of(std::uint64_t code) const {
    std::size_t at = mixed_bits(code) & (_slots.size() - 1);
    while (_slots[at].number != none && _slots[at].code != code) at = (at + 1) & (_slots.size() - 1);
    return at;
  }
  void grow() {
    std::vector<Slot> old(_slots.empty() ? 16 : _slots.size() * 2);
    old.swap(_slots);
    for (const Slot& slot : old)
      if (slot.number != none) _slots[slot_of(slot.code)] = slot;
  }

  std::vector<Slot> _slots;  // a power of two of them
  std::size_t _used = 0;
};

}  // namespace dcheck
