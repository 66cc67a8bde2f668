#include "dcheck/walk/lane_graph.hpp"

#include "dcheck/base/narrow.hpp"

namespace dcheck {

LaneGraph::LaneGraph(const Plan& plan, std::uint64_t rows, MemoryBudget* budget)
    : kinds(plan, budget),
      _elsewhere(narrow<std::uint32_t>(rows)),
      _source_bits(static_cast<unsigned>(std::bit_width(rows))),
      _before(budget),
      _bytes(budget) {}

void LaneGraph::add_block(std::span<const Operation> operations, std::span<const std::uint32_t> ends) {
  const auto bits = static_cast<unsigned>(_source_bits + static_cast<unsigned>(std::bit_width(kinds.size())));
  const std::size_t first = _rows + _blocks.size();
  _before.ensure(first + ends.size() + 1);
  _before[first] = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) _before[first + i + 1] = ends[i];
  _blocks.push_back({_end, bits});
  const std::uint64_t bytes = (operations.size() * bits + 7) / 8;
  _bytes.ensure(_end + bytes + 8);
  // Pages are zero at first, so that bits can be added to them.
  std::uint64_t position = _end * 8;
  for (const Operation& operation : operations) {
    std::byte* const at = _bytes.data() + (position >> 3);
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    word |= (std::uint64_t{operation.kind} << _source_bits | operation.source) << (position & 7);
    std::memcpy(at, &word, 8);
    position += bits;
  }
  _end += bytes;
  _rows += ends.size();
  _operations += operations.size();
}

}  // namespace dcheck
