#pragma once
// A text under a name, and the one way to complain about a spot in it.

#include <cstdint>
#include <string>
#include <string_view>

#include "dcheck/base/error.hpp"

namespace dcheck::parse {

/// A byte offset into a text. Lines and columns are worked out only when an error needs them.
using Offset = std::uint32_t;

/// Views the text: it must outlive this object.
class SourceText {
 public:
  SourceText(std::string_view text, std::string file) : _text(text), _file(std::move(file)) {}

  std::string_view text() const { return _text; }
  const std::string& file() const { return _file; }

  /// Columns count characters, not bytes.
  SourcePosition position(Offset at) const;

  /// Throws InputError `file:line:column: message`.
  [[noreturn]] void fail(Offset at, const std::string& message) const;

 private:
  std::string_view _text;
  std::string _file;
};

/// A piece of the user's text for use inside a one-line message: control characters and broken UTF-8
/// are escaped, and what is long is shortened.
std::string shown(std::string_view text);

/// Offset of the first byte that is not part of valid UTF-8; npos where all is well.
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace dcheck::parse
