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
constexpr unsigned least_distance_bits = 5;
constexpr std::uint64_t growth_chunk = 8192;  // larger than 11 times the longest distance, see grow()
constexpr std::size_t lookahead = 32;

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t guess = odd;
  for (int i = 0; i < 6; ++i) guess *= 2 - odd * guess;
  return guess;
}

}  // namespace

SlotStore::SlotStore(unsigned key_bits, MemoryBudget* budget)
    : _key_bits(std::max(key_bits, least_key_bits)),
      _fold((_key_bits + 1) / 2),
      _exponent(first_exponent),
      _key_mask(low_bits(_key_bits)),
      _inverse_a(inverse(factor_a)),
      _inverse_b(inverse(factor_b)),
      _table(budget) {
  _shape = shape_for(4, first_exponent, 0);
  _table.ensure((_shape.slots + max_distance) * _shape.entry_bytes + 8);
  _dirty.reset(((_shape.slots + max_distance) >> block_shift) + 1);
  _size_limit = _shape.slots / 4 * 3;
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
  shape.entry_bytes = std::max<std::size_t>((remainder_bits + least_distance_bits + 1 + 7) / 8, least_entry_bytes);
  shape.distance_bits = std::min(8U, static_cast<unsigned>(shape.entry_bytes * 8) - remainder_bits - 1);
  shape.distance_mask = low_bits(shape.distance_bits);
  return shape;
}

template <typename F>
decltype(auto) SlotStore::with_entry_bytes(F&& f) const {
  switch (_shape.entry_bytes) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    case 6:
      return f.template operator()<6>();
    case 7:
      return f.template operator()<7>();
    default:
      return f.template operator()<8>();
  }
}

std::size_t SlotStore::insert(std::span<const std::uint64_t> keys) {
  const std::uint64_t before = _size;
  while (!keys.empty()) {
    const std::size_t count = std::min(keys.size(), lookahead);
    while (_size + count > _size_limit) grow();
    const std::size_t done = with_entry_bytes([&]<std::size_t N>() { return insert_batch<N>(keys.first(count)); });
    if (done < count) grow();
    keys = keys.subspan(done);
  }
  return _size - before;
}

/// Inserts keys until one finds no room; returns how many were done.
template <std::size_t N>
std::size_t SlotStore::insert_batch(std::span<const std::uint64_t> keys) {
  std::array<std::uint64_t, lookahead> slots;
  std::array<std::uint64_t, lookahead> tags;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t x = mix(keys[i]);
    slots[i] = home(x);
    const std::byte* at = _table.data() + slots[i] * N;
    __builtin_prefetch(at, 1);
    __builtin_prefetch(at + 4 * N, 1);
    tags[i] = tag(x, slots[i]);
  }
  constexpr std::uint64_t mask = N == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * N % 64)) - 1;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    // Most keys are known and close to home: look at four slots without a branch first.
    const std::byte* at = _table.data() + slots[i] * N;
    bool known = false;
    for (std::uint64_t d = 0; d < 4; ++d) {
      std::uint64_t word = 0;
      std::memcpy(&word, at + d * N, 8);
      known |= (word & mask) >> 1 == tags[i] + d;
    }
    if (known) continue;
    if (insert_mixed<N>(slots[i], tags[i], 1) == Outcome::no_room) return i;
  }
  return keys.size();
}

/// `wanted` is the tag at home, in slot `slot`.
template <std::size_t N>
SlotStore::Outcome SlotStore::insert_mixed(std::uint64_t slot, std::uint64_t wanted, std::uint64_t mark) {
  for (;; ++slot, ++wanted) {
    const std::uint64_t entry = load_entry(_table.data() + slot * N, N);
    if (entry >> 1 == wanted) return Outcome::known;
    if (((entry >> 1) & _shape.distance_mask) < (wanted & _shape.distance_mask)) break;
    if ((wanted & _shape.distance_mask) == _shape.distance_mask) return Outcome::no_room;
  }
  if (!push_in<N>(slot, wanted << 1 | mark)) return Outcome::no_room;
  ++_size;
  return Outcome::added;
}

/// Puts the entry into the slot; the entries from there to the next hole move up by one. False, and
/// nothing happens, where one of them is as far from home as it may be.
template <std::size_t N>
bool SlotStore::push_in(std::uint64_t slot, std::uint64_t entry) {
  std::byte* const table = _table.data();
  std::uint64_t hole = slot;
  for (const std::uint64_t limit = _shape.slots + max_distance - 1;; ++hole) {
    const std::uint64_t at = load_entry(table + hole * N, N);
    if (at == 0) break;
    if (hole == limit || ((at >> 1) & _shape.distance_mask) == _shape.distance_mask) return false;
  }
  for (; hole > slot; --hole) {
    const std::uint64_t moved = load_entry(table + (hole - 1) * N, N) + 2;  // one further from home
    std::memcpy(table + hole * N, &moved, N);
    if ((moved & 1) != 0) _dirty.set(hole >> block_shift);
  }
  std::memcpy(table + slot * N, &entry, N);
  if ((entry & 1) != 0) _dirty.set(slot >> block_shift);
  return true;
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
  return with_entry_bytes([&]<std::size_t N>() { return take_batch<N>(out); });
}

template <std::size_t N>
std::size_t SlotStore::take_batch(std::span<std::uint64_t> out) {
  std::size_t taken = 0;
  while (taken < out.size()) {
    std::size_t block = _dirty.next(_cursor);
    if (block == MarkedBits::none) block = _dirty.next(0);
    if (block == MarkedBits::none) break;
    _cursor = block;
    const std::uint64_t end = last_of_block(block);
    std::uint64_t slot = block << block_shift;
    for (; slot < end && taken < out.size(); ++slot) {
      std::byte* at = _table.data() + slot * N;
      if ((std::to_integer<unsigned>(*at) & 1) == 0) continue;
      const std::uint64_t entry = load_entry(at, N);
      out[taken++] = unmix(mixed(slot, entry));
      *at ^= std::byte{1};
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

// Every key's home moves from slot h to about h * slots' / slots, monotonically. Where addresses grow,
// chunks are taken out from the end of the table to its beginning: a key of the chunk [begin, end) goes
// to at least 1.1 times its old home's address, which is above `begin` as long as that is at least 11
// longest distances; the lowest chunk is taken out whole. Where addresses shrink (narrower entries),
// chunks go from the beginning to the end. Either way no key that still waits is overwritten.
void SlotStore::grow() {
  const Shape old = _shape;
  const std::uint64_t mantissa = old.mantissa == 4 ? 6 : 4;
  const unsigned exponent = old.mantissa == 4 ? _exponent : _exponent + 1;
  Shape next = shape_for(mantissa, exponent, 0);
  const std::uint64_t old_bytes = old.slots * old.entry_bytes;
  bool upwards = next.slots * next.entry_bytes * 10 >= old_bytes * 11;
  const bool downwards = next.slots * next.entry_bytes * 10 <= old_bytes * 9;
  if (!upwards && !downwards) {
    next = shape_for(mantissa, exponent, old.entry_bytes);  // narrower entries wait for the next time
    upwards = true;
  }
  _table.ensure((next.slots + max_distance) * next.entry_bytes + 8);
  _shape = next;
  _exponent = exponent;
  _size_limit = _shape.slots / 4 * 3;
  _cursor = 0;
  _size = 0;
  _dirty.reset((capacity() >> block_shift) + 1);
  const std::uint64_t old_end = old.slots + max_distance;
  _next_free = 0;
  _first_filled = capacity();
  _filled_from_above = upwards;
  // Chunks begin after a hole: keys that share an old home are in one chunk and get sorted together.
  const auto after_hole = [&](std::uint64_t slot) {
    while (slot < old_end && load_entry(_table.data() + (slot - 1) * old.entry_bytes, old.entry_bytes) != 0) ++slot;
    return slot;
  };
  if (upwards) {
    for (std::uint64_t end = old_end; end > 0;) {
      std::uint64_t begin = end > 2 * growth_chunk ? after_hole(end - growth_chunk) : 0;
      if (begin == end) begin = 0;
      move_chunk(old, begin, end);
      _next_free = 0;
      end = begin;
    }
  } else {
    for (std::uint64_t begin = 0; begin < old_end;) {
      const std::uint64_t end = begin + growth_chunk < old_end ? after_hole(begin + growth_chunk) : old_end;
      move_chunk(old, begin, end);
      begin = end;
    }
  }
}

void SlotStore::move_chunk(const Shape& old, std::uint64_t begin, std::uint64_t end) {
  _moving.clear();
  std::byte* const bytes = _table.data();
  const std::uint64_t mask = low_bits(static_cast<unsigned>(8 * old.entry_bytes));
  for (std::uint64_t slot = begin; slot < end; ++slot) {
    std::uint64_t entry = 0;
    std::memcpy(&entry, bytes + slot * old.entry_bytes, 8);
    entry &= mask;
    if (entry == 0) continue;
    const std::uint64_t x = mixed(old, slot, entry);
    const Moving moving{home(x), x, entry & 1};
    // Sorted by old home already; an insertion sort puts right those that shared one.
    std::size_t at = _moving.size();
    _moving.push_back(moving);
    for (; at > 0 && _moving[at - 1].home > moving.home; --at) _moving[at] = _moving[at - 1];
    _moving[at] = moving;
  }
  std::memset(bytes + begin * old.entry_bytes, 0, (end - begin) * old.entry_bytes);
  with_entry_bytes([&]<std::size_t N>() { fill<N>(); });
}

/// Writes the moving keys in ascending order, each at its home or right after the one before it; those
/// that would reach the keys of the chunk above are inserted the usual way.
template <std::size_t N>
void SlotStore::fill() {
  for (const Moving& key : _moving) {
    const std::uint64_t slot = std::max(_next_free, key.home);
    const std::uint64_t distance = slot - key.home;
    const std::uint64_t first_tag = tag(key.x, key.home);
    if (slot < _first_filled && distance < _shape.distance_mask) {
      const std::uint64_t entry = (first_tag + distance) << 1 | key.mark;
      std::memcpy(_table.data() + slot * N, &entry, N);
      if (key.mark != 0) _dirty.set(slot >> block_shift);
      ++_size;
    } else if (insert_mixed<N>(key.home, first_tag, key.mark) != Outcome::added) {
      throw std::logic_error("a grown table has no room for its own keys");
    }
    _next_free = slot + 1;
  }
  if (_filled_from_above && !_moving.empty()) _first_filled = std::min(_first_filled, _moving.front().home);
}

}  // namespace dcheck
