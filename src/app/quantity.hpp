#pragma once
// Numbers with units, lists and misspelt names, as people type them on a command line.
// Errors are InputErrors without a prefix: what is wrong and what was expected.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dcheck {

/// "90", "90s", "15m", "2h", "1.5h" in seconds.
double parse_seconds(std::string_view text);

/// "4096", "800M", "2G": K, M, G, T are powers of 1024.
std::uint64_t parse_bytes(std::string_view text);

/// A whole number from `least` to `most`.
std::uint64_t parse_count(std::string_view text, std::uint64_t least = 1,
                          std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// Splits at commas outside brackets and double quotes; quotes around a whole name are taken off.
std::vector<std::string> split_names(std::string_view text);

/// The candidate a typing error away from `word`; empty where none is close.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace dcheck
