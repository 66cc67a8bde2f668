#include "store/lossy/bit_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dcheck {

namespace {

constexpr std::uint64_t default_bytes = std::uint64_t{256} << 20;
constexpr std::size_t room_behind = 16;  // bits are read and written as words, from any bit of a byte on

/// An eighth of the memory there is, at most.
std::uint64_t bytes_for(const StoreChoice& choice, const MemoryBudget* budget) {
  if (choice.table_bytes) return *choice.table_bytes;
  return budget == nullptr ? default_bytes : std::min(default_bytes, budget->limit / 8);
}

}  // namespace

BitTable::BitTable(std::size_t lanes, const StoreChoice& choice, MemoryBudget* budget)
    : _lanes(lanes),
      _words((lanes + 63) / 64),
      _hashes(choice.hashes),
      _seed(mixed_bits(choice.seed)),
      _count(std::max<std::uint64_t>(1, bytes_for(choice, budget) * 8 / lanes)),
      _table(budget, Ahead::none) {
  _table.ensure((_count * lanes + 7) / 8 + room_behind);
}

BitTable::Blocks BitTable::blocks_of(std::uint64_t hash) const {
  Blocks blocks;
  std::uint64_t at = mixed_bits(hash + _seed);
  const std::uint64_t step = mixed_bits(at ^ _seed) | 1;
  for (unsigned i = 0; i < _hashes; ++i, at += step)
    blocks[i] = static_cast<std::uint64_t>(static_cast<unsigned __int128>(at) * _count >> 64) * _lanes;
  return blocks;
}

std::uint64_t BitTable::load(std::uint64_t block, std::size_t word) const {
  const std::uint64_t bit = block + word * 64;
  const std::byte* const from = _table.data() + bit / 8;
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, 8);
  const unsigned before = bit % 8;
  if (before != 0) bits = bits >> before | static_cast<std::uint64_t>(from[8]) << (64 - before);
  return bits & low_bits(static_cast<unsigned>(std::min<std::size_t>(64, _lanes - word * 64)));
}

void BitTable::join(std::uint64_t block, std::size_t word, std::uint64_t bits) {
  const std::uint64_t bit = block + word * 64;
  std::byte* const to = _table.data() + bit / 8;
  const unsigned before = bit % 8;
  std::uint64_t there = 0;
  std::memcpy(&there, to, 8);
  there |= bits << before;
  std::memcpy(to, &there, 8);
  if (before != 0) to[8] |= static_cast<std::byte>(bits >> (64 - before));
}

bool BitTable::is_empty(std::uint64_t block) const {
  for (std::size_t w = 0; w < _words; ++w)
    if (load(block, w) != 0) return false;
  return true;
}

void BitTable::known(std::uint64_t hash, std::uint64_t* lanes) const {
  const Blocks blocks = blocks_of(hash);
  for (std::size_t w = 0; w < _words; ++w) {
    lanes[w] = ~std::uint64_t{0};
    for (unsigned i = 0; i < _hashes; ++i) lanes[w] &= load(blocks[i], w);
  }
}

void BitTable::add(std::span<const std::uint64_t> hashes, std::uint64_t* masks) {
  std::array<Blocks, batch_limit> blocks;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    blocks[i] = blocks_of(hashes[i]);
    for (unsigned h = 0; h < _hashes; ++h) __builtin_prefetch(_table.data() + blocks[i][h] / 8, 1);
  }
  for (std::size_t i = 0; i < hashes.size(); ++i) add_lanes(blocks[i], masks + i * _words);
}

/// A key is left out where all its blocks are in use by others. What is counted are keys that come with a block of
/// their own; of those that come again with other lanes this cannot be told, and they were counted.
void BitTable::add_lanes(const Blocks& blocks, std::uint64_t* mask) {
  std::uint64_t fresh = 0;
  for (std::size_t w = 0; w < _words; ++w) {
    std::uint64_t common = ~std::uint64_t{0};
    for (unsigned i = 0; i < _hashes; ++i) common &= load(blocks[i], w);
    mask[w] &= ~common;
    fresh |= mask[w];
  }
  if (fresh == 0) return;
  const std::uint64_t used_before = _used;
  for (unsigned i = 0; i < _hashes; ++i) {
    if (is_empty(blocks[i])) ++_used;
    for (std::size_t w = 0; w < _words; ++w)
      if (mask[w] != 0) join(blocks[i], w, mask[w]);
  }
  if (_used == used_before) return;
  note_row(std::pow(static_cast<double>(_used) / static_cast<double>(_count), _hashes));
}

}  // namespace dcheck
