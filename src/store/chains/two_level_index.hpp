#pragma once
// Finds rows by the hash of their keys, with the two-level hashing of paper three: where many rows share a descriptor,
// further ones are found by another hash. The paper moves a list that has a tenth of all states, of which it needs an
// estimate. Here the first rows with a descriptor stand in the first table for good, and those for which its list is
// full in the second: no key is made to move it, and the limit fits the table, however many rows there will be.

#include <cstdint>

#include "store/chains/row_index.hpp"

namespace dcheck {

class TwoLevelIndex {
 public:
  using Row = RowIndex::Row;
  static constexpr Row none = RowIndex::none;

  /// `descriptor_bits`: of the first table. `most_alike`: how many rows with one descriptor it takes; 0: all of them,
  /// and there is no second one.
  TwoLevelIndex(unsigned descriptor_bits, std::uint32_t most_alike, MemoryBudget* budget)
      : _first(descriptor_bits, budget), _second(most_alike == 0 ? 1 : second_bits, budget), _most_alike(most_alike) {}

  // Hashes are mixed: all their bits depend on all bits of what was hashed.

  /// What the first table has of a hash.
  std::uint64_t descriptor(std::uint64_t hash) const { return _first.descriptor(hash); }
  void prefetch(std::uint64_t hash) const { _first.prefetch(_first.descriptor(hash)); }

  /// Goes through rows that may have a key with this hash. Valid until the next insertion.
  struct Candidates {
    Row row = none;  // the one at hand; none: there is no other
    std::uint32_t passed = 0;
    RowIndex::Candidates at;
  };
  Candidates first(std::uint64_t hash) const {
    const RowIndex::Candidates at = _first.first(_first.descriptor(hash));
    return {at.row, 0, at};
  }
  void advance(Candidates& candidates, std::uint64_t hash) const {
    RowIndex::Candidates& at = candidates.at;
    if (candidates.passed == in_second) {
      _second.advance(at, second_descriptor(hash));
    } else if (++candidates.passed == _most_alike) {
      candidates.passed = in_second;
      at = _second.first(second_descriptor(hash));
    } else {
      _first.advance(at, _first.descriptor(hash));
    }
    candidates.row = at.row;
  }

  /// Throws ResourceError, and is as before, where memory ends.
  void insert(std::uint64_t hash, Row row) {
    if (_most_alike != 0 && is_full(_first.descriptor(hash)))
      _second.insert(second_descriptor(hash), row);
    else
      _first.insert(_first.descriptor(hash), row);
  }

  /// Whether the row was added under a hash with this one's descriptor. Of one level only.
  bool holds(std::uint64_t hash, Row row) const { return _first.holds(_first.descriptor(hash), row); }

  std::uint64_t second_size() const { return _second.size(); }
  std::size_t bytes() const { return _first.bytes() + _second.bytes(); }

 private:
  static constexpr unsigned second_bits = 32;
  static constexpr std::uint32_t in_second = ~std::uint32_t{0};

  std::uint64_t second_descriptor(std::uint64_t hash) const { return _second.descriptor(mixed_bits(~hash)); }
  bool is_full(std::uint64_t descriptor) const {
    std::uint32_t alike = 0;
    for (RowIndex::Candidates at = _first.first(descriptor); at.row != none && alike != _most_alike;
         _first.advance(at, descriptor))
      ++alike;
    return alike == _most_alike;
  }

  RowIndex _first, _second;
  std::uint32_t _most_alike;
};

}  // namespace dcheck
