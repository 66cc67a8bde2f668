#include "dcheck/graph/predecessor_lists.hpp"

#include <algorithm>

#include "dcheck/base/error.hpp"

namespace dcheck {

void PredecessorLists::write_number(std::uint64_t number) {
  for (; number >= 128; number >>= 7) _bytes[_end++] = static_cast<std::byte>(number | 128);
  _bytes[_end++] = static_cast<std::byte>(number);
}

void PredecessorLists::add(RowCode row, std::span<RowCode> sources) {
  constexpr std::size_t most_head = 21;
  std::ranges::sort(sources);
  const std::uint64_t spread = sources.empty() ? 0 : sources.back() - sources.front();
  const auto bits = static_cast<unsigned>(std::bit_width(spread));
  if (bits > 57) throw ResourceError("row numbers of the graph need more than 57 bits");
  _bytes.ensure(_end + most_head + sources.size() * bits / 8 + 8);
  if ((_size & ((1U << block_bits) - 1)) == 0) {
    _block_begin.ensure((_size >> block_bits) + 1);
    _block_begin[_size >> block_bits] = _end;
  }
  const std::uint64_t in_block = _end - _block_begin[_size >> block_bits];
  if (in_block > ~std::uint32_t{0}) throw ResourceError("lists of predecessors are too long for the graph");
  _begin.ensure(_size + 1);
  _begin[_size++] = static_cast<std::uint32_t>(in_block);
  write_number(sources.size());
  if (sources.empty()) return;
  const auto relative = static_cast<std::int64_t>(sources.front() - row);
  write_number(static_cast<std::uint64_t>(relative) << 1 ^ static_cast<std::uint64_t>(relative >> 63));
  _bytes[_end++] = static_cast<std::byte>(bits);
  // Pages are zero at first, so that bits can be added to them.
  std::uint64_t position = 0;
  for (const RowCode source : sources) {
    std::byte* const at = _bytes.data() + _end + (position >> 3);
    std::uint64_t word = 0;
    std::memcpy(&word, at, 8);
    word |= (source - sources.front()) << (position & 7);
    std::memcpy(at, &word, 8);
    position += bits;
  }
  _end += (position + 7) / 8;
}

void PredecessorLists::finish() {
  _bytes.ensure(_end + 8);
}

}  // namespace dcheck
