#pragma once
// A text under a name, and the one way to complain about a spot in it.

#include <cstdint>
#include <string>
#include <string_view>

#include "dcheck/base/error.hpp"
#include "dcheck/base/utf8.hpp"

namespace dcheck::parse {

/// A byte offset into a text. Lines and columns are worked out only when an error needs them.
using Offset = std::uint32_t;

/// Whether complaints show the line they are about. Formulas do; models are promised one line.
enum class Excerpts : std::uint8_t { no, yes };

/// Views the text: it must outlive this object.
class SourceText {
 public:
  SourceText(std::string_view text, std::string file, Excerpts excerpts = Excerpts::no)
      : _text(text), _file(std::move(file)), _excerpts(excerpts) {}

  std::string_view text() const { return _text; }
  const std::string& file() const { return _file; }

  /// Columns count characters, not bytes.
  SourcePosition position(Offset at) const;

  /// Throws InputError `file:line:column: message`, with an excerpt where that was asked for.
  [[noreturn]] void fail(Offset at, const std::string& message) const;

  /// Fails where the text is not valid UTF-8.
  void require_utf8() const;

 private:
  std::string_view _text;
  std::string _file;
  Excerpts _excerpts;
};

/// What some editors put before the first character of a UTF-8 text. It is no part of the text.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Bytes that a name may have.
inline constexpr std::size_t longest_name = 10'000;

using dcheck::shown;

/// What a net is called that has no name of its own: the file's name without its ending. Always valid UTF-8.
std::string name_of_file(const std::string& file);

}  // namespace dcheck::parse
