#pragma once
// The packed store for narrow keys (one stored word): an open-addressing table whose slots keep only
// what the position does not say (Cleary's quotienting), and one mark per key.
//
// A key is mixed by a bijection x on its bits. The home slot is the upper bits of x, so it is monotone
// in x; a slot holds the lower bits of x, the distance from home and the mark, in as few bytes as they
// need. Robin Hood order keeps distances short; the table is at most thirteen sixteenths full.
//
// Growth doubles the slots in place: monotone homes move in one direction only, so the keys are moved
// chunk by chunk inside the one table that there is. Keys may move on any insertion: a slot names a key
// only while nothing is inserted.
//
// Keys may come in any order, that of another store's slots too. All keys of such a sequence so far lie in one part of
// the table, which then is full long before the table is, and after it has doubled still may be: so whoever knows
// how many keys will come says so first (reserve()).
//
// Marks are the worklist that needs no memory: take_marked() finds marked keys in table order and unmarks
// them.

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/marked_bits.hpp"
#include "dcheck/base/page_array.hpp"

namespace dcheck {

class SlotStore {
  static constexpr std::uint64_t factor_a = 0xD6E8FEB86659FD93U, factor_b = 0x9E3779B97F4A7C15U;

 public:
  /// Keys are numbers below 2^key_bits, key_bits <= 64.
  explicit SlotStore(unsigned key_bits, MemoryBudget* budget = nullptr);

  /// Prepares keys for the table as it is now: a small value for hot loops, valid until an insertion.
  class Preparer {
   public:
    /// The key in the store's own form: mixed, so that its upper bits are its home.
    std::uint64_t prepared(std::uint64_t key) const {
      key ^= key >> _fold;
      key = (key * factor_a) & _mask;
      key ^= key >> _fold;
      return (key * factor_b) & _mask;
    }
    /// Starts to fetch the slots of a prepared key from memory. Work done between this and the call
    /// that uses them hides the cache miss.
    void fetch(std::uint64_t prepared_key) const {
      const std::byte* at = _table + (prepared_key >> _shift) * _entry_bytes;
      __builtin_prefetch(at, 1);
      __builtin_prefetch(at + 4 * _entry_bytes, 1);
    }

   private:
    friend class SlotStore;
    explicit Preparer(const SlotStore& store)
        : _table(store._table.data()),
          _entry_bytes(store._geometry.entry_bytes),
          _mask(store._key_mask),
          _fold(store._fold),
          _shift(store._geometry.shift) {}
    const std::byte* _table;
    std::size_t _entry_bytes;
    std::uint64_t _mask;
    unsigned _fold, _shift;
  };
  Preparer preparer() const { return Preparer(*this); }
  std::uint64_t key_of(std::uint64_t prepared_key) const { return unmix(prepared_key); }
  /// Inserts prepared keys, unmarked; writes those that were new to `fresh`, which has room for all, and
  /// returns how many.
  std::size_t insert_prepared(std::span<const std::uint64_t> keys, std::uint64_t* fresh);
  /// Marks prepared keys that are in the store.
  void mark_prepared(std::span<const std::uint64_t> keys);

  /// Makes room for so many keys in all, where there is none: they then need no growth on the way, in whatever order
  /// they come.
  void reserve(std::uint64_t keys);

  /// Inserts keys and marks the new ones; returns how many were new.
  std::size_t insert(std::span<const std::uint64_t> keys);

  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// The slot of a key; valid until the next insertion.
  std::optional<std::uint64_t> find(std::uint64_t key) const {
    const std::uint64_t slot = find_prepared(preparer().prepared(key));
    return slot == none ? std::nullopt : std::optional(slot);
  }
  /// Writes the slots of prepared keys, `none` where a key is not there.
  void find_prepared(std::span<const std::uint64_t> keys, std::uint64_t* slots) const;
  /// The key in a slot that holds one.
  std::uint64_t key_at(std::uint64_t slot) const { return unmix(mixed(slot, load(slot))); }

  /// Takes up to out.size() marked keys and unmarks them; returns how many.
  std::size_t take_marked(std::span<std::uint64_t> out);

  /// visit(slot, key, is_marked) for every key, in slot order; or for about one in `share`, any of them.
  template <typename Visit>
  void for_each(Visit&& visit, std::uint64_t share = 1) const {
    for (std::uint64_t slot = 0; slot < (_geometry.slots + max_distance + share - 1) / share; ++slot) {
      const std::uint64_t entry = load(slot);
      if (entry != 0) visit(slot, unmix(mixed(slot, entry)), (entry & 1) != 0);
    }
  }

  /// Forgets the keys for which keep(key, is_marked) is false, in one pass. The others keep their marks.
  template <typename Keep>
  void keep_if(Keep&& keep) {
    std::uint64_t next_free = 0;
    for (std::uint64_t slot = 0; slot < capacity(); ++slot) {
      const std::uint64_t entry = load(slot);
      if (entry == 0) continue;
      const std::uint64_t x = mixed(slot, entry);
      store(slot, 0);
      if (!keep(unmix(x), (entry & 1) != 0)) {
        --_size;
        continue;
      }
      // Homes are monotone, so keys only move back, and never over one that was not visited yet.
      const std::uint64_t to = std::max(home(x), next_free);
      store(to, (tag(x) + (to - home(x))) << 1 | (entry & 1));
      if ((entry & 1) != 0) _dirty.set(to >> block_shift);
      next_free = to + 1;
    }
  }

  std::uint64_t size() const { return _size; }
  /// Whether the next keys but few will double the table, and what that would take from the system.
  bool is_nearly_full() const { return _size >= _size_limit / 16 * 15; }
  std::size_t growth_bytes() const;
  /// Slots are below this.
  std::uint64_t capacity() const { return _geometry.slots + max_distance; }
  std::size_t bytes() const { return _table.usable() + _dirty.bytes(); }

 private:
  static constexpr std::uint64_t max_distance = 256;  // slots after the last home
  static constexpr unsigned block_shift = 6;          // 64 slots share one bit of `_dirty`

  /// Everything that follows from the number of slots.
  struct Geometry {
    std::uint64_t slots = 0;
    unsigned shift = 0;  // lower bits of x: they are stored
    unsigned distance_bits = 0;
    std::uint64_t distance_mask = 0;
    std::size_t entry_bytes = 0;
  };
  Geometry geometry_for(unsigned log_slots, std::size_t least_entry_bytes) const;
  void take_geometry(const Geometry& geometry);

  std::uint64_t unmix(std::uint64_t x) const {
    x = (x * _inverse_b) & _key_mask;
    x ^= x >> _fold;
    x = (x * _inverse_a) & _key_mask;
    return x ^ (x >> _fold);
  }

  std::uint64_t home(std::uint64_t x) const { return x >> _geometry.shift; }
  /// The entry's upper part when it stands in its home slot; one more for each slot further on.
  std::uint64_t tag(std::uint64_t x) const { return ((x & low_bits(_geometry.shift)) << _geometry.distance_bits) + 1; }
  static std::uint64_t mixed(const Geometry& geometry, std::uint64_t slot, std::uint64_t entry) {
    const std::uint64_t distance = ((entry >> 1) & geometry.distance_mask) - 1;
    return ((slot - distance) << geometry.shift) | (entry >> (geometry.distance_bits + 1));
  }
  std::uint64_t mixed(std::uint64_t slot, std::uint64_t entry) const { return mixed(_geometry, slot, entry); }

  const std::byte* address(std::uint64_t slot) const { return _table.data() + slot * _geometry.entry_bytes; }
  std::uint64_t load(std::uint64_t slot) const { return load_entry(address(slot), _geometry.entry_bytes); }
  void store(std::uint64_t slot, std::uint64_t entry) {
    std::memcpy(_table.data() + slot * _geometry.entry_bytes, &entry, _geometry.entry_bytes);
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
  bool is_near(const std::byte* home, std::uint64_t tag) const;
  template <std::size_t N>
  std::size_t insert_batch(std::span<const std::uint64_t> keys, std::uint64_t*& fresh);
  template <std::size_t N>
  std::size_t take_batch(std::span<std::uint64_t> out);
  template <std::size_t N>
  void fill();
  std::uint64_t find_prepared(std::uint64_t x) const {
    std::uint64_t slot = none;
    find_prepared(std::span(&x, 1), &slot);
    return slot;
  }
  template <std::size_t N>
  std::uint64_t find_mixed(std::uint64_t x) const;
  void grow();
  void double_slots();
  void move_chunk(const Geometry& old, std::uint64_t begin, std::uint64_t end);
  std::uint64_t last_of_block(std::size_t block) const { return std::min((block + 1) << block_shift, capacity()); }

  unsigned _key_bits, _fold;
  unsigned _log_slots = 0;
  std::uint64_t _key_mask, _inverse_a, _inverse_b;
  Geometry _geometry;
  PageArray _table;
  MarkedBits _dirty;  // blocks that may hold a marked key
  std::uint64_t _size = 0, _size_limit = 0, _cursor = 0;

  // During growth: keys on their way, those that found no room, the slot after the last one written, where filled
  // slots begin.
  struct Moving {
    std::uint64_t home, x, mark;
  };
  std::vector<Moving> _moving, _homeless;
  std::uint64_t _next_free = 0, _first_filled = 0;
  bool _filled_from_above = false;
};

}  // namespace dcheck
