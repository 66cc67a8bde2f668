#pragma once
// How rows are to be stored: what a user may ask for, as plain data. See docs/stores.md.

#include <cstdint>
#include <optional>

namespace dcheck {

struct StoreChoice {
  enum class Kind : std::uint8_t { packed, delta, comback, condensed, difference, compaction, bitstate };
  Kind kind = Kind::packed;

  // Of the stores with chains: delta, comback, difference, and condensed, which is comback until all is explored.

  /// A row is stored with its key where its chain would have so many links; 0: only where there is no parent.
  /// Empty: store_under() chooses 20 for delta and difference; for the others 0 where rows are handled breadth-first
  /// (with one lane, or level by level), otherwise 100.
  std::optional<std::uint32_t> k;
  /// Of a hash, kept by the index to tell most keys apart; in compaction all that is kept.
  unsigned hash_bits = 27;
  /// Rows whose keys are at hand. Empty: as many as three quarters of a byte per row allow, and 1024 at least.
  std::optional<std::uint64_t> cache_rows;
  bool update_predecessors = true;  // a row that is found again over a shorter chain takes that; not difference
  bool backward_firing = true;      // compare by unfiring the chain from the key, not by making the row's key first
  bool collapse = true;             // number the values that occur in parts of keys
  bool family_labels = false;       // transitions of one family share a label

  // Of those that keep hashes alone (store/lossy/lossy_set.hpp): compaction, whose hash_bits are 40 where nothing else
  // is said, and bitstate.

  static constexpr unsigned most_hashes = 32;
  std::uint64_t seed = 1;  // of the hashes, and of the order of rows but for the first seed
  unsigned hashes = 3;     // bitstate: bits for each state
  /// bitstate: of the table. Empty: 256 MiB, or an eighth of the memory there is.
  std::optional<std::uint64_t> table_bytes;

  /// Whether states may be left out.
  bool is_lossy() const { return kind == Kind::compaction || kind == Kind::bitstate; }
  bool has_chains() const { return kind != Kind::packed && !is_lossy(); }

  bool operator==(const StoreChoice&) const = default;
};

}  // namespace dcheck
