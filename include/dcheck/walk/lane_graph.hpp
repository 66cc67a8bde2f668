#pragma once
// The graph of a space whose rows have many lanes: for every row of this rank the row operations that lead into it,
// each as its kind and the number of its source row, in as many bits as these need. Made once after exploring, so that
// walking backwards reads no keys and looks nothing up (decision 15).

#include <bit>
#include <cstring>
#include <span>

#include "dcheck/walk/operation_kinds.hpp"

namespace dcheck {

class LaneGraph {
 public:
  struct Operation {
    std::uint32_t kind, source;
  };
  static constexpr unsigned block_bits = 10;
  static constexpr std::size_t rows_per_block = std::size_t{1} << block_bits;

  /// Plan and budget must outlive the graph; there are less than 2^32 - 1 rows.
  LaneGraph(const Plan& plan, std::uint64_t rows, MemoryBudget* budget);

  OperationKinds kinds;
  /// The source of operations that come from another rank: which row it is, the target's key tells.
  std::uint32_t elsewhere() const { return _elsewhere; }

  /// Adds the operations into the next rows_per_block rows, or into all that are left: ends[i] is where those of the
  /// i-th of them end.
  void add_block(std::span<const Operation> operations, std::span<const std::uint32_t> ends);

  /// How many operations lead into a row.
  std::size_t count(std::uint32_t row) const {
    const std::uint32_t* const before = &_before[row + (row >> block_bits)];
    return before[1] - before[0];
  }
  /// Reads them into `out`, which has room for all.
  void read(std::uint32_t row, Operation* out) const {
    const Block& block = _blocks[row >> block_bits];
    const std::uint32_t* const before = &_before[row + (row >> block_bits)];
    const std::uint64_t all = (std::uint64_t{1} << block.bits) - 1;
    const std::uint64_t of_source = (std::uint64_t{1} << _source_bits) - 1;
    std::uint64_t position = block.begin * 8 + std::uint64_t{before[0]} * block.bits;
    for (std::uint32_t i = before[0]; i < before[1]; ++i, position += block.bits) {
      std::uint64_t word = 0;
      std::memcpy(&word, _bytes.data() + (position >> 3), 8);
      word = word >> (position & 7) & all;
      *out++ = {static_cast<std::uint32_t>(word >> _source_bits), static_cast<std::uint32_t>(word & of_source)};
    }
  }

  std::uint64_t operations() const { return _operations; }
  std::size_t bytes() const {
    return _bytes.capacity() + 4 * _before.capacity() + _blocks.capacity() * sizeof(Block) + kinds.bytes();
  }

 private:
  /// Rows whose operations take the same number of bits.
  struct Block {
    std::uint64_t begin;  // in _bytes
    unsigned bits;
  };

  std::uint32_t _elsewhere;
  unsigned _source_bits;
  std::vector<Block> _blocks;
  PageVector<std::uint32_t> _before;  // per row, and once more per block: operations before it in its block
  PageVector<std::byte> _bytes;
  std::uint64_t _rows = 0, _end = 0, _operations = 0;
};

}  // namespace dcheck
