#pragma once
// How much memory this process may use.

#include <cstdint>
#include <optional>

#include "dcheck/base/memory.hpp"

namespace dcheck {

/// The smallest of what the control groups, SLURM and the machine itself allow; none where nothing is known.
std::optional<std::uint64_t> allowed_memory_bytes();

}  // namespace dcheck
