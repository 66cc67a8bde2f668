#pragma once
// Finds rows by a descriptor: some bits of a key's hash (paper two's compressed state descriptors, with very tight
// hashing). Many rows may have one descriptor; whoever asks compares their keys.
//
// An open-addressing table of entries of as many bits as they need now. Descriptors stand in ascending order: the home
// slot of x is x * slots / 2^bits, so it is monotone in x, and an entry holds only what its home does not say of x (the
// rest), how far it stands from home (0: a hole), and the row's number. Robin Hood order keeps distances short.
//
// Growth is by an eighth, in place and without the keys: homes only move up, so entries are moved chunk by chunk, the
// last ones first. There is never a second table.

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/page_array.hpp"

namespace dcheck {

class RowIndex {
 public:
  using Row = std::uint32_t;
  static constexpr Row none = ~Row{0};

  /// Descriptors are numbers below 2^descriptor_bits, 1 <= descriptor_bits <= 40.
  explicit RowIndex(unsigned descriptor_bits, MemoryBudget* budget = nullptr);

  /// Of a hash all of whose bits are mixed: its uppermost ones.
  std::uint64_t descriptor(std::uint64_t mixed_hash) const { return mixed_hash >> (64 - _descriptor_bits); }

  /// Starts to fetch what first() will look at.
  void prefetch(std::uint64_t descriptor) const {
    const std::byte* at = _table.data() + (_geometry.place(descriptor).home * _geometry.entry_bits >> 3);
    __builtin_prefetch(at);
    __builtin_prefetch(at + 32);
  }

  /// Goes through the rows with one descriptor, in no order that is promised. Valid until the next insertion.
  struct Candidates {
    std::uint64_t slot = 0;
    Row row = none;  // the one at hand; none: there is no other
  };
  Candidates first(std::uint64_t descriptor) const {
    const Position at = lower_bound(descriptor);
    const std::uint64_t entry = load(at.slot);
    return {at.slot, entry + _geometry.row_mask >= at.wanted ? row_of(entry) : none};
  }
  void advance(Candidates& at, std::uint64_t /*descriptor*/) const {
    // Equal descriptors stand next to each other, each one slot further from their home.
    const std::uint64_t expected = (load(at.slot) | _geometry.row_mask) + _geometry.one_slot;
    const std::uint64_t entry = load(++at.slot);
    at.row = (entry | _geometry.row_mask) == expected ? row_of(entry) : none;
  }

  /// Adds a row. Rows are below 2^32 - 1. May grow the table: throws ResourceError, and is as before, where memory
  /// ends.
  void insert(std::uint64_t descriptor, Row row);

  /// Whether the row was added under this descriptor.
  bool holds(std::uint64_t descriptor, Row row) const {
    Candidates at = first(descriptor);
    while (at.row != none && at.row != row) advance(at, descriptor);
    return at.row != none;
  }

  std::uint64_t size() const { return _size; }
  std::size_t bytes() const { return _table.usable(); }

 private:
  static constexpr unsigned most_entry_bits = 57;  // with up to 7 bits before it, an entry lies in 8 bytes
  static constexpr std::uint64_t looked_at = 4;    // slots, at once
  __extension__ using Wide = unsigned __int128;

  struct Place {
    std::uint64_t home, rest;
  };

  /// Everything that follows from the number of slots and the widths. An entry is, from its uppermost bit on:
  /// distance + 1, the complement of the rest, the row. So among the entries that can stand in one slot, those of
  /// smaller descriptors are larger numbers, and a hole is the smallest one.
  struct Geometry {
    std::uint64_t slots = 0;     // homes
    std::uint64_t capacity = 0;  // slots, more than the longest distance after the last home, and looked_at holes
    unsigned entry_bits = 0, row_bits = 0, distance_bits = 0;
    unsigned distance_shift = 0;
    std::uint64_t entry_mask = 0, row_mask = 0, rest_mask = 0;
    std::uint64_t one_slot = 0;              // one more in the distance
    unsigned align = 0;                      // moves a descriptor's bits to the upper end of a word
    std::uint64_t reciprocal = 0;            // 2^(64 + s) / slots, where 2^s < slots <= 2^(s+1)
    unsigned home_left = 0, home_right = 0;  // descriptor bits - s, or s - descriptor bits
    std::uint64_t rest_factor = 0;           // the reciprocal, or 0 where there is no rest
    unsigned rest_shift = 0;

    Place place(std::uint64_t x) const {
      const Wide product = static_cast<Wide>(x << align) * slots;
      // Those that share a home differ by multiples of `slots` in what is below it, and the first one has less.
      const auto below = static_cast<std::uint64_t>(product);
      const auto quotient = static_cast<std::uint64_t>(static_cast<Wide>(below) * rest_factor >> 64);
      return {static_cast<std::uint64_t>(product >> 64), quotient >> rest_shift};
    }
    /// The smallest descriptor with this home: home * 2^bits / slots, rounded up.
    std::uint64_t first_of_home(std::uint64_t home) const {
      // The quotient is too large by far less than 1: its integer part is what we look for, or one less.
      const auto product = static_cast<Wide>(home << home_left) * reciprocal;
      const std::uint64_t about = static_cast<std::uint64_t>(product >> 64) >> home_right;
      const std::uint64_t over = about * slots - (home << (64 - align));
      return about + (over >> 63);  // the difference is small, so this is its sign
    }
    std::uint64_t entry_at_home(std::uint64_t rest, std::uint64_t row) const {
      return one_slot | (rest_mask - rest) << row_bits | row;
    }
    std::uint64_t distance(std::uint64_t entry) const { return (entry >> distance_shift) - 1; }
    std::uint64_t most_distance() const { return low_bits(distance_bits) - 1; }
    /// A load from the last bit reads 8 bytes, and so does one of the word after it.
    std::size_t bytes() const { return capacity * entry_bits / 8 + 16; }
  };

  std::uint64_t load(std::uint64_t slot) const {
    const std::uint64_t bit = slot * _geometry.entry_bits;
    std::uint64_t word = 0;
    std::memcpy(&word, _table.data() + (bit >> 3), 8);
    return word >> (bit & 7) & _geometry.entry_mask;
  }
  Row row_of(std::uint64_t entry) const { return static_cast<Row>(entry & _geometry.row_mask); }

  /// The first slot that does not hold a smaller descriptor, and the largest entry that would be an equal one there.
  struct Position {
    std::uint64_t slot, wanted;
  };
  Position lower_bound(std::uint64_t descriptor) const {
    const Place place = _geometry.place(descriptor);
    Position at{place.home, _geometry.entry_at_home(place.rest, _geometry.row_mask)};
    // Most stand within the first slots. How many hold smaller descriptors is counted without branches: after one that
    // does not, none does.
    std::uint64_t smaller = 0;
    do {
      smaller = 0;
      for (std::uint64_t k = 0; k < looked_at; ++k)
        smaller += load(at.slot + k) > at.wanted + k * _geometry.one_slot ? 1 : 0;
      at.slot += smaller;
      at.wanted += smaller * _geometry.one_slot;
    } while (smaller == looked_at);
    return at;
  }

  /// An entry on its way to another geometry, as it is at home.
  struct Moving {
    std::uint64_t home, entry;
  };

  Geometry geometry_for(std::uint64_t slots, Row largest_row) const;
  void take(const Geometry& geometry);
  void shift_in(std::uint64_t slot, std::uint64_t hole, std::uint64_t entry);
  void make_room(Row row);
  void become(const Geometry& to);
  void pick_up(const Geometry& to, std::uint64_t begin, std::uint64_t end);
  void lay_out(const Geometry& to, std::uint64_t next, std::uint64_t end);

  unsigned _descriptor_bits;
  Geometry _geometry;
  PageArray _table;
  std::uint64_t _size = 0, _size_limit = 0;
  std::uint64_t _farthest = 0;  // no distance is larger
  Row _largest_row = 0;
  std::array<std::uint64_t, most_entry_bits> _one_slot_each{};  // 64 slots that hold one_slot each
  std::vector<Moving> _moving;
};

}  // namespace dcheck
