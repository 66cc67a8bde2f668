#pragma once
// What every store of dense rows offers: keys in, permanent row ids 0, 1, 2, ... out, and back. The calls that are hot
// take whole batches, so that one indirect call serves many keys.
//
// DenseStore   keys one after another, and an index
// ChainStore   most rows as (parent, label), the chains of papers one, two and three

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/ids.hpp"

namespace dcheck {

/// How a key was found: by firing a transition of the plan from a row of the same store.
struct Via {
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};
  std::uint32_t parent = unknown;  // a row
  PlanTransition transition{};
};

/// What a store tells about itself. Sums over ranks are meaningful, but for the longest chain.
struct StoreFigures {
  std::uint64_t index_bytes = 0, link_bytes = 0, key_bytes = 0, cache_bytes = 0;
  std::uint64_t explicit_rows = 0;            // stored with their keys,
  std::uint64_t explicit_by_k = 0;            // because their chain would have been too long,
  std::uint64_t explicit_without_parent = 0;  // for want of a parent on this rank,
  std::uint64_t explicit_by_label = 0;        // since a family's label would not tell them from another row
  std::uint64_t second_level_rows = 0;        // found by a second hash, since many share the first one's descriptor
  std::uint64_t parents_found = 0;            // came from elsewhere, and found a parent here
  std::uint64_t chain_links = 0;              // of all rows together, when they were stored
  std::uint64_t longest_chain = 0;
  std::uint64_t updated_predecessors = 0;
  std::uint64_t comparisons = 0, comparison_links = 0;  // of a key with a row, and links followed for that
  std::uint64_t reads = 0, read_links = 0;              // keys made from chains, and links followed for that
  std::uint64_t cache_hits = 0;

  /// Calls visit(figure) for each that is a sum over ranks.
  template <typename Visit>
  void for_each_sum(Visit visit) {
    for (std::uint64_t* const figure :
         {&index_bytes, &link_bytes, &key_bytes, &cache_bytes, &explicit_rows, &explicit_by_k, &explicit_without_parent,
          &explicit_by_label, &second_level_rows, &parents_found, &chain_links, &updated_predecessors, &comparisons,
          &comparison_links, &reads, &read_links, &cache_hits})
      visit(*figure);
  }
};

class RowStore {
 public:
  using Row = std::uint32_t;
  static constexpr Row none = ~Row{0};
  static constexpr std::size_t batch_limit = 128;

  struct Inserted {
    Row row = 0;
    bool is_new = false;
  };

  /// Keys of `words` words. `hash_factors`: one odd number per word; the linear hash of a key is the sum of word *
  /// factor.
  RowStore(std::size_t words, std::vector<std::uint64_t> hash_factors)
      : _words(words), _factors(std::move(hash_factors)) {}
  virtual ~RowStore() = default;
  RowStore(const RowStore&) = delete;
  RowStore& operator=(const RowStore&) = delete;

  /// Inserts at most batch_limit keys, given one after another with their linear hashes. `vias`: how each was found;
  /// empty: nobody knows.
  virtual void insert(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes,
                      std::span<const Via> vias, std::span<Inserted> out) = 0;
  /// The rows of at most batch_limit keys; `none` where a key is not there. Stores may learn from it what is asked
  /// often.
  virtual void find(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes, std::span<Row> out) = 0;
  /// Writes the key's words.
  virtual void key(Row row, std::uint64_t* out) = 0;
  /// visit(row) for every row once, in an order in which key(row) is cheap inside the visit: two firings per row at
  /// most. Nothing may be inserted meanwhile.
  virtual void for_each(const std::function<void(Row)>& visit) = 0;

  /// There will be so many rows: stores that grow by starting over do so once. Throws ResourceError as inserting does.
  virtual void reserve(std::uint64_t) {}
  /// All keys are there, and hardly any will be looked up: gives back what finds them, where rows can be read without.
  /// A later find() makes it again, and may throw ResourceError.
  virtual void condense() {}

  virtual std::uint64_t size() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual StoreFigures figures() const = 0;

  std::optional<Row> find(const std::uint64_t* key);
  std::uint64_t linear_hash(const std::uint64_t* key) const {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < _words; ++w) sum += key[w] * _factors[w];
    return sum;
  }
  /// A key with this hash will be inserted soon: fetches what finds it, where the store knows where that lies.
  void fetch(std::uint64_t linear_hash) const {
    if (_slots_at == nullptr) return;
    const auto scaled = static_cast<unsigned __int128>(mixed_bits(linear_hash)) * _slot_count;
    __builtin_prefetch(_slots_at + static_cast<std::uint64_t>(scaled >> 64) * _slot_bytes, 0, 2);
  }

 protected:
  /// For stores that look for a key at its mixed hash, scaled to so many slots of so many bytes.
  void fetch_from(const std::byte* slots, std::uint64_t count, std::size_t bytes) {
    _slots_at = slots;
    _slot_count = count;
    _slot_bytes = bytes;
  }

  std::size_t _words;
  std::vector<std::uint64_t> _factors;

 private:
  const std::byte* _slots_at = nullptr;
  std::uint64_t _slot_count = 0;
  std::size_t _slot_bytes = 0;
};

}  // namespace dcheck
