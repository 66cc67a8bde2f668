#pragma once
// For each row, either a link (parent row, label), or the number of its explicit key. Rows are appended in the order of
// their ids.
//
// Rows lie in blocks of 64, sealed when they are full. In breadth-first order parents of neighbours are neighbours, so
// a sealed block stores parents as differences to a base, labels as they are, both in as few bits as this block needs;
// a few parents that stick out are listed apart. Explicit rows take one bit; their keys are numbered in the order of
// rows. An access is one cache miss or two.
//
// The directory has one word a sealed block, from the lowest bit on:
//   40 bits  where its body begins in the stream
//    6 bits  width of a difference
//    6 bits  width of a label
//    6 bits  number of exception slots
//    1 bit   whether it has explicit rows
// A body, byte after byte:
//    4 bytes base
//   12 bytes only with explicit rows: a bit for each row, and the number of explicit rows before this block
//    5 bytes for each exception slot: a row of the block (free_slot: none), and its parent
//            (difference, label) of all rows that are not explicit, in as many bits as the directory says
// A difference of all ones may mean an exception: if the row has a slot.
//
// A block that has to change its widths is written anew at the stream's end; the hole it leaves begins with its size.
// When holes are an eighth of the stream, the blocks behind them move up.

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/page_array.hpp"

namespace dcheck {

class LinkTable {
 public:
  using Row = std::uint32_t;
  static constexpr Row none = ~Row{0};

  explicit LinkTable(MemoryBudget* budget = nullptr)
      : _stream(budget, Ahead::little), _directory(budget, Ahead::little) {}

  /// parent == none: the row is explicit, and `label` is the number of its key: 0, 1, 2, ... in the order of rows.
  struct Link {
    Row parent = none;
    std::uint32_t label = 0;
    bool is_explicit() const { return parent == none; }
    bool operator==(const Link&) const = default;
  };

  // append, append_explicit and update throw ResourceError where memory ends; the table is then as before.

  void append_explicit();
  /// Parents are any rows, also later ones; not none.
  void append(Row parent, std::uint32_t label);

  Link get(Row row) const {
    const Row block = row / block_rows;
    unsigned at = row % block_rows;
    if (block == sealed_blocks()) return _open[at];
    const Entry entry{_directory[block]};
    const std::byte* body = _stream.data() + entry.offset();
    const std::byte* rest = body + base_bytes;
    if (entry.has_explicit()) {
      const auto mask = load<std::uint64_t>(rest);
      const auto before = static_cast<unsigned>(std::popcount(mask & ((std::uint64_t{1} << at) - 1)));
      if ((mask >> at & 1) != 0) return {none, load<std::uint32_t>(rest + sizeof mask) + before};
      at -= before;
      rest += explicit_bytes;
    }
    rest += entry.slots() * slot_bytes;
    const unsigned bit = at * entry.pair_bits();
    const std::uint64_t word = load<std::uint64_t>(rest + bit / 8) >> (bit % 8);
    const std::uint64_t all_ones = (std::uint64_t{1} << entry.parent_bits()) - 1;
    const std::uint64_t difference = word & all_ones;
    std::uint64_t label = word >> entry.parent_bits();
    if (entry.pair_bits() > one_load_bits) [[unlikely]]
      label = load_bits(rest, bit + entry.parent_bits());
    label &= (std::uint64_t{1} << entry.label_bits()) - 1;
    const auto parent = static_cast<Row>(load<Row>(body) + difference);
    if (difference == all_ones && entry.slots() != 0) [[unlikely]]
      return {exception_or(row, parent), static_cast<std::uint32_t>(label)};
    return {parent, static_cast<std::uint32_t>(label)};
  }

  /// visit(label) for the rows from `first` to before `end` that are not explicit; they lie in one block.
  template <typename Visit>
  void for_each_label(Row first, Row end, Visit&& visit) const {
    const Row block = first / block_rows;
    if (block == sealed_blocks()) {
      for (Row row = first; row < end; ++row)
        if (const Link& link = _open[row % block_rows]; !link.is_explicit()) visit(link.label);
      return;
    }
    const Entry entry{_directory[block]};
    const std::byte* rest = _stream.data() + entry.offset() + base_bytes;
    const std::uint64_t explicit_mask = entry.has_explicit() ? load<std::uint64_t>(rest) : 0;
    rest += (entry.has_explicit() ? explicit_bytes : 0) + entry.slots() * slot_bytes;
    const auto number = [&](unsigned at) {
      return at - static_cast<unsigned>(std::popcount(explicit_mask & low_bits(at)));
    };
    const unsigned last = number(end - block * block_rows);
    for (unsigned at = number(first % block_rows); at < last; ++at) {
      const std::uint64_t bits = load_bits(rest, at * entry.pair_bits() + entry.parent_bits());
      visit(static_cast<std::uint32_t>(bits & low_bits(entry.label_bits())));
    }
  }

  /// Starts to fetch what get() will look at.
  void prefetch(Row row) const {
    const Row block = row / block_rows;
    if (block >= sealed_blocks()) return;
    const Entry entry{_directory[block]};
    const std::byte* body = _stream.data() + entry.offset();
    __builtin_prefetch(body);
    __builtin_prefetch(body + base_bytes + entry.slots() * slot_bytes + row % block_rows * entry.pair_bits() / 8);
  }

  /// Gives a row that is not explicit another link. Where its block has no room for it, the block is written anew,
  /// which takes bytes and time.
  void update(Row row, Row parent, std::uint32_t label);
  /// Whether the block of the row has room for that link as it is.
  bool has_room_for(Row row, Row parent, std::uint32_t label) const;

  std::uint64_t size() const { return _size; }
  std::uint64_t explicit_count() const { return _explicit_count; }
  std::size_t bytes() const;

 private:
  static constexpr unsigned block_rows = 64;
  static constexpr std::size_t base_bytes = 4, explicit_bytes = 12, slot_bytes = 5;
  static constexpr unsigned one_load_bits = 57;  // as many are in a word from any bit of its first byte on
  static constexpr std::uint8_t free_slot = 255;
  using Block = std::array<Link, block_rows>;

  struct Entry {
    static constexpr unsigned offset_bits = 40;
    std::uint64_t word = 0;

    std::uint64_t offset() const { return word & ((std::uint64_t{1} << offset_bits) - 1); }
    unsigned parent_bits() const { return word >> offset_bits & 63; }
    unsigned label_bits() const { return word >> (offset_bits + 6) & 63; }
    unsigned pair_bits() const { return parent_bits() + label_bits(); }
    unsigned slots() const { return word >> (offset_bits + 12) & 63; }
    bool has_explicit() const { return (word >> (offset_bits + 18) & 1) != 0; }
    /// The same block with another number in place of the offset.
    Entry with_offset(std::uint64_t offset) const { return {word >> offset_bits << offset_bits | offset}; }
  };
  /// Where things lie in a sealed block: all that changing one takes.
  struct View;
  /// Widths and base of a block that is to be written.
  struct BlockFormat;

  template <typename T>
  static T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  static std::uint64_t load_bits(const std::byte* from, unsigned bit) {
    return load<std::uint64_t>(from + bit / 8) >> (bit % 8);
  }

  std::uint64_t sealed_blocks() const { return _size / block_rows; }
  View view(std::uint64_t block) const;
  Row exception_or(Row row, Row parent) const;
  void make_room_for_row();
  void make_room_for_body();
  void add(const Link& link);
  void write_body(std::uint64_t block, const Block& links, const BlockFormat& format);
  bool update_in_place(Row row, const Link& link);
  void rewrite(Row row, const Link& link);
  void compact();

  PageArray _stream;
  PageVector<std::uint64_t> _directory;
  Block _open{};  // the rows after the last sealed block
  std::uint64_t _size = 0, _explicit_count = 0;
  std::uint64_t _end = 0, _garbage = 0;  // of the stream: bytes, and how many of them are holes
  unsigned _label_bits = 0;              // of the largest label so far
};

}  // namespace dcheck
