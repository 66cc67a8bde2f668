#pragma once
// How much memory this process may use.

#include <cstdint>
#include <optional>

#include "dcheck/base/memory.hpp"

namespace dcheck {

/// The smallest of what the control groups, SLURM and the machine itself allow; none where nothing is known.
std::optional<std::uint64_t> allowed_memory_bytes();

/// What one rank may use where nobody says: an equal share of 90 % of what its machine allows.
std::uint64_t share_of_memory(std::uint64_t allowed_bytes, int ranks_on_host);

}  // namespace dcheck
