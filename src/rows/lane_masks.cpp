#include "dcheck/rows/lane_masks.hpp"

#include "dcheck/base/error.hpp"
#include "dcheck/rows/mask_words.hpp"

namespace dcheck {

namespace {

// So few masks are always worth their numbers: they stay in the nearest caches.
constexpr std::uint32_t always_few = 4096;

/// With more masks, every row gets its own words.
std::uint64_t most_masks(std::size_t rows) {
  return always_few + rows / 16;
}

/// A number takes 2^shift bytes where there are so many masks.
unsigned shift_for(std::uint32_t masks) {
  return masks <= 1U << 8 ? 0 : masks <= 1U << 16 ? 1 : 2;
}

}  // namespace

void LaneMasks::begin(std::size_t words, Form form) {
  _words = words;
  _is_numbered = form == Form::numbered;
  if (_is_numbered) _masks = MaskNumbers(words, _budget);
  _sweep_at = 2 * always_few;
}

void LaneMasks::grow(std::size_t rows) {
  if (_is_numbered) {
    _numbers.ensure(number_bytes(rows, _shift));
    _masks.reserve(1);
    _capacity = (_numbers.usable() - 4) >> _shift;
  } else {
    _plain.ensure(rows * _words);
    _capacity = _plain.capacity() / _words;
  }
}

void LaneMasks::make_room(std::uint32_t changes) {
  if (_masks.size() + changes > _sweep_at) {
    sweep();
    if (_masks.size() > most_masks(_rows)) {
      try {
        return become_plain();
      } catch (const ResourceError&) {  // numbers take less than that: go on with them
      }
    }
    _sweep_at = 2 * static_cast<std::uint32_t>(std::max<std::uint64_t>(_masks.size() + changes, most_masks(_rows)));
  }
  // With some room ahead, but not for the sake of that with wider numbers.
  const std::uint32_t needed = std::max<std::uint32_t>(_masks.size(), 1) + changes;
  const std::uint32_t ahead = needed + needed / 8 + 16;
  const unsigned shift = shift_for(needed);
  if (shift > _shift) widen(shift);
  _masks.reserve(shift == shift_for(ahead) ? ahead : needed);
}

/// Drops masks that no row has any more.
void LaneMasks::sweep() {
  std::vector<bool> is_used(_masks.size(), false);
  for (std::size_t row = 0; row < _rows; ++row) is_used[number(row)] = true;
  const std::vector<std::uint32_t> renamed = _masks.drop_unused(is_used);
  for (std::size_t row = 0; row < _rows; ++row) put(row, renamed[number(row)]);
  ++_sweeps;
}

/// Gives numbers 2^shift bytes, more than they have: in place, the last row first.
void LaneMasks::widen(unsigned shift) {
  _numbers.ensure(number_bytes(_capacity, shift));
  std::byte* const to = _numbers.data();
  for (std::size_t row = _rows; row-- > 0;) {
    const std::uint32_t old = number(row);
    std::memcpy(to + (row << shift), &old, std::size_t{1} << shift);
  }
  std::fill(to + (_rows << shift), to + _numbers.usable(), std::byte{0});
  _shift = shift;
  _number_mask = shift == 1 ? 0xFFFF : ~std::uint32_t{0};
  _capacity = (_numbers.usable() - 4) >> shift;
}

void LaneMasks::become_plain() {
  if (!_is_numbered) return;
  PageVector<std::uint64_t> plain(_budget, _ahead);
  plain.ensure(std::max<std::size_t>(_rows * _words, 1));
  for (std::size_t row = 0; row < _rows; ++row) std::copy_n((*this)[row], _words, plain.data() + row * _words);
  _plain = std::move(plain);
  _numbers.clear();
  _masks = MaskNumbers(_words, _budget);
  _is_numbered = false;
  _capacity = _plain.capacity() / _words;
}

void LaneMasks::clear() {
  if (_is_numbered) {
    std::memset(_numbers.data(), 0, _rows << _shift);
    _masks.clear();
    ++_sweeps;
  } else {
    std::memset(_plain.data(), 0, _rows * _words * 8);
  }
}

void LaneMasks::assign(const LaneMasks& other) {
  if (!other._is_numbered) {
    become_plain();
    std::memcpy(_plain.data(), other._plain.data(), _rows * _words * 8);
    return;
  }
  if (!_is_numbered) {
    for (std::size_t row = 0; row < _rows; ++row) std::copy_n(other[row], _words, _plain.data() + row * _words);
    return;
  }
  if (const unsigned shift = shift_for(other._masks.size()); shift > _shift) widen(shift);
  _masks.assign(other._masks);
  ++_sweeps;
  if (_shift == other._shift)
    std::memcpy(_numbers.data(), other._numbers.data(), _rows << _shift);
  else
    for (std::size_t row = 0; row < _rows; ++row) put(row, other.number(row));
}

bool LaneMasks::empty() const {
  if (!_is_numbered)
    return std::all_of(plain(), plain() + _rows * _words, [](std::uint64_t word) { return word == 0; });
  for (std::size_t row = 0; row < _rows; ++row)
    if (number(row) != 0) return false;
  return true;
}

std::uint64_t LaneMasks::size() const {
  if (!_is_numbered) return lanes_in(plain(), _rows * _words);
  std::vector<std::uint64_t> lanes_of(_masks.size());
  for (std::uint32_t number = 0; number < _masks.size(); ++number) lanes_of[number] = lanes_in(_masks[number], _words);
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < _rows; ++row) sum += lanes_of[number(row)];
  return sum;
}

bool LaneMasks::operator==(const LaneMasks& other) const {
  const std::uint64_t *known = nullptr, *known_other = nullptr;  // these two are equal
  for (std::size_t row = 0; row < std::min(_rows, other._rows); ++row) {
    const std::uint64_t *const mine = (*this)[row], *const others = other[row];
    if (mine == known && others == known_other) continue;
    if (!std::equal(mine, mine + _words, others)) return false;
    known = mine;
    known_other = others;
  }
  return true;
}

}  // namespace dcheck
