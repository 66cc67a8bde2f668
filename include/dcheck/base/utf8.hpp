#pragma once
// UTF-8, as far as messages and reports need it.

#include <cstddef>
#include <string>
#include <string_view>

namespace dcheck {

/// A byte that goes on with a character, and does not begin one.
constexpr bool is_utf8_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Length in bytes of the valid character at the start of a text that is not empty; 0 where there is none: overlong
/// forms, surrogates and what lies beyond the last code point are not valid.
std::size_t utf8_length(std::string_view text);

/// Offset of the first byte that is not part of valid UTF-8; npos where all is well.
std::size_t first_invalid_utf8(std::string_view text);

/// A piece of the user's text for use inside a one-line message: control characters and broken UTF-8
/// are escaped, and what is long is shortened.
std::string shown(std::string_view text);

}  // namespace dcheck
