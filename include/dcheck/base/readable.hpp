#pragma once
// Numbers as people read them.

#include <cstdint>
#include <string>

namespace dcheck {

/// 384392800 -> "384,392,800"
std::string with_separators(std::uint64_t value);

/// 45 MiB, 1.50 GiB, 312 bytes: powers of 1024, three significant digits.
std::string as_bytes(std::uint64_t bytes);

/// 292 M, 1.30 k, 17.0: powers of 1000, three significant digits.
std::string as_si(double value);

/// 1.30 s, 12.5 ms, 4 min 10 s, 2 h 03 min.
std::string as_duration(double seconds);

/// numerator / denominator with three significant digits; "-" where the denominator is zero.
std::string as_ratio(std::uint64_t numerator, std::uint64_t denominator);

}  // namespace dcheck
