#pragma once
// How much memory this process has used.

#include <cstdint>

namespace dcheck {

/// Largest resident set of this process so far.
std::uint64_t peak_rss_bytes();

}  // namespace dcheck
