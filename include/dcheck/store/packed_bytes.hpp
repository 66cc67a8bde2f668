#pragma once
// What the packed stores will take: for estimates, without making them.

#include <cstdint>

#include "dcheck/rows/layout.hpp"

namespace dcheck {

/// Bytes of SlotStore with so many keys, within a few percent. Never fewer as keys become more.
std::uint64_t slot_store_bytes(unsigned key_bits, std::uint64_t keys);

/// The same of the packed store of dense rows.
std::uint64_t dense_store_bytes(const Layout& layout, std::uint64_t rows);

}  // namespace dcheck
