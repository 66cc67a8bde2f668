#pragma once
// Hash compaction (paper two, section 6.2): of each key so many bits of a hash. With one lane these bits are all there
// is, in a table that leaves out what a place in it says; with more they are a row's key, and the row has a mask.

#include <optional>
#include <vector>

#include "dcheck/rows/lane_masks.hpp"
#include "dcheck/store/lossy/lossy_set.hpp"
#include "dcheck/store/slot_store.hpp"
#include "store/dense_store.hpp"

namespace dcheck {

class CompactionSet final : public LossySet {
 public:
  CompactionSet(std::size_t lanes, std::size_t words, const StoreChoice& choice, MemoryBudget* budget);

  void known(std::uint64_t hash, std::uint64_t* lanes) const override;
  void add(std::span<const std::uint64_t> hashes, std::uint64_t* masks) override;
  std::size_t bytes() const override;

 private:
  void note_new() { note_row(static_cast<double>(rows() + 1) / _descriptors); }
  std::uint64_t descriptor(std::uint64_t hash) const { return mixed_bits(hash + _seed) >> (64 - _bits); }
  void add_states(std::uint64_t* masks);
  void add_rows(std::uint64_t* masks);
  unsigned _bits;
  std::uint64_t _seed;
  double _descriptors;  // how many there are
  std::size_t _words;
  std::optional<SlotStore> _states;  // of one lane
  std::optional<DenseStore> _keys;   // of many lanes: their rows,
  LaneMasks _lanes;                  // and what was reached of each
  std::vector<std::uint64_t> _batch;
  std::vector<RowStore::Inserted> _inserted;
};

}  // namespace dcheck
