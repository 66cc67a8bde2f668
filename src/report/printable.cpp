#include "report/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace dcheck {
namespace {

std::uint8_t byte(char c) {
  return static_cast<std::uint8_t>(c);
}

bool is_continuation(char c) {
  return (byte(c) & 0xC0U) == 0x80U;
}

/// Bytes of the character that starts at text[0]; 0 where those bytes are not UTF-8.
std::size_t utf8_length(std::string_view text) {
  const std::uint8_t first = byte(text[0]);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  std::size_t length = 2;
  if (first >= 0xE0) length = first < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), is_continuation)) return 0;
  const std::uint8_t second = byte(text[1]);
  const bool is_overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool is_surrogate = first == 0xED && second >= 0xA0;
  const bool is_beyond_unicode = first == 0xF4 && second >= 0x90;
  return is_overlong || is_surrogate || is_beyond_unicode ? 0 : length;
}

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    std::size_t length = utf8_length(text);
    const std::uint8_t first = byte(text[0]);
    if (length == 0 || first < 0x20 || first == 0x7F) {
      length = 1;
      shown += fmt::format("\\x{:02x}", first);
    } else if (first == 0xC2 && byte(text[1]) < 0xA0) {  // U+0080 to U+009F
      shown += fmt::format("\\u{:04x}", byte(text[1]));
    } else {
      shown += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return shown;
}

std::string printable_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (!is_blank(c)) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return printable(line);
}

std::size_t width_of(std::string_view printable_text) {
  return static_cast<std::size_t>(
      std::count_if(printable_text.begin(), printable_text.end(), [](char c) { return !is_continuation(c); }));
}

std::string cut_to(std::string_view printable_text, std::size_t columns) {
  if (width_of(printable_text) <= columns) return std::string(printable_text);
  std::size_t end = 0;
  for (std::size_t kept = 0; kept + 1 < columns; ++kept) {
    ++end;
    while (is_continuation(printable_text[end])) ++end;
  }
  return columns == 0 ? "" : std::string(printable_text.substr(0, end)) + "…";
}

}  // namespace dcheck
