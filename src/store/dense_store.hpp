#pragma once
// The packed store for rows with payload, and for keys wider than a word: keys lie one after another
// in the order of their insertion, an index of five bytes per slot finds them.
//
// Row ids are dense and permanent: 0, 1, 2, ... The index is rebuilt from the keys when it grows, in its own
// memory, so there is never a moment with two of them.

#include <array>
#include <cstring>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/page_array.hpp"
#include "dcheck/store/row_store.hpp"

namespace dcheck {

class DenseStore final : public RowStore {
 public:
  /// Keys of `words` words, of which the first `bytes` bytes are in use. `hash_factors`: as for every RowStore.
  DenseStore(std::size_t words, std::size_t bytes, std::vector<std::uint64_t> hash_factors,
             MemoryBudget* budget = nullptr);

  using RowStore::find;

  /// How keys were found is of no use here. Cost: two cache misses a known key, overlapped across the batch.
  void insert(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes, std::span<const Via> vias,
              std::span<Inserted> out) override;
  void find(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes, std::span<Row> out) override;
  void key(Row row, std::uint64_t* out) override {
    if (_words == 1) {
      out[0] = only_word(row);
      return;
    }
    out[_words - 1] = 0;
    std::memcpy(out, _keys.data() + row * _bytes, _bytes);
  }
  void reserve(std::uint64_t rows) override { grow_index(rows); }
  /// In the order of ids.
  void for_each(const std::function<void(Row)>& visit) override;

  std::uint64_t size() const override { return _size; }
  std::size_t bytes() const override { return _index.usable() + _keys.usable(); }
  StoreFigures figures() const override;
  /// What bytes() comes to with so many keys of so many bytes, within a few percent.
  static std::uint64_t bytes_for(std::size_t key_bytes, std::uint64_t rows);

 private:
  static constexpr std::size_t entry_bytes = 5;
  static constexpr std::size_t most_inline_words = 8;  // beyond, a call to compare keys is worth its price
  static constexpr std::uint64_t entry_mask = (std::uint64_t{1} << 40) - 1;

  std::uint64_t home(std::uint64_t hash) const {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash) * _slots) >> 64);
  }
  /// An entry is (row + 1) * 256 + eight bits of the hash; 0 is a hole.
  std::uint64_t load(std::uint64_t slot) const {
    std::uint64_t word = 0;
    std::memcpy(&word, _index.data() + slot * entry_bytes, 8);
    return word & entry_mask;
  }
  void store(std::uint64_t slot, std::uint64_t entry) {
    std::memcpy(_index.data() + slot * entry_bytes, &entry, entry_bytes);
  }
  std::uint64_t next(std::uint64_t slot) const { return slot + 1 == _slots ? 0 : slot + 1; }
  /// The first slot at or after `slot` that is a hole or may hold the hash's key.
  std::uint64_t skip(std::uint64_t slot, std::uint64_t hash) const {
    while (true) {
      const std::uint64_t entry = load(slot);
      if (entry == 0 || (entry & 255) == (hash & 255)) return slot;
      slot = next(slot);
    }
  }
  /// Keys of one word are read whole and cut: there is always room behind them.
  std::uint64_t only_word(Row row) const {
    std::uint64_t word = 0;
    std::memcpy(&word, _keys.data() + row * _bytes, 8);
    return word & _last_mask;
  }
  bool same(Row row, const std::uint64_t* key) const {
    const std::byte* const at = _keys.data() + row * _bytes;
    if (_words > most_inline_words) return std::memcmp(at, key, _bytes) == 0;
    std::uint64_t word = 0;
    std::memcpy(&word, at + 8 * (_words - 1), 8);
    std::uint64_t differs = (word & _last_mask) ^ key[_words - 1];
    for (std::size_t w = 0; w + 1 < _words; ++w) {
      std::memcpy(&word, at + 8 * w, 8);
      differs |= word ^ key[w];
    }
    return differs == 0;
  }
  using BatchNumbers = std::array<std::uint64_t, batch_limit>;
  /// Finishes the hashes, finds the first slot worth a look for each, and fetches what lies there.
  void begin_batch(std::span<const std::uint64_t> hashes, BatchNumbers& finished, BatchNumbers& slots) const;
  Row append(const std::uint64_t* key);
  void grow_index(std::uint64_t rows);
  std::uint64_t stored_hash(std::uint64_t row) const;

  std::size_t _bytes;
  std::uint64_t _last_mask;  // of the bytes in use of a key's last word
  PageArray _index, _keys;
  std::uint64_t _slots = 0, _size = 0, _size_limit = 0;
};

}  // namespace dcheck
