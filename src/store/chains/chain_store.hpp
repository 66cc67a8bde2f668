#pragma once
// The store of papers one, two and three: most rows are kept as (parent, label), a link to a row of this store and what
// was fired there. A row's key is made by following its chain of links to a row whose key is known, one that is
// explicit or in the cache. Exact: the index names candidates, and keys are compared.
//
// delta, comback and difference are settings of it. delta (Evangelista, Pradat-Peyre) stores a key wherever a chain
// would have k links; comback (Westergaard, Kristensen, Brodal, Arge) stores only keys without a parent, and relies on
// the cache. difference (Mukherjee, Tari, Bertok) stores keys as delta does, and with a link what is different from the
// parent: a label says which places change, and their values stand beside it. It has two-level hashing, and a row keeps
// the parent that it has.
//
//   TwoLevelIndex  hash of a key -> rows             LinkTable      row -> (parent, label), or explicit
//   KeyEffects     what labels do to keys            LinkValues     row -> values of the places that change
//   KeyCache       keys of young rows                ExplicitKeys   keys stored whole
//
// Firing is an addition, so a chain is undone from a key link by link, in any order, without making a marking. Values
// are compared where they are met first on the way up: those are the row's; others were overwritten.
//
// No cycles. The depth of a row is the length of its chain. A row gets a new parent only if that one's depth, or an
// overestimate of it, is smaller by two than the row's depth, counted at that moment; were the row on the parent's
// chain, the parent would be deeper than the row.
//
// Where families share labels, the key of a child is one of several that a parent leads to: the one whose descriptor is
// the row's. A row for which that is ambiguous is stored explicitly, so chains lead to one key each.

#include <array>
#include <bitset>
#include <vector>

#include "dcheck/store/row_store.hpp"
#include "dcheck/store/store_choice.hpp"
#include "store/chains/explicit_keys.hpp"
#include "store/chains/key_cache.hpp"
#include "store/chains/key_effects.hpp"
#include "store/chains/link_table.hpp"
#include "store/chains/link_values.hpp"
#include "store/chains/two_level_index.hpp"

namespace dcheck {

class ChainStore final : public RowStore {
 public:
  using RowStore::find;

  /// `k`: 0 for no limit of chains.
  ChainStore(const Plan& plan, const StoreChoice& choice, std::uint32_t k, MemoryBudget* budget);

  void insert(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes, std::span<const Via> vias,
              std::span<Inserted> out) override;
  void find(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes, std::span<Row> out) override;
  void key(Row row, std::uint64_t* out) override;
  void for_each(const std::function<void(Row)>& visit) override;
  /// Families need the index to tell which transition a label means: with them it stays.
  void condense() override;

  std::uint64_t size() const override { return _size; }
  std::size_t bytes() const override;
  StoreFigures figures() const override;

 private:
  using Depth = std::uint32_t;

  /// The look-ups of a batch, which follow their chains side by side so that cache misses overlap.
  struct Lookup {
    explicit Lookup(std::size_t words) : undone(words * batch_limit) {}

    /// Of each key, a copy from which links are taken back; or with values, the bits that were compared.
    std::vector<std::uint64_t> undone;
    std::array<std::uint64_t, batch_limit> hash;  // mixed
    std::array<TwoLevelIndex::Candidates, batch_limit> candidate;
    std::array<Row, batch_limit> at;       // how far up the candidate's chain
    std::array<Depth, batch_limit> links;  // followed so far
    std::array<Row, batch_limit> anchor;   // the number of the explicit key at the chain's end, once it is known
    std::array<Row, batch_limit> found;    // the answers,
    std::array<Depth, batch_limit> depth;  // and the depths of these rows, or more
    std::array<std::uint8_t, batch_limit> open;
  };
  /// What a row could be stored by.
  struct Parent {
    Row row = none;
    std::uint32_t effect = 0;
    Depth depth = 0;  // of the parent, or more
  };

  bool same(const std::uint64_t* a, const std::uint64_t* b) const;

  // Finding (chain_find.cpp).
  void look_up(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> hashes, Lookup& lookup);
  void prefetch_link(Row row) const {
    _links.prefetch(row);
    if (_has_values) _values.prefetch(row);
  }
  bool begin_walk(const std::uint64_t* key, std::size_t i, Lookup& lookup);
  bool walk_on(const std::uint64_t* key, std::size_t i, Lookup& lookup);
  bool take_back(Row row, const LinkTable::Link& link, Depth depth, const std::uint64_t* key, std::uint64_t* undone);
  bool is_rest(const std::uint64_t* known, const std::uint64_t* key, const std::uint64_t* undone) const;
  bool ends_at(std::uint64_t explicit_key, const std::uint64_t* key, const std::uint64_t* undone);
  void note_found(Row row, Depth depth, std::size_t i, Lookup& lookup);
  Row find_young(std::span<const std::uint64_t> keys, const std::uint64_t* key, std::uint64_t mixed, Row first) const;
  Parent find_parent(const std::uint64_t* key, std::uint64_t hash);
  void try_parents(std::size_t count, Parent& best);
  bool fits(Depth depth) const { return _k == 0 || depth < _k; }

  // Adding (chain_store.cpp).
  Row append(const std::uint64_t* key, std::uint64_t hash, std::uint64_t mixed, const Via& via);
  void append_row(const std::uint64_t* key, const Parent& parent, bool is_explicit);
  bool is_told_apart(std::uint64_t hash, std::uint32_t effect) const;
  void shorten(std::uint64_t hash, Row row, Depth depth, const Via& via);
  void resize_cache();
  TwoLevelIndex empty_index() const;
  void make_index();

  // Reading (chain_read.cpp).
  Depth depth_of(Row row);
  Depth count_links(Row row) const;
  void make_key(Row row, std::uint64_t* out);
  std::uint32_t effect_into(Row row, std::uint32_t label, std::uint64_t hash) const;
  void write_values(Row row, std::uint32_t label, std::uint64_t* key) const;
  struct Trees;
  bool make_trees(Trees& trees) const;
  void visit_tree(Row root, Trees& trees, const std::function<void(Row)>& visit);

  StoreChoice _choice;
  std::uint32_t _k;
  bool _has_values;  // a link has the values of the places that change
  bool _walks_back;  // comparisons undo chains; otherwise they make keys
  MemoryBudget* _budget;
  KeyEffects _effects;
  TwoLevelIndex _index;
  LinkTable _links;
  LinkValues _values;
  ExplicitKeys _keys;
  KeyCache _cache;
  std::uint64_t _size = 0, _next_resize = 0;
  bool _has_index = true;

  Lookup _lookup, _parents;
  std::vector<std::uint64_t> _made, _parent_keys, _parent_hashes;
  std::vector<std::uint32_t> _parent_effects;
  std::array<std::uint8_t, batch_limit> _source{};  // per row that this batch added: its number in the batch
  std::bitset<1024> _young;                         // of their mixed hashes, the last ten bits
  struct Step {
    Row row;
    std::uint32_t label;
  };
  std::vector<Step> _path;  // from a row up to one whose key is known
  Row _asked = none;        // the parent whose depth was asked for last
  Depth _asked_depth = 0;
  Row _visited = none;  // by for_each(), with its key
  std::vector<std::uint64_t> _visited_key;
  StoreFigures _figures;
};

}  // namespace dcheck
