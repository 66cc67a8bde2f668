#include "store/lossy/compaction_set.hpp"

#include <array>
#include <cmath>

namespace dcheck {

CompactionSet::CompactionSet(std::size_t lanes, std::size_t words, const StoreChoice& choice, MemoryBudget* budget)
    : _bits(choice.hash_bits),
      _seed(mixed_bits(choice.seed)),
      _descriptors(std::ldexp(1.0, static_cast<int>(_bits))),
      _words(words),
      _lanes(budget) {
  if (lanes == 1) {
    _states.emplace(_bits, budget);
    return;
  }
  _keys.emplace(1, (_bits + 7) / 8, std::vector<std::uint64_t>{1}, budget);
  _lanes.begin(words, words == 1 ? LaneMasks::Form::plain : LaneMasks::Form::numbered);
  _inserted.resize(batch_limit);
}

void CompactionSet::known(std::uint64_t hash, std::uint64_t* lanes) const {
  const std::uint64_t wanted = descriptor(hash);
  if (_states) {
    lanes[0] = _states->find(wanted) ? 1 : 0;
    return;
  }
  // Finding changes nothing in a dense store.
  const auto row = const_cast<DenseStore&>(*_keys).find(&wanted);
  for (std::size_t w = 0; w < _words; ++w) lanes[w] = row ? _lanes[*row][w] : 0;
}

void CompactionSet::add(std::span<const std::uint64_t> hashes, std::uint64_t* masks) {
  _batch.clear();
  for (const std::uint64_t hash : hashes) _batch.push_back(descriptor(hash));
  if (_states)
    add_states(masks);
  else
    add_rows(masks);
}

void CompactionSet::add_states(std::uint64_t* masks) {
  const SlotStore::Preparer now = _states->preparer();
  for (std::uint64_t& key : _batch) {
    key = now.prepared(key);
    now.fetch(key);
  }
  for (std::size_t i = 0; i < _batch.size(); ++i) {
    std::uint64_t fresh = 0;
    if (_states->insert_prepared(std::span(_batch).subspan(i, 1), &fresh) == 0)
      masks[i] = 0;
    else
      note_new();
  }
}

void CompactionSet::add_rows(std::uint64_t* masks) {
  const std::uint64_t before = _keys->size();
  _lanes.ensure(before + batch_limit, batch_limit);
  _keys->insert(_batch, _batch, {}, _inserted);
  for (std::uint64_t row = before; row < _keys->size(); ++row) note_new();
  for (std::size_t i = 0; i < _batch.size(); ++i) {
    std::uint64_t* const mask = masks + i * _words;
    const std::uint64_t* const reached = _lanes[_inserted[i].row];
    std::array<std::uint64_t, max_lanes / 64> joined;
    std::uint64_t fresh = 0;
    for (std::size_t w = 0; w < _words; ++w) {
      joined[w] = mask[w] | reached[w];
      mask[w] &= ~reached[w];
      fresh |= mask[w];
    }
    if (fresh != 0) _lanes.set(_inserted[i].row, joined.data());
  }
}

std::size_t CompactionSet::bytes() const {
  return _states ? _states->bytes() : _keys->bytes() + _lanes.bytes();
}

}  // namespace dcheck
