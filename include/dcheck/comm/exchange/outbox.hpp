#pragma once
// The output buffer for one destination: a batch that fills with records, and an index that finds a
// record of the batch by its key (and transition), so that others can be joined to it.

#include <bit>
#include <cstdint>
#include <vector>

#include "dcheck/comm/exchange/records.hpp"
#include "dcheck/comm/transport/batch.hpp"

namespace dcheck {

class Outbox {
 public:
  bool is_open() const { return _end != nullptr; }
  std::uint64_t count() const { return _count; }
  std::uint64_t opened_at() const { return _opened_at; }
  void set_opened_at(std::uint64_t now) { _opened_at = now; }

  /// Where the next record is written; null while the box is not open.
  std::uint64_t* end() const { return _end; }

  /// Takes an empty batch for at most `capacity` records. With an index where `is_indexed`.
  void open(Batch batch, const RecordShape& shape, std::uint64_t capacity, bool is_indexed, std::uint64_t now) {
    _batch = std::move(batch);
    _end = _batch.payload();
    _identity_words = shape.identity_words();
    _mask_words = shape.mask_words;
    _opened_at = now;
    if (!is_indexed) return;
    const std::size_t slots = std::bit_ceil(2 * capacity);
    _shift = std::countl_zero(slots - 1);
    _index.assign(slots, 0);
  }

  /// The batch, with its records and without a header; the box is not open any more.
  Batch close() {
    _batch.set_used(static_cast<std::size_t>(_end - _batch.payload()));
    _end = nullptr;
    _count = 0;
    return std::move(_batch);
  }

  /// The record written at end() becomes part of the batch, or not.
  template <int K, int M>
  void append_if(bool is_wanted, bool has_transition) {
    const std::size_t words =
        (K >= 0 ? words_or<K>(0) + (has_transition ? 1 : 0) : _identity_words) + words_or<M>(_mask_words);
    _end += is_wanted ? words : 0;
    _count += is_wanted ? 1 : 0;
  }

  enum class Joined : std::uint8_t { no, disjoint, overlapping };

  /// ORs the mask of the record written at end() to that of a record with the same identity, and says
  /// whether they had a lane in common; `no` where there is none: then the index expects it to be
  /// appended. `place`: a hash of the identity, of which the highest bits are used.
  template <int I, int M>
  Joined join(std::uint64_t place) {
    const std::size_t identity = words_or<I>(_identity_words), masks = words_or<M>(_mask_words);
    std::size_t slot = place >> _shift;
    while (_index[slot] != 0) {
      std::uint64_t* const other = _batch.payload() + (_index[slot] - 1) * (identity + masks);
      if (equal_words(other, _end, identity)) {
        std::uint64_t common = 0;
        for (std::size_t i = identity; i < identity + masks; ++i) {
          common |= other[i] & _end[i];
          other[i] |= _end[i];
        }
        return common == 0 ? Joined::disjoint : Joined::overlapping;
      }
      slot = slot + 1 == _index.size() ? 0 : slot + 1;
    }
    _index[slot] = static_cast<std::uint32_t>(_count + 1);
    return Joined::no;
  }

 private:
  std::uint64_t* _end = nullptr;
  std::uint64_t _count = 0;
  std::size_t _identity_words = 1, _mask_words = 0;
  std::uint64_t _opened_at = 0;
  int _shift = 63;
  std::vector<std::uint32_t> _index;  // number of a record from 1; 0 is a hole
  Batch _batch;
};

}  // namespace dcheck
