#include "store/chains/explicit_keys.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace dcheck {

namespace {
constexpr std::size_t part_bytes = 2;
constexpr std::size_t room_behind = 8;  // numbers are read and written as words
constexpr unsigned first_slot_bits = 2, most_slot_bits = 16;

std::uint64_t load_word(const std::byte* from) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, sizeof word);
  return word;
}
}  // namespace

std::size_t PartValues::slot_of(std::uint16_t value) const {
  const std::size_t mask = _slots.size() - 1;
  std::size_t slot = ((value * 40503U) & 0xFFFFU) >> (most_slot_bits - _slot_bits);
  while (_slots[slot] != 0 && _values[_slots[slot] - 1U] != value) slot = (slot + 1) & mask;
  return slot;
}

std::uint16_t PartValues::number_of(std::uint16_t value) {
  if (_is_plain) return value;
  if (!_slots.empty())
    if (const std::uint16_t found = _slots[slot_of(value)]; found != 0) return static_cast<std::uint16_t>(found - 1);
  return add(value);
}

std::uint16_t PartValues::add(std::uint16_t value) {
  const std::size_t number = _values.size();
  const auto bits = static_cast<unsigned>(std::bit_width(number));
  if (bits == _value_bits) {
    _is_plain = true;
    _bits = _value_bits;
    std::vector<std::uint16_t>().swap(_slots);
    _values.shrink_to_fit();
    return value;
  }
  if (3 * (number + 1) > 2 * _slots.size()) grow();
  _slots[slot_of(value)] = static_cast<std::uint16_t>(number + 1);
  _values.push_back(value);
  _bits = bits;
  return static_cast<std::uint16_t>(number);
}

void PartValues::grow() {
  _slot_bits = _slots.empty() ? first_slot_bits : _slot_bits + 1;
  std::vector<std::uint16_t>(std::size_t{1} << _slot_bits).swap(_slots);
  for (std::size_t number = 0; number < _values.size(); ++number)
    _slots[slot_of(_values[number])] = static_cast<std::uint16_t>(number + 1);
}

ExplicitKeys::ExplicitKeys(std::size_t words, std::size_t bytes, bool collapse, MemoryBudget* budget)
    : _words(words),
      _bytes(bytes),
      _collapse(collapse),
      _keys(budget, Ahead::little),
      _last_mask(bytes % part_bytes == 0 ? 0xFFFF : 0xFF) {
  if (!collapse) return;
  _parts.reserve((bytes + 1) / part_bytes);
  for (std::size_t at = 0; at < bytes; at += part_bytes)
    _parts.emplace_back(static_cast<unsigned>(8 * std::min(part_bytes, bytes - at)));
  _numbers.resize(_parts.size());
}

void ExplicitKeys::append(const std::uint64_t* key) {
  if (_collapse) {
    append_collapsed(key);
  } else {
    _keys.ensure((_size + 1) * _bytes);
    std::memcpy(_keys.data() + _size * _bytes, key, _bytes);
  }
  ++_size;
}

void ExplicitKeys::append_collapsed(const std::uint64_t* key) {
  // Room for whatever the numbers will take, before a table changes.
  const std::uint64_t end = _epochs.empty() ? 0 : bit_of(_epochs.back(), _size);
  _keys.ensure(end / 8 + _parts.size() * part_bytes + room_behind);
  for (std::size_t p = 0; p < _parts.size(); ++p) _numbers[p] = _parts[p].number_of(part_of(key, p));
  if (_epochs.empty() || !widths_are_current()) begin_epoch();
  std::uint64_t bit = end;
  for (std::size_t p = 0; p < _parts.size(); ++p) {
    std::byte* at = _keys.data() + bit / 8;
    const std::uint64_t below = load_word(at) & ((std::uint64_t{1} << (bit % 8)) - 1);
    const std::uint64_t word = below | std::uint64_t{_numbers[p]} << (bit % 8);
    std::memcpy(at, &word, sizeof word);
    bit += _parts[p].bits();
  }
}

bool ExplicitKeys::widths_are_current() const {
  const Width* widths = _widths.data() + _widths.size() - _parts.size();
  return std::ranges::all_of(_parts, [&](const PartValues& part) {
    const Width& width = *widths++;
    return width.bits == part.bits() && width.is_plain == part.is_plain();
  });
}

void ExplicitKeys::begin_epoch() {
  Epoch epoch{_size, _epochs.empty() ? 0 : bit_of(_epochs.back(), _size), 0};
  for (const PartValues& part : _parts) {
    _widths.push_back({static_cast<std::uint8_t>(part.bits()), part.is_plain()});
    epoch.key_bits += part.bits();
  }
  _epochs.push_back(epoch);
}

std::size_t ExplicitKeys::epoch_of(std::uint64_t number) const {
  if (number >= _epochs.back().first_key) return _epochs.size() - 1;
  const auto after = std::ranges::upper_bound(_epochs, number, {}, &Epoch::first_key);
  return static_cast<std::size_t>(after - _epochs.begin()) - 1;
}

template <typename Visit>
bool ExplicitKeys::each_part(std::uint64_t number, Visit&& visit) const {
  const std::size_t epoch = epoch_of(number);
  const Width* widths = _widths.data() + epoch * _parts.size();
  std::uint64_t bit = bit_of(_epochs[epoch], number);
  for (std::size_t p = 0; p < _parts.size(); ++p) {
    const std::uint64_t word = load_word(_keys.data() + bit / 8) >> (bit % 8);
    const auto stored = static_cast<std::uint16_t>(word & ((1U << widths[p].bits) - 1));
    if (!visit(p, widths[p].is_plain ? stored : _parts[p].value(stored))) return false;
    bit += widths[p].bits;
  }
  return true;
}

void ExplicitKeys::read(std::uint64_t number, std::uint64_t* out) const {
  std::fill_n(out, _words, 0);
  if (!_collapse) {
    std::memcpy(out, _keys.data() + number * _bytes, _bytes);
    return;
  }
  each_part(number, [&](std::size_t part, std::uint16_t value) {
    out[part / 4] |= std::uint64_t{value} << (part % 4 * 16);
    return true;
  });
}

bool ExplicitKeys::equals(std::uint64_t number, const std::uint64_t* key) const {
  if (!_collapse) return std::memcmp(_keys.data() + number * _bytes, key, _bytes) == 0;
  return each_part(number, [&](std::size_t part, std::uint16_t value) { return value == part_of(key, part); });
}

void ExplicitKeys::prefetch(std::uint64_t number) const {
  std::uint64_t first = number * _bytes, last = first + _bytes;
  if (_collapse) {
    const Epoch& epoch = _epochs[epoch_of(number)];
    first = bit_of(epoch, number) / 8;
    last = (bit_of(epoch, number) + epoch.key_bits) / 8;
  }
  __builtin_prefetch(_keys.data() + first);
  if (first / 64 != last / 64) __builtin_prefetch(_keys.data() + last);
}

std::size_t ExplicitKeys::bytes() const {
  std::size_t tables = _epochs.capacity() * sizeof(Epoch) + _widths.capacity() * sizeof(Width) +
                       _parts.capacity() * sizeof(PartValues) + _numbers.capacity() * sizeof(std::uint16_t);
  for (const PartValues& part : _parts) tables += part.bytes();
  return sizeof *this + _keys.usable() + tables;
}

}  // namespace dcheck
