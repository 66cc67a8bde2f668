#pragma once
// Cuts model and formula text into tokens, one at a time (docs/language.md, "Words").

#include <string>
#include <string_view>

#include "dcheck/base/ids.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse {

struct Token {
  enum class Kind : std::uint8_t { name, integer, decimal, keyword, symbol, end };
  Kind kind = Kind::end;
  Offset begin = 0, end = 0;
  std::string_view text;  // as written
  std::string name;       // where kind == name: without quotes and escapes
  Tokens value = 0;       // where kind == integer

  /// Keyword or symbol with this spelling. A quoted name is never one.
  bool is(std::string_view spelling) const {
    return (kind == Kind::keyword || kind == Kind::symbol) && text == spelling;
  }
};

class Lexer {
 public:
  explicit Lexer(const SourceText& source);

  /// The next token; `end` for ever after the last one. Throws InputError on what is no token.
  Token next();

 private:
  void skip_blanks_and_comments();
  Token word();
  Token quoted_name();
  Token symbol();
  Token made(Token::Kind kind, std::size_t begin) const;
  char peek(std::size_t ahead = 0) const { return _at + ahead < _text.size() ? _text[_at + ahead] : '\0'; }
  [[noreturn]] void fail(std::size_t at, const std::string& message) const;

  const SourceText& _source;
  std::string_view _text;
  std::size_t _at = 0;
};

/// How a message calls this token: `'place'`, `the name 'p'`, `the end of the text`.
std::string described(const Token& token);

}  // namespace dcheck::parse
