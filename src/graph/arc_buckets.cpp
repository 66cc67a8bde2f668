#include "graph/arc_buckets.hpp"

#include <algorithm>

namespace dcheck {

namespace {

constexpr std::uint64_t arcs_per_bucket = 1U << 19;  // sorted in 4 MiB
constexpr unsigned least_bits = 6, most_bits = 16;

unsigned bits_for(std::uint64_t rows, std::uint64_t arcs) {
  const std::uint64_t arcs_per_row = std::max<std::uint64_t>(1, arcs / std::max<std::uint64_t>(1, rows));
  const auto bits = static_cast<unsigned>(std::bit_width(arcs_per_bucket / arcs_per_row));
  return std::clamp(bits, least_bits, most_bits);
}

}  // namespace

ArcBuckets::ArcBuckets(std::uint64_t rows, std::uint64_t arcs, unsigned rank_bits, std::uint64_t own,
                       MemoryBudget* budget)
    : _rows(rows),
      _rank_bits(rank_bits),
      _own(own),
      _bits(bits_for(rows, arcs)),
      _buckets((rows >> _bits) + 1),
      _chunks(budget) {}

void ArcBuckets::add_chunk(Bucket& bucket) {
  _chunks.ensure((std::uint64_t{_chunk_count} + 1) * chunk_bytes);
  bucket.chunks.push_back(_chunk_count++);
  bucket.at = _chunks.data() + std::uint64_t{bucket.chunks.back()} * chunk_bytes;
  bucket.left = chunk_bytes;
}

template <typename Visit>
void ArcBuckets::read(const Bucket& bucket, Visit&& visit) const {
  RowCode last = 0;
  std::size_t chunk = 0;
  const std::byte *at = nullptr, *end = nullptr;
  for (std::uint64_t i = 0; i < bucket.arcs; ++i) {
    if (end - at < static_cast<std::ptrdiff_t>(most_bytes)) {
      at = _chunks.data() + std::uint64_t{bucket.chunks[chunk++]} * chunk_bytes;
      end = at + chunk_bytes;
    }
    std::uint16_t target = 0;
    std::memcpy(&target, at, 2);
    at += 2;
    std::uint64_t zigzag = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<std::uint64_t>(*at++);
      zigzag |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    last += zigzag >> 1 ^ (0 - (zigzag & 1));
    visit(target, last);
  }
}

void ArcBuckets::sort_bucket(std::size_t number, PredecessorLists& lists) {
  Bucket& bucket = _buckets[number];
  const std::uint64_t first = std::uint64_t{number} << _bits;
  const std::uint64_t rows = std::min(_rows, first + (std::uint64_t{1} << _bits)) - std::min(_rows, first);
  _begin.assign(rows + 1, 0);
  _sources.resize(bucket.arcs);
  read(bucket, [&](std::uint16_t target, RowCode) { ++_begin[target + 1U]; });
  for (std::uint64_t i = 0; i < rows; ++i) _begin[i + 1] += _begin[i];
  read(bucket, [&](std::uint16_t target, RowCode source) { _sources[_begin[target]++] = source; });
  bucket = {};
  // Each beginning has moved on to its list's end.
  std::uint64_t begin = 0;
  for (std::uint64_t i = 0; i < rows; ++i) {
    lists.add((first + i) << _rank_bits | _own, std::span(_sources).subspan(begin, _begin[i] - begin));
    begin = _begin[i];
  }
}

}  // namespace dcheck
