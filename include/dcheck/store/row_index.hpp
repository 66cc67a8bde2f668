#pragma once
// Finds rows by a descriptor: some bits of a key's hash (paper two's compressed state descriptors, with very tight
// hashing). Many rows may have one descriptor; whoever asks compares their keys.
//
// An open-addressing table of entries of as many bits as they need now. Descriptors stand in ascending order: the home
// slot of x is x * slots / 2^bits, so it is monotone in x, and an entry holds only what its home does not say of x (the
// rest), how far it stands from home (0: a hole), and the row's number. Robin Hood order keeps distances short.
//
// Growth is by a fifth, in place and without the keys: all entries are packed towards the end of the longer table, then
// laid out again from its beginning. There is never a second table.

#include <cstdint>

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
  void prefetch(std::uint64_t descriptor) const;

  /// Goes through the rows with one descriptor, in no order that is promised. Valid until the next insertion.
  struct Candidates {
    std::uint64_t slot = 0;
    Row row = none;  // the one at hand; none: there is no other
  };
  Candidates first(std::uint64_t descriptor) const;
  void advance(Candidates& at, std::uint64_t descriptor) const;

  /// Adds a row. Rows are below 2^32 - 1. May grow the table: throws ResourceError, and is as before, where memory ends.
  void insert(std::uint64_t descriptor, Row row);

  /// Whether the row was added under this descriptor.
  bool holds(std::uint64_t descriptor, Row row) const;

  std::uint64_t size() const { return _size; }
  std::size_t bytes() const { return _table.usable(); }

 private:
  unsigned _descriptor_bits;
  PageArray _table;
  std::uint64_t _size = 0;
};

}  // namespace dcheck
