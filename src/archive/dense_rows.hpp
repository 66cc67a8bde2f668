#pragma once
// A block of rows in few bytes, for checkpoints: sorted by key, each key as its difference to the one before, and masks
// by number. No one but dcheck reads it. See docs/file-format.md.

#include <string>
#include <string_view>

#include "archive/row_block.hpp"

namespace dcheck {

/// The rows, in another order.
std::string dense_bytes(const RowForm& form, const RowBlock& block);
/// The same rows again, in that order. Throws InputError where the bytes are none.
RowBlock rows_of_dense_bytes(const RowForm& form, std::string_view bytes);

}  // namespace dcheck
