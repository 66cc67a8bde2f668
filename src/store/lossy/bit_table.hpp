#pragma once
// Bit-state hashing (paper two, section 6.6): an array of bits that does not grow. A key has one block of bits, a bit
// per lane, for each of several hashes, which are made of two by double hashing. A lane is known where it is set in all
// blocks of the key.

#include <array>
#include <cstddef>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/page_array.hpp"
#include "dcheck/store/lossy/lossy_set.hpp"

namespace dcheck {

class BitTable final : public LossySet {
 public:
  /// The table is there from the beginning. Throws ResourceError where there is no memory for it.
  BitTable(std::size_t lanes, const StoreChoice& choice, MemoryBudget* budget);

  void known(std::uint64_t hash, std::uint64_t* lanes) const override;
  void add(std::span<const std::uint64_t> hashes, std::uint64_t* masks) override;
  std::size_t bytes() const override { return _table.usable(); }

 private:
  using Blocks = std::array<std::uint64_t, StoreChoice::most_hashes>;  // first bits

  Blocks blocks_of(std::uint64_t hash) const;
  /// 64 bits of a block, or what is left of it.
  std::uint64_t load(std::uint64_t block, std::size_t word) const;
  void join(std::uint64_t block, std::size_t word, std::uint64_t bits);
  bool is_empty(std::uint64_t block) const;
  void add_lanes(const Blocks& blocks, std::uint64_t* mask);

  std::size_t _lanes, _words;
  unsigned _hashes;
  std::uint64_t _seed, _count;  // of blocks
  std::uint64_t _used = 0;      // blocks in which some bit is set
  PageArray _table;
};

}  // namespace dcheck
