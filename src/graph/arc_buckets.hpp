#pragma once
// Arcs on their way to the lists of their targets: gathered by ranges of targets, so that each range can be sorted
// where it fits the cache. An arc takes 3 to 4 bytes: its target within the range, and its source as the difference to
// the one before it.

#include <vector>

#include "dcheck/base/page_array.hpp"
#include "dcheck/graph/predecessor_lists.hpp"

namespace dcheck {

class ArcBuckets {
 public:
  /// For targets below `rows`, of which this rank has `own` in the lowest `rank_bits` bits of their codes, and about so
  /// many arcs.
  ArcBuckets(std::uint64_t rows, std::uint64_t arcs, unsigned rank_bits, std::uint64_t own, MemoryBudget* budget);

  [[gnu::always_inline]] void add(std::uint32_t target, RowCode source) {
    Bucket& bucket = _buckets[target >> _bits];
    if (bucket.left < most_bytes) add_chunk(bucket);
    std::byte* at = bucket.at;
    const auto low = static_cast<std::uint16_t>(target & ((1U << _bits) - 1));
    std::memcpy(at, &low, 2);
    at += 2;
    const auto difference = static_cast<std::int64_t>(source - bucket.last);
    bucket.last = source;
    std::uint64_t zigzag = static_cast<std::uint64_t>(difference) << 1 ^ static_cast<std::uint64_t>(difference >> 63);
    for (; zigzag >= 128; zigzag >>= 7) *at++ = static_cast<std::byte>(zigzag | 128);
    *at++ = static_cast<std::byte>(zigzag);
    bucket.left -= static_cast<std::uint32_t>(at - bucket.at);
    bucket.at = at;
    ++bucket.arcs;
  }

  /// Sorts all arcs into lists; the buckets are empty afterwards. look() is called between them.
  template <typename Look>
  void sort_into(PredecessorLists& lists, Look&& look) {
    for (std::size_t i = 0; i < _buckets.size(); ++i) {
      sort_bucket(i, lists);
      look();
    }
    lists.finish();
  }

 private:
  static constexpr std::uint32_t chunk_bytes = 8192;
  static constexpr std::uint32_t most_bytes = 12;  // of one arc

  struct Bucket {
    std::byte* at = nullptr;
    std::uint32_t left = 0;
    RowCode last = 0;
    std::uint64_t arcs = 0;
    std::vector<std::uint32_t> chunks;
  };

  void add_chunk(Bucket& bucket);
  void sort_bucket(std::size_t number, PredecessorLists& lists);
  /// visit(target in the bucket, source) for its arcs in the order in which they came.
  template <typename Visit>
  void read(const Bucket& bucket, Visit&& visit) const;

  std::uint64_t _rows;
  unsigned _rank_bits;
  std::uint64_t _own;
  unsigned _bits;  // of a target within its bucket
  std::vector<Bucket> _buckets;
  PageVector<std::byte> _chunks;
  std::uint32_t _chunk_count = 0;
  // Of the bucket at hand.
  std::vector<std::uint64_t> _begin;
  std::vector<RowCode> _sources;
};

}  // namespace dcheck
