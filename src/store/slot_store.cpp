#include "dcheck/store/slot_store.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace dcheck {

namespace {

constexpr unsigned least_key_bits = 16;
constexpr unsigned first_log_slots = 12;
constexpr unsigned least_distance_bits = 5;
constexpr std::uint64_t growth_chunk = 8192;  // larger than 11 times the longest distance, see grow()
constexpr std::size_t lookahead = 64;

/// value(lane) in each of `lanes` lanes of `bytes` bytes.
template <typename Value>
constexpr std::uint64_t spread(std::size_t bytes, std::size_t lanes, Value value) {
  std::uint64_t word = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) word |= value(lane) << (8 * bytes * lane);
  return word;
}

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
      _log_slots(first_log_slots),
      _key_mask(low_bits(_key_bits)),
      _inverse_a(inverse(factor_a)),
      _inverse_b(inverse(factor_b)),
      _table(budget) {
  take_geometry(geometry_for(first_log_slots, 0));
}

SlotStore::Geometry SlotStore::geometry_for(unsigned log_slots, std::size_t least_entry_bytes) const {
  Geometry geometry;
  geometry.slots = std::uint64_t{1} << log_slots;
  geometry.shift = _key_bits - log_slots;
  const unsigned needed = geometry.shift + least_distance_bits + 1;
  geometry.entry_bytes = std::max<std::size_t>((needed + 7) / 8, least_entry_bytes);
  geometry.distance_bits = std::min(8U, static_cast<unsigned>(geometry.entry_bytes * 8) - geometry.shift - 1);
  geometry.distance_mask = low_bits(geometry.distance_bits);
  return geometry;
}

void SlotStore::take_geometry(const Geometry& geometry) {
  _table.ensure((geometry.slots + max_distance) * geometry.entry_bytes + 8);
  _geometry = geometry;
  // With a slot for every possible key, each stands at home and there is always room.
  _size_limit = geometry.shift == 0 ? ~std::uint64_t{0} : geometry.slots / 16 * 13;
  _dirty.reset((capacity() >> block_shift) + 1);
}

template <typename F>
decltype(auto) SlotStore::with_entry_bytes(F&& f) const {
  switch (_geometry.entry_bytes) {
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
  std::array<std::uint64_t, lookahead> some;
  std::array<std::uint64_t, lookahead> fresh;
  const std::uint64_t before = _size;
  while (!keys.empty()) {
    const std::size_t count = std::min(keys.size(), lookahead);
    const Preparer prepare = preparer();
    for (std::size_t i = 0; i < count; ++i) {
      some[i] = prepare.prepared(keys[i]);
      prepare.fetch(some[i]);
    }
    mark_prepared(std::span(fresh).first(insert_prepared(std::span(some).first(count), fresh.data())));
    keys = keys.subspan(count);
  }
  return _size - before;
}

std::size_t SlotStore::insert_prepared(std::span<const std::uint64_t> keys, std::uint64_t* fresh) {
  const std::uint64_t* const begin = fresh;
  while (!keys.empty()) {
    if (_size + keys.size() > _size_limit) grow();
    const std::size_t done = with_entry_bytes([&]<std::size_t N>() { return insert_batch<N>(keys, fresh); });
    if (done < keys.size()) grow();
    keys = keys.subspan(done);
  }
  return static_cast<std::size_t>(fresh - begin);
}

void SlotStore::mark_prepared(std::span<const std::uint64_t> keys) {
  for (const std::uint64_t x : keys) {
    const std::uint64_t slot = find_prepared(x);
    _table.data()[slot * _geometry.entry_bytes] |= std::byte{1};
    _dirty.set(slot >> block_shift);
  }
}

/// Whether the key with this tag stands at home or in one of the next slots, at least three; no
/// branches. As many entries as fit into a word are compared at once: a lane of N bytes is zero where
/// the entry is the wanted one.
template <std::size_t N>
bool SlotStore::is_near(const std::byte* home, std::uint64_t tag) const {
  constexpr std::size_t lanes = 8 / N;
  constexpr std::uint64_t ones = spread(N, lanes, [](std::uint64_t) { return std::uint64_t{1}; });
  constexpr std::uint64_t count = spread(N, lanes, [](std::uint64_t lane) { return lane; });
  constexpr std::uint64_t used = N * lanes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * N * lanes % 64)) - 1;
  std::uint64_t found = 0;
  for (std::size_t first = 0; first < 4; first += lanes) {
    std::uint64_t entries = 0;
    std::memcpy(&entries, home + first * N, 8);
    const std::uint64_t wanted = ((tag + first) * ones + count) << 1;
    const std::uint64_t difference = (entries ^ wanted) & used & ~ones;  // marks do not count
    found |= (difference - ones) & ~difference & (ones << (8 * N - 1));
  }
  return found != 0;
}

/// Inserts keys until one finds no room; returns how many were done.
template <std::size_t N>
std::size_t SlotStore::insert_batch(std::span<const std::uint64_t> keys, std::uint64_t*& fresh) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t slot = home(keys[i]);
    const std::uint64_t first_tag = tag(keys[i]);
    if (is_near<N>(_table.data() + slot * N, first_tag)) continue;  // most keys are known
    const Outcome outcome = insert_mixed<N>(slot, first_tag, 0);
    if (outcome == Outcome::no_room) return i;
    if (outcome == Outcome::added) *fresh++ = keys[i];
  }
  return keys.size();
}

/// `wanted` is the tag at home, in slot `slot`.
template <std::size_t N>
SlotStore::Outcome SlotStore::insert_mixed(std::uint64_t slot, std::uint64_t wanted, std::uint64_t mark) {
  for (;; ++slot, ++wanted) {
    const std::uint64_t entry = load_entry(_table.data() + slot * N, N);
    if (entry >> 1 == wanted) return Outcome::known;
    if (((entry >> 1) & _geometry.distance_mask) < (wanted & _geometry.distance_mask)) break;
    if ((wanted & _geometry.distance_mask) == _geometry.distance_mask) return Outcome::no_room;
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
  for (const std::uint64_t limit = _geometry.slots + max_distance - 1;; ++hole) {
    const std::uint64_t at = load_entry(table + hole * N, N);
    if (at == 0) break;
    if (hole == limit || ((at >> 1) & _geometry.distance_mask) == _geometry.distance_mask) return false;
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

template <std::size_t N>
std::uint64_t SlotStore::find_mixed(std::uint64_t x) const {
  std::uint64_t slot = home(x);
  for (std::uint64_t wanted = tag(x);; ++slot, ++wanted) {
    const std::uint64_t entry = load_entry(_table.data() + slot * N, N);
    if (entry >> 1 == wanted) return slot;
    if (((entry >> 1) & _geometry.distance_mask) < (wanted & _geometry.distance_mask)) return none;
    if ((wanted & _geometry.distance_mask) == _geometry.distance_mask) return none;
  }
}

void SlotStore::find_prepared(std::span<const std::uint64_t> keys, std::uint64_t* slots) const {
  with_entry_bytes([&]<std::size_t N>() {
    for (const std::uint64_t x : keys) *slots++ = find_mixed<N>(x);
  });
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

std::size_t SlotStore::growth_bytes() const {
  const Geometry next = geometry_for(_log_slots + 1, 0);
  const std::size_t bytes = (next.slots + max_distance) * next.entry_bytes;
  return bytes - std::min(bytes, _table.usable());
}

void SlotStore::reserve(std::uint64_t keys) {
  while (keys > _size_limit) grow();
}

/// Doubles the slots, and again where some part of the table is still too full: see reserve().
void SlotStore::grow() {
  double_slots();
  while (!_homeless.empty()) {
    double_slots();
    for (const Moving& key : std::exchange(_homeless, {})) {
      const Outcome outcome =
          with_entry_bytes([&]<std::size_t N>() { return insert_mixed<N>(home(key.x), tag(key.x), key.mark); });
      if (outcome == Outcome::no_room) _homeless.push_back(key);
    }
  }
}

// Every key's home doubles. Where addresses grow, chunks are taken out from the end of the table to its
// beginning: a key of the chunk [begin, end) goes to at least 1.1 times its old home's address, which is
// above `begin` as long as that is at least 11 longest distances; the lowest chunk is taken out whole.
// Where addresses shrink (narrower entries), chunks go from the beginning to the end. Either way no key
// that still waits is overwritten.
void SlotStore::double_slots() {
  const Geometry old = _geometry;
  Geometry next = geometry_for(_log_slots + 1, 0);
  const std::uint64_t old_bytes = old.slots * old.entry_bytes;
  bool upwards = next.slots * next.entry_bytes * 10 >= old_bytes * 11;
  const bool downwards = next.slots * next.entry_bytes * 10 <= old_bytes * 9;
  if (!upwards && !downwards) {
    next = geometry_for(_log_slots + 1, old.entry_bytes);  // narrower entries wait for the next time
    upwards = true;
  }
  take_geometry(next);
  ++_log_slots;
  _cursor = 0;
  _size = 0;
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

void SlotStore::move_chunk(const Geometry& old, std::uint64_t begin, std::uint64_t end) {
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
    const std::uint64_t first_tag = tag(key.x);
    if (slot < _first_filled && distance < _geometry.distance_mask) {
      const std::uint64_t entry = (first_tag + distance) << 1 | key.mark;
      std::memcpy(_table.data() + slot * N, &entry, N);
      if (key.mark != 0) _dirty.set(slot >> block_shift);
      ++_size;
    } else if (insert_mixed<N>(key.home, first_tag, key.mark) == Outcome::no_room) {
      _homeless.push_back(key);
      continue;
    }
    _next_free = slot + 1;
  }
  if (_filled_from_above && !_moving.empty()) _first_filled = std::min(_first_filled, _moving.front().home);
}

}  // namespace dcheck
