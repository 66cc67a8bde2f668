#include "dcheck/rows/mask_numbers.hpp"

namespace dcheck {

void MaskNumbers::reserve(std::uint32_t masks) {
  if (masks <= _limit) return;
  const std::uint32_t slots = std::bit_ceil(masks + masks / 2);
  _masks.ensure(std::size_t{masks} * _words);
  _slots.ensure(slots);
  _limit = masks;
  _size = std::max<std::uint32_t>(_size, 1);
  if (slots == _slot_mask + 1) return;
  _slot_mask = slots - 1;
  fill_slots();
}

void MaskNumbers::fill_slots() {
  std::fill_n(_slots.data(), std::size_t{_slot_mask} + 1, hole);
  for (std::uint32_t number = 1; number < _size; ++number) {
    std::uint32_t slot = home((*this)[number]);
    while (_slots[slot] != hole) slot = (slot + 1) & _slot_mask;
    _slots[slot] = number;
  }
}

std::vector<std::uint32_t> MaskNumbers::drop_unused(const std::vector<bool>& is_used) {
  std::vector<std::uint32_t> renamed(_size, 0);
  std::uint32_t kept = 1;
  for (std::uint32_t number = 1; number < _size; ++number) {
    if (!is_used[number]) continue;
    std::copy_n((*this)[number], _words, _masks.data() + kept * _words);
    renamed[number] = kept++;
  }
  _size = kept;
  fill_slots();
  return renamed;
}

void MaskNumbers::clear() {
  if (_size <= 1) return;
  _size = 1;
  std::fill_n(_slots.data(), std::size_t{_slot_mask} + 1, hole);
}

void MaskNumbers::assign(const MaskNumbers& other) {
  reserve(other._size);
  std::copy_n(other._masks.data(), other._size * _words, _masks.data());
  _size = other._size;
  fill_slots();
}

}  // namespace dcheck
