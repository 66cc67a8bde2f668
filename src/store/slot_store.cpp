#include "dcheck/store/slot_store.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace dcheck {

namespace {

constexpr unsigned least_key_bits = 16;
constexpr unsigned first_exponent = 10;
constexpr std::uint64_t growth_chunk = 8192;  // larger than 11 times the longest distance, see grow()
constexpr std::size_t lookahead = 32;

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t guess = odd;
  for (int i = 0; i < 6; ++i) guess *= 2 - odd * guess;
  return guess;
}

}  // namespace

SlotStore::SlotStore(unsigned key_bits)
    : _key_bits(std::max(key_bits, least_key_bits)),
      _fold((_key_bits + 1) / 2),
      _exponent(first_exponent),
      _key_mask(low_bits(_key_bits)),
      _inverse_a(inverse(factor_a)),
      _inverse_b(inverse(factor_b)) {
  _shape = shape_for(4, first_exponent, 0);
  _table.ensure((_shape.slots + max_distance) * _shape.entry_bytes + 8);
  _dirty.reset(((_shape.slots + max_distance) >> block_shift) + 1);
  _size_limit = _shape.slots - _shape.slots / 7;
}

SlotStore::Shape SlotStore::shape_for(std::uint64_t mantissa, unsigned exponent, std::size_t least_entry_bytes) const {
  Shape shape;
  shape.mantissa = mantissa;
  shape.slots = mantissa << exponent;
  shape.reciprocal = ~std::uint64_t{0} / mantissa + 1;
  shape.run_shift = _key_bits - std::min(exponent, _key_bits);
  const auto run = static_cast<unsigned __int128>(1) << shape.run_shift;
  for (std::uint64_t r = 0; r < mantissa; ++r)
    shape.parts[r] = static_cast<std::uint64_t>((run * r + mantissa - 1) / mantissa);
  const auto widest = static_cast<std::uint64_t>((run + mantissa - 1) / mantissa);
  const unsigned remainder_bits = widest <= 1 ? 0 : bit_width_of(widest - 1);
  shape.entry_bytes = std::max<std::size_t>((remainder_bits + 6 + 1 + 7) / 8, least_entry_bytes);
  shape.distance_bits = std::min(8U, static_cast<unsigned>(shape.entry_bytes * 8) - remainder_bits - 1);
  shape.entry_mask = low_bits(static_cast<unsigned>(shape.entry_bytes * 8));
  shape.distance_mask = low_bits(shape.distance_bits);
  return shape;
}

std::size_t SlotStore::insert(std::span<const std::uint64_t> keys) {
  std::array<std::uint64_t, lookahead> mixed_keys;
  const std::uint64_t before = _size;
  while (!keys.empty()) {
    const std::size_t count = std::min(keys.size(), lookahead);
    while (_size + count > _size_limit) grow();
    for (std::size_t i = 0; i < count; ++i) {
      mixed_keys[i] = mix(keys[i]);
      __builtin_prefetch(address(home(mixed_keys[i])), 1);
    }
    for (std::size_t i = 0; i < count; ++i) insert_mixed(mixed_keys[i], 1);
    keys = keys.subspan(count);
  }
  return _size - before;
}

bool SlotStore::insert_mixed(std::uint64_t x, std::uint64_t mark) {
  std::uint64_t slot = home(x);
  std::uint64_t wanted = tag(x, slot);
  bool too_far = false;
  for (;; ++slot, ++wanted) {
    const std::uint64_t entry = load(slot);
    if (entry >> 1 == wanted) return false;
    if (((entry >> 1) & _shape.distance_mask) < (wanted & _shape.distance_mask)) break;
    if ((wanted & _shape.distance_mask) == _shape.distance_mask) {
      too_far = true;
      break;
    }
  }
  if (too_far || !has_room_from(slot)) {
    grow();
    return insert_mixed(x, mark);
  }
  push_in(slot, wanted << 1 | mark);
  ++_size;
  return true;
}

/// Whether the entries from `slot` up to the next hole can all move up by one slot, and the new one fits.
bool SlotStore::has_room_from(std::uint64_t slot) const {
  const std::uint64_t limit = _shape.slots + max_distance - 1;
  for (; slot < limit; ++slot) {
    const std::uint64_t entry = load(slot);
    if (entry == 0) return true;
    if (((entry >> 1) & _shape.distance_mask) == _shape.distance_mask) return false;
  }
  return false;
}

void SlotStore::push_in(std::uint64_t slot, std::uint64_t entry) {
  while (true) {
    if ((entry & 1) != 0) _dirty.set(slot >> block_shift);
    const std::uint64_t displaced = load(slot);
    store(slot, entry);
    if (displaced == 0) return;
    entry = displaced + 2;  // one further from home
    ++slot;
  }
}

std::optional<std::uint64_t> SlotStore::find(std::uint64_t key) const {
  const std::uint64_t x = mix(key);
  std::uint64_t slot = home(x);
  for (std::uint64_t wanted = tag(x, slot);; ++slot, ++wanted) {
    const std::uint64_t entry = load(slot);
    if (entry >> 1 == wanted) return slot;
    if (((entry >> 1) & _shape.distance_mask) < (wanted & _shape.distance_mask)) return std::nullopt;
    if ((wanted & _shape.distance_mask) == _shape.distance_mask) return std::nullopt;
  }
}

std::size_t SlotStore::take_marked(std::span<std::uint64_t> out) {
  std::size_t taken = 0;
  while (taken < out.size()) {
    std::size_t block = _dirty.next(_cursor);
    if (block == MarkedBits::none) block = _dirty.next(0);
    if (block == MarkedBits::none) break;
    _cursor = block;
    const std::uint64_t end = std::min(((block + 1) << block_shift), capacity());
    std::uint64_t slot = block << block_shift;
    for (; slot < end && taken < out.size(); ++slot) {
      const std::uint64_t entry = load(slot);
      if ((entry & 1) == 0) continue;
      out[taken++] = unmix(mixed(slot, entry));
      store(slot, entry ^ 1);
    }
    if (slot == end) _dirty.clear(block);
  }
  return taken;
}

void SlotStore::unmark_all() {
  for (std::uint64_t slot = 0; slot < capacity(); ++slot) store(slot, load(slot) & ~std::uint64_t{1});
  _dirty.reset((capacity() >> block_shift) + 1);
}

void SlotStore::mark(std::uint64_t slot) {
  store(slot, load(slot) | 1);
  _dirty.set(slot >> block_shift);
}

// Every key's home moves from slot h to about h * slots' / slots. Chunks are taken out from the end of
// the table and inserted anew; a key of the chunk [begin, end) goes to an address that is at least 1.1
// times its old home's, which is above begin as long as begin is at least 11 longest distances: no key
// that still waits below is overwritten. The lowest chunk is taken out whole.
void SlotStore::grow() {
  const Shape old = _shape;
  const std::uint64_t mantissa = old.mantissa == 4 ? 6 : 4;
  const unsigned exponent = old.mantissa == 4 ? _exponent : _exponent + 1;
  Shape next = shape_for(mantissa, exponent, 0);
  if (next.slots * next.entry_bytes * 10 < old.slots * old.entry_bytes * 11)
    next = shape_for(mantissa, exponent, old.entry_bytes);  // narrower entries wait for the next time
  _table.ensure((next.slots + max_distance) * next.entry_bytes + 8);
  _shape = next;
  _exponent = exponent;
  _size_limit = _shape.slots - _shape.slots / 7;
  _cursor = 0;
  _size = 0;
  _dirty.reset((capacity() >> block_shift) + 1);
  std::uint64_t end = old.slots + max_distance;
  while (end > 0) {
    const std::uint64_t begin = end > 2 * growth_chunk ? end - growth_chunk : 0;
    move_chunk(old, begin, end);
    end = begin;
  }
}

void SlotStore::move_chunk(const Shape& old, std::uint64_t begin, std::uint64_t end) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;  // (mixed key, mark)
  entries.reserve(end - begin);
  std::byte* const bytes = _table.data();
  for (std::uint64_t slot = begin; slot < end; ++slot) {
    const std::uint64_t entry = load(bytes + slot * old.entry_bytes, old.entry_mask);
    if (entry != 0) entries.emplace_back(mixed(old, slot, entry), entry & 1);
  }
  std::memset(bytes + begin * old.entry_bytes, 0, (end - begin) * old.entry_bytes);
  for (const auto& [x, mark] : entries) {
    const std::uint64_t slot = home(x);
    if (!has_room_from(slot)) throw std::logic_error("a grown table has no room for its own keys");
    insert_mixed(x, mark);
  }
}

}  // namespace dcheck
