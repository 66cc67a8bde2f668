#include "parse/source_text.hpp"

#include <algorithm>
#include <filesystem>

#include "dcheck/base/utf8.hpp"
#include "parse/excerpt.hpp"

namespace dcheck::parse {

SourcePosition SourceText::position(Offset at) const {
  const std::string_view before = _text.substr(0, std::min<std::size_t>(at, _text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t newline = before.rfind('\n');
  std::string_view in_line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  if (line == 1 && in_line.starts_with(byte_order_mark)) in_line.remove_prefix(byte_order_mark.size());
  const auto column =
      std::count_if(in_line.begin(), in_line.end(), [](char c) { return !is_utf8_continuation(c); }) + 1;
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)};
}

void SourceText::fail(Offset at, const std::string& message) const {
  throw InputError(_file, position(at), message, _excerpts == Excerpts::yes ? excerpt(_text, at) : "");
}

void SourceText::require_utf8() const {
  const std::size_t bad = first_invalid_utf8(_text);
  if (bad != std::string_view::npos) fail(static_cast<Offset>(bad), "text is not valid UTF-8");
}

std::string name_of_file(const std::string& file) {
  const std::string stem = std::filesystem::path(file).stem().string();
  return first_invalid_utf8(stem) == std::string::npos ? stem : shown(stem);
}

}  // namespace dcheck::parse
