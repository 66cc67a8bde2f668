#pragma once
// Gathers keys for a RowStore and inserts them in batches, so that one indirect call serves many keys and their cache
// misses overlap. What belongs to a key beside it is the caller's, by the number of the record in the batch.

#include <array>
#include <utility>
#include <vector>

#include "dcheck/store/row_store.hpp"

namespace dcheck {

class RowBatch {
 public:
  RowBatch(RowStore& store, std::size_t key_words)
      : _store(store), _key_words(key_words), _keys(key_words * RowStore::batch_limit) {}

  bool is_full(std::size_t limit) const { return _count >= limit; }
  bool empty() const { return _count == 0; }
  /// Of the next record.
  std::size_t number() const { return _count; }

  /// Where to write the next record's key; it counts once it is ended.
  std::uint64_t* begin() { return _keys.data() + _count * _key_words; }
  void end(std::uint64_t hash, const Via& via) {
    _store.fetch(hash);  // while the next records are made
    _vias[_count] = via;
    _hashes[_count++] = hash;
  }

  void insert() {
    _store.insert(std::span(_keys).first(_count * _key_words), std::span(_hashes).first(_count),
                  std::span(_vias).first(_count), std::span(_inserted).first(_count));
    _inserted_count = std::exchange(_count, 0);
  }
  /// visit(inserted, key, number) for each record of the last insert().
  template <typename Visit>
  void for_each_inserted(Visit&& visit) const {
    for (std::size_t i = 0; i < _inserted_count; ++i) visit(_inserted[i], _keys.data() + i * _key_words, i);
  }

 private:
  RowStore& _store;
  std::size_t _key_words, _count = 0, _inserted_count = 0;
  std::vector<std::uint64_t> _keys;
  std::array<std::uint64_t, RowStore::batch_limit> _hashes;
  std::array<Via, RowStore::batch_limit> _vias;
  std::array<RowStore::Inserted, RowStore::batch_limit> _inserted;
};

}  // namespace dcheck
