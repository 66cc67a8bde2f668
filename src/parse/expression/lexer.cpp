#include "parse/expression/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "dcheck/base/utf8.hpp"

namespace dcheck::parse {
namespace {

constexpr std::array keywords{"param",    "place",   "trans", "for",   "in",     "where",  "let",      "check",
                              "init",     "rate",    "when",  "sum",   "exists", "forall", "fireable", "inhibit",
                              "deadlock", "initial", "true",  "false", "EX",     "AX",     "EF",       "AF",
                              "EG",       "AG",      "E",     "A",     "U"};

// Longer spellings first.
constexpr std::array symbols{"<->", "->", "..", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "=", "!", "+", "-",
                             "*",   "/",  "%",  "?",  ":",  ";",  ",",  "(",  ")",  "[", "]", "{", "}", "`"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

/// digits [. digits] [e digits]; `2.` and `1.2.3` are none.
bool is_decimal(std::string_view text) {
  text.remove_prefix(count_digits(text));
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t digits = count_digits(text);
    if (digits == 0) return false;
    text.remove_prefix(digits);
  }
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(text.size() > 1 && (text[1] == '-' || text[1] == '+') ? 2 : 1);
  return !text.empty() && count_digits(text) == text.size();
}

/// `1e` or `2.5E`: what may go on with a sign.
bool awaits_exponent(std::string_view text) {
  return (text.ends_with('e') || text.ends_with('E')) && is_decimal(std::string(text) + "0");
}

}  // namespace

Lexer::Lexer(const SourceText& source) : _source(source), _text(source.text()) {
  if (_text.starts_with(byte_order_mark)) _at = byte_order_mark.size();
}

void Lexer::fail(std::size_t at, const std::string& message) const {
  _source.fail(static_cast<Offset>(at), message);
}

Token Lexer::made(Token::Kind kind, std::size_t begin) const {
  return {kind, static_cast<Offset>(begin), static_cast<Offset>(_at), _text.substr(begin, _at - begin), {}, 0};
}

Token Lexer::next() {
  const std::size_t end_of_last = _at;
  skip_blanks_and_comments();
  if (_at >= _text.size()) {
    // What is missing is missing after the last word, not in the blanks behind it.
    _at = end_of_last;
    return made(Token::Kind::end, _at);
  }
  if (is_word(peek())) return word();
  return peek() == '"' ? quoted_name() : symbol();
}

void Lexer::skip_blanks_and_comments() {
  while (_at < _text.size()) {
    if (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') {
      ++_at;
    } else if (peek() == '/' && peek(1) == '/') {
      _at = std::min(_text.find('\n', _at), _text.size());
    } else if (peek() == '/' && peek(1) == '*') {
      const std::size_t close = _text.find("*/", _at + 2);
      if (close == std::string_view::npos) fail(_at, "comment is never closed: expected '*/'");
      _at = close + 2;
    } else {
      return;
    }
  }
}

Token Lexer::word() {
  const std::size_t begin = _at;
  // A dot belongs to the word only between word characters, so that a..b is a range.
  while (is_word(peek()) || (peek() == '.' && is_word(peek(1)))) ++_at;
  const std::string_view text = _text.substr(begin, _at - begin);
  if (is_digit(text[0])) {
    if ((peek() == '-' || peek() == '+') && is_digit(peek(1)) && awaits_exponent(text)) {
      ++_at;
      while (is_digit(peek())) ++_at;
      return made(Token::Kind::decimal, begin);
    }
    if (count_digits(text) == text.size()) {
      Token token = made(Token::Kind::integer, begin);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), token.value);
      if (error == std::errc{} && end == text.data() + text.size()) return token;
      fail(begin, fmt::format("number '{}' is too large: expected at most 9223372036854775807", shown(text)));
    }
    if (is_decimal(text)) return made(Token::Kind::decimal, begin);
    if (std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || c == '.'; })) {
      fail(begin, fmt::format("'{}' is neither a number nor a name: a name like this needs quotes", shown(text)));
    }
  }
  if (text.size() > longest_name) fail(begin, fmt::format("name is longer than {} characters", longest_name));
  const bool reserved = std::find(keywords.begin(), keywords.end(), text) != keywords.end();
  Token token = made(reserved ? Token::Kind::keyword : Token::Kind::name, begin);
  if (!reserved) token.name = text;
  return token;
}

Token Lexer::quoted_name() {
  const std::size_t begin = _at++;
  std::string name;
  for (;; ++_at) {
    if (_at >= _text.size() || peek() == '\n') fail(begin, "quoted name is never closed: expected '\"'");
    if (static_cast<unsigned char>(peek()) < 0x20) fail(_at, "control character in a quoted name");
    if (name.size() > longest_name) fail(begin, fmt::format("name is longer than {} characters", longest_name));
    if (peek() == '"') break;
    if (peek() == '\\') {
      ++_at;
      if (peek() != '"' && peek() != '\\') fail(_at - 1, "expected '\\\"' or '\\\\' after '\\' in a quoted name");
    }
    name += peek();
  }
  ++_at;
  if (name.empty()) fail(begin, "a name cannot be empty");
  Token token = made(Token::Kind::name, begin);
  token.name = std::move(name);
  return token;
}

Token Lexer::symbol() {
  const std::string_view rest = _text.substr(_at);
  for (const std::string_view spelling : symbols) {
    if (!rest.starts_with(spelling)) continue;
    _at += spelling.size();
    return made(Token::Kind::symbol, _at - spelling.size());
  }
  // Show a whole character, not its first byte.
  std::size_t length = 1;
  while (length < rest.size() && is_utf8_continuation(rest[length])) ++length;
  std::string hint;
  if (rest[0] == '&' || rest[0] == '|') hint = fmt::format(": expected '{0}{0}'", rest[0]);
  if (static_cast<unsigned char>(rest[0]) >= 0x80) hint = ": names with such characters need double quotes";
  fail(_at, fmt::format("unexpected character '{}'{}", shown(rest.substr(0, length)), hint));
}

std::string described(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the text";
    case Token::Kind::name:
      return fmt::format("the name '{}'", shown(token.name));
    case Token::Kind::integer:
    case Token::Kind::decimal:
      return fmt::format("the number {}", shown(token.text));
    default:
      return fmt::format("'{}'", shown(token.text));
  }
}

}  // namespace dcheck::parse
