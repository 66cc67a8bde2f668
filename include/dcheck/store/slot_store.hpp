#pragma once
// The packed store for narrow keys (one stored word): an open-addressing table whose slots keep only
// what the position does not say (Cleary's quotienting), and one mark a key.
//
// A key is mixed by a bijection x on its bits. The home slot is floor(x * slots / 2^bits), monotone in
// x; a slot holds the remainder of x within its home, the distance from home and the mark, in as few
// bytes as they need. Robin Hood order keeps distances short; the table is at most three quarters full.
//
// Growth happens in place, from the end of the table to its beginning: monotone homes only move up.
// There is never a second table. Keys may move on any insertion: a slot names a key only while nothing
// is inserted.
//
// Marks are the worklist: insert() marks new keys, take_marked() finds marked ones in table order and
// unmarks them. No list of open keys is kept.

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/page_array.hpp"
#include "dcheck/store/marked_bits.hpp"

namespace dcheck {

class SlotStore {
 public:
  /// Keys are numbers below 2^key_bits, key_bits <= 64.
  explicit SlotStore(unsigned key_bits, MemoryBudget* budget = nullptr);

  /// Inserts all keys and marks the new ones; returns how many were new. Cost: about one cache miss a
  /// key, overlapped across the batch.
  std::size_t insert(std::span<const std::uint64_t> keys);

  /// The slot of a key; valid until the next insertion.
  std::optional<std::uint64_t> find(std::uint64_t key) const;

  /// Takes up to out.size() marked keys and unmarks them; returns how many.
  std::size_t take_marked(std::span<std::uint64_t> out);

  /// visit(slot, key, is_marked) for every key, in slot order.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t slot = 0; slot < _shape.slots + max_distance; ++slot) {
      const std::uint64_t entry = load(slot);
      if (entry != 0) visit(slot, unmix(mixed(slot, entry)), (entry & 1) != 0);
    }
  }

  void unmark_all();
  void mark(std::uint64_t slot);

  std::uint64_t size() const { return _size; }
  /// Slots are below this.
  std::uint64_t capacity() const { return _shape.slots + max_distance; }
  std::size_t bytes() const { return _table.usable() + _dirty.bytes(); }
  std::size_t entry_bytes() const { return _shape.entry_bytes; }

 private:
  static constexpr std::uint64_t max_distance = 256;
  static constexpr unsigned block_shift = 6;  // 64 slots share one bit of `_dirty`

  /// Everything that follows from the number of slots, mantissa << exponent.
  struct Shape {
    std::uint64_t mantissa = 4, slots = 0, reciprocal = 0;
    std::uint64_t parts[8] = {};  // first x of home r of each run of `mantissa` homes
    unsigned run_shift = 0;       // 2^run_shift values of x share a run
    unsigned distance_bits = 0;
    std::size_t entry_bytes = 0;
    std::uint64_t distance_mask = 0;
  };
  Shape shape_for(std::uint64_t mantissa, unsigned exponent, std::size_t least_entry_bytes) const;

  std::uint64_t mix(std::uint64_t key) const {
    key ^= key >> _fold;
    key = (key * factor_a) & _key_mask;
    key ^= key >> _fold;
    return (key * factor_b) & _key_mask;
  }
  std::uint64_t unmix(std::uint64_t x) const {
    x = (x * _inverse_b) & _key_mask;
    x ^= x >> _fold;
    x = (x * _inverse_a) & _key_mask;
    return x ^ (x >> _fold);
  }

  std::uint64_t home(std::uint64_t x) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(x << (64 - _key_bits)) * _shape.slots) >> 64);
  }
  static std::uint64_t first_of(const Shape& shape, std::uint64_t home) {
    const auto run = static_cast<std::uint64_t>((static_cast<unsigned __int128>(home) * shape.reciprocal) >> 64);
    return (run << shape.run_shift) + shape.parts[home - run * shape.mantissa];
  }
  /// The entry's upper part when it stands in its home slot; one more for each slot further on.
  std::uint64_t tag(std::uint64_t x, std::uint64_t home_slot) const {
    return ((x - first_of(_shape, home_slot)) << _shape.distance_bits) + 1;
  }
  static std::uint64_t mixed(const Shape& shape, std::uint64_t slot, std::uint64_t entry) {
    const std::uint64_t distance = ((entry >> 1) & shape.distance_mask) - 1;
    return first_of(shape, slot - distance) + (entry >> (shape.distance_bits + 1));
  }
  std::uint64_t mixed(std::uint64_t slot, std::uint64_t entry) const { return mixed(_shape, slot, entry); }

  const std::byte* address(std::uint64_t slot) const { return _table.data() + slot * _shape.entry_bytes; }
  std::uint64_t load(std::uint64_t slot) const { return load_entry(address(slot), _shape.entry_bytes); }
  void store(std::uint64_t slot, std::uint64_t entry) {
    std::memcpy(_table.data() + slot * _shape.entry_bytes, &entry, _shape.entry_bytes);
  }
  static std::uint64_t load_entry(const std::byte* at, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, bytes);
    return word;
  }

  // Hot paths know the entry's bytes at compile time: N. They read and write exactly N bytes where an
  // entry was just written, since a read across two recent writes waits for both.
  /// Calls f.template operator()<N>() with N = entry bytes.
  template <typename F>
  decltype(auto) with_entry_bytes(F&& f) const;

  enum class Outcome : std::uint8_t { known, added, no_room };
  template <std::size_t N>
  Outcome insert_mixed(std::uint64_t slot, std::uint64_t wanted, std::uint64_t mark);
  template <std::size_t N>
  bool push_in(std::uint64_t slot, std::uint64_t entry);
  template <std::size_t N>
  std::size_t insert_batch(std::span<const std::uint64_t> keys);
  template <std::size_t N>
  std::size_t take_batch(std::span<std::uint64_t> out);
  template <std::size_t N>
  void fill();
  void grow();
  void move_chunk(const Shape& old, std::uint64_t begin, std::uint64_t end);
  std::uint64_t last_of_block(std::size_t block) const { return std::min((block + 1) << block_shift, capacity()); }

  static constexpr std::uint64_t factor_a = 0xD6E8FEB86659FD93U, factor_b = 0x9E3779B97F4A7C15U;

  unsigned _key_bits, _fold;
  unsigned _exponent = 0;
  std::uint64_t _key_mask, _inverse_a, _inverse_b;
  Shape _shape;
  PageArray _table;
  MarkedBits _dirty;  // blocks that may hold a marked key
  std::uint64_t _size = 0, _size_limit = 0, _cursor = 0;

  // During growth: keys on their way, the slot after the last one written, where filled slots begin.
  struct Moving {
    std::uint64_t home, x, mark;
  };
  std::vector<Moving> _moving;
  std::uint64_t _next_free = 0, _first_filled = 0;
  bool _filled_from_above = false;
};

}  // namespace dcheck
