#pragma once
// The options that say how rows are stored, in what order they are handled, and what of them waits.

#include <CLI/CLI.hpp>
#include <string>

#include "dcheck/space/row_choice.hpp"

namespace dcheck {

/// As typed, before they are looked into; empty: not given.
struct StoreTexts {
  std::string kind = "packed", waiting = "number", masks = "auto", order;
  std::string k, hash_bits, cache, labels, hashes, table, seed;
  bool no_predecessor_update = false, no_backward_firing = false, no_collapse = false;
};

void declare_store(CLI::App& app, StoreTexts& texts);

/// Throws InputError where a value is wrong, or where options do not go together.
RowChoice read_store(const StoreTexts& texts, bool levels);

}  // namespace dcheck
