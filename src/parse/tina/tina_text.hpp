#pragma once
// The words that Tina's formats have in common: names, numbers, kinds of arcs.

#include <optional>
#include <string>

#include "parse/extended/extended_net.hpp"

namespace dcheck::parse {

/// Goes along a text of Tina's. Blanks are skipped before everything that is read.
class TinaText {
 public:
  explicit TinaText(const SourceText& source) : _source(source), _text(source.text()) {}

  /// Blanks, line ends, and lines that begin with '#'.
  void skip_blanks();
  /// Blanks within the line.
  void skip_blanks_of_line();
  bool is_at_end() const { return _at >= _text.size(); }
  bool is_at_end_of_line() const { return is_at_end() || peek() == '\n'; }
  /// Nothing but blanks stands before this place in its line.
  bool is_first_of_line() const;
  Offset offset() const { return static_cast<Offset>(_at); }
  char peek(std::size_t ahead = 0) const { return _at + ahead < _text.size() ? _text[_at + ahead] : '\0'; }
  void skip_line();

  /// Takes it where it stands here.
  bool accept(std::string_view symbol);
  void expect(std::string_view symbol, std::string_view where);
  bool is_at_name() const;
  /// A name of letters, digits, ' and _, or anything in braces. `what` is how messages call it.
  std::string name(std::string_view what);
  /// A number that may end in K or M.
  Tokens number(std::string_view what);
  /// All up to the next blank.
  std::string_view word();

  [[noreturn]] void fail(Offset at, const std::string& message) const { _source.fail(at, message); }
  [[noreturn]] void expected(std::string_view what) const;

 private:
  const SourceText& _source;
  std::string_view _text;
  std::size_t _at = 0;
};

struct TinaArc {
  enum class Kind : std::uint8_t { normal, test, inhibitor };
  Kind kind = Kind::normal;
  Tokens weight = 1;
};

/// `*3`, `?3`, `?-3` and, for an arc without a sign, nothing. Stopwatch arcs are refused.
TinaArc tina_arc(TinaText& text);

void add_tina_arc(const TinaArc& arc, Place place, ExtendedTransition& transition);

}  // namespace dcheck::parse
