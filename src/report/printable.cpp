#include "report/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "dcheck/base/utf8.hpp"

namespace dcheck {
namespace {

std::uint8_t byte(char c) {
  return static_cast<std::uint8_t>(c);
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
      std::count_if(printable_text.begin(), printable_text.end(), [](char c) { return !is_utf8_continuation(c); }));
}

std::string cut_to(std::string_view printable_text, std::size_t columns) {
  if (width_of(printable_text) <= columns) return std::string(printable_text);
  std::size_t end = 0;
  for (std::size_t kept = 0; kept + 1 < columns; ++kept) {
    ++end;
    while (is_utf8_continuation(printable_text[end])) ++end;
  }
  return columns == 0 ? "" : std::string(printable_text.substr(0, end)) + "…";
}

}  // namespace dcheck
