#include "parse/source_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "parse/excerpt.hpp"

namespace dcheck::parse {
namespace {

constexpr std::size_t longest_shown = 80;

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

}  // namespace

std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return 0;
  }
  // Overlong forms, surrogates, and what lies beyond the last code point.
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) > 0x9F) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

SourcePosition SourceText::position(Offset at) const {
  const std::string_view before = _text.substr(0, std::min<std::size_t>(at, _text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  std::string_view in_line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  if (line == 1 && in_line.starts_with(byte_order_mark)) in_line.remove_prefix(byte_order_mark.size());
  const auto column = std::count_if(in_line.begin(), in_line.end(), [](char c) { return !is_continuation(c); }) + 1;
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
}

void SourceText::fail(Offset at, const std::string& message) const {
  throw InputError(_file, position(at), message, _excerpts == Excerpts::yes ? excerpt(_text, at) : "");
}

void SourceText::require_utf8() const {
  const std::size_t bad = first_invalid_utf8(_text);
  if (bad != std::string_view::npos) fail(static_cast<Offset>(bad), "text is not valid UTF-8");
}

std::string shown(std::string_view text) {
  std::string result;
  while (!text.empty() && result.size() < longest_shown) {
    const std::size_t length = sequence_length(text);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 0 || byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text.empty() ? result : result + "...";
}

std::size_t first_invalid_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::string_view::npos;
}

}  // namespace dcheck::parse
