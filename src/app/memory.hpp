#pragma once
// How much memory this process may use, and how much it has used.

#include <cstdint>
#include <optional>

namespace dcheck {

/// The smallest of what the control groups, SLURM and the machine itself allow; none where nothing is known.
std::optional<std::uint64_t> allowed_memory_bytes();

/// Largest resident set of this process so far.
std::uint64_t peak_rss_bytes();

}  // namespace dcheck
