#pragma once
// How rows are to be stored: what a user may ask for, as plain data. See docs/stores.md.

#include <cstdint>
#include <optional>

namespace dcheck {

struct StoreChoice {
  enum class Kind : std::uint8_t { packed, delta, comback, condensed };
  Kind kind = Kind::packed;

  // Of the stores with chains: delta, comback, and condensed, which is comback until all is explored.

  /// A row is stored with its key where its chain would have so many links; 0: only where there is no parent.
  /// Empty: store_under() chooses 20 for delta; for the others 0 where rows are handled breadth-first (with one lane,
  /// or level by level), otherwise 100.
  std::optional<std::uint32_t> k;
  /// Of a hash, kept by the index to tell most keys apart.
  unsigned hash_bits = 27;
  /// Rows whose keys are at hand. Empty: as many as three quarters of a byte per row allow, and 1024 at least.
  std::optional<std::uint64_t> cache_rows;
  bool update_predecessors = true;  // a row that is found again over a shorter chain takes that
  bool backward_firing = true;      // compare by unfiring the chain from the key, not by making the row's key first
  bool collapse = true;             // number the values that occur in parts of keys
  bool family_labels = false;       // transitions of one family share a label

  bool operator==(const StoreChoice&) const = default;
};

}  // namespace dcheck
