#pragma once
// SHA-256 (FIPS 180-4), to tell whether a model file is the one a saved state space was made from.

#include <string>
#include <string_view>

namespace dcheck {

/// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace dcheck
