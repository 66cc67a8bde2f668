#include "parse/cspl/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <set>

#include "dcheck/base/utf8.hpp"

namespace dcheck::parse::cspl {
namespace {

constexpr std::size_t most_tokens = 2'000'000, most_expansions = 3'000'000;

// Longer spellings first.
constexpr std::array symbols{"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                             "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "+",  "-",
                             "*",   "/",   "%",   "<",  ">",  "=",  "!",  "?",  ":",  ";",  ",",  "(",
                             ")",   "[",   "]",   "{",  "}",  "&",  "|",  "^",  "~",  "."};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Raw tokens, one at a time.
class Scanner {
 public:
  explicit Scanner(const SourceText& source) : _source(source), _text(source.text()) {
    if (_text.starts_with(byte_order_mark)) _at = byte_order_mark.size();
  }

  bool is_first_of_line = true;  // of the token that next() would return

  /// Within a directive a line end is the end of the text.
  Token next(bool is_in_directive = false) {
    skip_blanks(is_in_directive);
    Token token;
    token.at = static_cast<Offset>(_at);
    if (is_at_end() || (is_in_directive && peek() == '\n')) return token;
    is_first_of_line = false;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      number(token);
    } else if (is_word(peek())) {
      token.kind = Token::Kind::name;
      while (is_word(peek())) token.text += _text[_at++];
      if (token.text.size() > longest_name)
        fail(token.at, fmt::format("name is longer than {} characters", longest_name));
    } else if (peek() == '"') {
      token.kind = Token::Kind::text;
      token.text = quoted('"');
    } else if (peek() == '\'') {
      token.kind = Token::Kind::integer;
      const std::string character = quoted('\'');
      if (character.size() != 1) fail(token.at, "expected one character between single quotes");
      token.integer = static_cast<unsigned char>(character[0]);
    } else {
      symbol(token);
    }
    return token;
  }

  bool is_at_directive() {
    skip_blanks(false);
    return is_first_of_line && peek() == '#';
  }

  /// Takes the '#', and returns where it stands.
  Offset begin_directive() { return static_cast<Offset>(_at++); }
  bool is_at_parenthesis() const { return peek() == '('; }

  void skip_line() {
    while (!is_at_end() && peek() != '\n') _at += peek() == '\\' && peek(1) == '\n' ? 2 : 1;
  }

  Offset offset() const { return static_cast<Offset>(_at); }
  [[noreturn]] void fail(Offset at, const std::string& message) const { _source.fail(at, message); }

 private:
  bool is_at_end() const { return _at >= _text.size(); }
  char peek(std::size_t ahead = 0) const { return _at + ahead < _text.size() ? _text[_at + ahead] : '\0'; }

  void skip_blanks(bool is_in_directive) {
    for (;;) {
      if (peek() == '/' && peek(1) == '/') {
        _at = std::min(_text.find('\n', _at), _text.size());
      } else if (peek() == '/' && peek(1) == '*') {
        const std::size_t close = _text.find("*/", _at + 2);
        if (close == std::string_view::npos) fail(offset(), "comment is never closed: expected '*/'");
        _at = close + 2;
      } else if (peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
        _at += peek(1) == '\n' ? 2 : 3;  // the line goes on
      } else if (peek() == '\n' && !is_in_directive) {
        is_first_of_line = true;
        ++_at;
      } else if (!is_at_end() && std::string_view(" \t\r\f\v").find(peek()) != std::string_view::npos) {
        ++_at;
      } else {
        return;
      }
    }
  }

  void number(Token& token) {
    const std::size_t begin = _at;
    const auto is_exponent_sign = [&] {
      const char last = _text[_at - 1];
      return (peek() == '+' || peek() == '-') && (last == 'e' || last == 'E') && is_digit(peek(1)) &&
             !_text.substr(begin).starts_with("0x");
    };
    while (is_word(peek()) || peek() == '.' || is_exponent_sign()) ++_at;
    std::string text(_text.substr(begin, _at - begin));
    const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    const bool is_real = !is_hexadecimal && text.find_first_of(".eE") != std::string::npos;
    while (!text.empty() &&
           (is_real ? std::string_view("fFlL") : std::string_view("uUlL")).find(text.back()) != std::string_view::npos)
      text.pop_back();
    char* end = nullptr;
    if (is_real) {
      token.kind = Token::Kind::real;
      token.real = std::strtod(text.c_str(), &end);
      if (end != text.c_str() + text.size()) fail(token.at, fmt::format("'{}' is no number", shown(text)));
      return;
    }
    token.kind = Token::Kind::integer;
    const int base = is_hexadecimal ? 16 : text.size() > 1 && text[0] == '0' ? 8 : 10;
    const std::string_view digits = std::string_view(text).substr(is_hexadecimal ? 2 : 0);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), token.integer, base);
    if (error == std::errc::result_out_of_range)
      fail(token.at, fmt::format("number '{}' is too large: expected at most 9223372036854775807", shown(text)));
    if (error != std::errc{} || stop != digits.data() + digits.size())
      fail(token.at, fmt::format("'{}' is no number", shown(text)));
  }

  std::string quoted(char quote) {
    const Offset begin = offset();
    std::string result;
    for (++_at; peek() != quote; ++_at) {
      if (is_at_end() || peek() == '\n') fail(begin, fmt::format("quotes are never closed: expected {}", quote));
      if (peek() != '\\') {
        result += peek();
        continue;
      }
      ++_at;
      constexpr std::string_view escapes = "n\nt\tr\ra\ab\bf\fv\v\\\\\"\"''??";
      if (peek() == '0' && !is_digit(peek(1))) fail(offset(), "a character of code 0 within quotes is not supported");
      const std::size_t found = peek() == '\n' ? std::string_view::npos : escapes.find(peek());
      if (found == std::string_view::npos || found % 2 != 0)
        fail(offset() - 1, "expected one of \\n \\t \\r \\\\ \\\" \\' after '\\'");
      result += escapes[found + 1];
    }
    ++_at;
    return result;
  }

  void symbol(Token& token) {
    const std::string_view rest = _text.substr(_at);
    for (const std::string_view spelling : symbols) {
      if (!rest.starts_with(spelling)) continue;
      token.kind = Token::Kind::symbol;
      token.text = spelling;
      _at += spelling.size();
      return;
    }
    const std::size_t length = std::max<std::size_t>(utf8_length(rest), 1);
    fail(token.at, fmt::format("unexpected character '{}'", shown(rest.substr(0, length))));
  }

  const SourceText& _source;
  std::string_view _text;
  std::size_t _at = 0;
};

class Preprocessor {
 public:
  Preprocessor(const SourceText& source, const ParameterTexts& given) : _scanner(source), _given(given) {}

  Tokenized all() {
    for (;;) {
      if (_scanner.is_at_directive()) {
        directive();
        continue;
      }
      Token token = _scanner.next();
      if (token.kind == Token::Kind::end) {
        if (!_conditions.empty()) _scanner.fail(_conditions.back().at, "expected '#endif' to close this");
        emit(std::move(token));
        return std::move(_result);
      }
      if (is_passed_over()) continue;
      std::set<std::string> inside;
      expand(std::move(token), inside);
    }
  }

 private:
  struct Condition {
    bool is_taken;
    Offset at;
  };

  bool is_passed_over() const {
    return std::ranges::any_of(_conditions, [](const Condition& condition) { return !condition.is_taken; });
  }

  void emit(Token token) {
    if (_result.tokens.size() >= most_tokens)
      _scanner.fail(token.at, fmt::format("the file has more than {} words", most_tokens));
    // Neighbouring string literals are one.
    if (token.kind == Token::Kind::text && !_result.tokens.empty() && _result.tokens.back().kind == Token::Kind::text) {
      _result.tokens.back().text += token.text;
      return;
    }
    _result.tokens.push_back(std::move(token));
  }

  void expand(Token token, std::set<std::string>& inside) {
    const auto macro = token.kind == Token::Kind::name ? _macros.find(token.text) : _macros.end();
    if (++_expanded > most_expansions) _scanner.fail(token.at, "macros stand for too much");
    if (macro == _macros.end() || !inside.insert(token.text).second) return emit(std::move(token));
    for (Token part : macro->second) {
      part.at = token.at;
      expand(std::move(part), inside);
    }
    inside.erase(token.text);
  }

  std::string name_of_macro(Offset at) {
    const Token token = _scanner.next(true);
    if (token.kind != Token::Kind::name) _scanner.fail(at, "expected a name after the directive");
    return token.text;
  }

  void directive() {
    const Offset at = _scanner.begin_directive();
    const std::string kind = name_of_macro(at);
    if (kind == "ifdef" || kind == "ifndef") {
      const bool is_defined = _macros.contains(name_of_macro(at));
      _conditions.push_back({is_defined == (kind == "ifdef"), at});
    } else if (kind == "else" || kind == "endif") {
      if (_conditions.empty()) _scanner.fail(at, fmt::format("'#{}' without '#ifdef' or '#ifndef'", kind));
      if (kind == "endif")
        _conditions.pop_back();
      else
        _conditions.back().is_taken = !_conditions.back().is_taken;
    } else if (!is_passed_over() && kind == "define") {
      define(at);
    } else if (!is_passed_over() && kind == "undef") {
      _macros.erase(name_of_macro(at));
    } else if (!is_passed_over() && kind != "include" && kind != "pragma") {
      _scanner.fail(at, fmt::format("'#{}' is not supported: expected #define, #undef, #ifdef, #ifndef, #else, #endif "
                                    "or #include",
                                    shown(kind)));
    }
    _scanner.skip_line();
  }

  void define(Offset at) {
    const std::string name = name_of_macro(at);
    if (_scanner.is_at_parenthesis())
      _scanner.fail(at, fmt::format("#define of '{}' with arguments is not supported", shown(name)));
    std::vector<Token> body;
    for (Token token = _scanner.next(true); token.kind != Token::Kind::end; token = _scanner.next(true))
      body.push_back(std::move(token));
    std::erase_if(_result.constants, [&](const Parameter& constant) { return constant.name == name; });
    if (body.size() == 1 && body[0].kind == Token::Kind::integer) {
      body[0].integer = given_or(name, body[0].integer);
      _result.constants.push_back({name, body[0].integer});
    }
    _macros.insert_or_assign(name, std::move(body));
  }

  /// What is no integer is complained about where all of -D is looked at.
  Tokens given_or(const std::string& name, Tokens otherwise) const {
    for (const auto& [parameter, text] : _given) {
      if (parameter != name) continue;
      Tokens value = 0;
      const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error == std::errc{} && stop == text.data() + text.size()) return value;
    }
    return otherwise;
  }

  Scanner _scanner;
  const ParameterTexts& _given;
  std::map<std::string, std::vector<Token>> _macros;
  std::vector<Condition> _conditions;
  std::size_t _expanded = 0;
  Tokenized _result;
};

}  // namespace

Tokenized tokenize(const SourceText& source, const ParameterTexts& given) {
  return Preprocessor(source, given).all();
}

std::string described(const Token& token) {
  switch (token.kind) {
    case Token::Kind::end:
      return "the end of the text";
    case Token::Kind::name:
      return fmt::format("'{}'", shown(token.text));
    case Token::Kind::integer:
      return fmt::format("the number {}", token.integer);
    case Token::Kind::real:
      return fmt::format("the number {}", token.real);
    case Token::Kind::text:
      return fmt::format("\"{}\"", shown(token.text));
    default:
      return fmt::format("'{}'", token.text);
  }
}

}  // namespace dcheck::parse::cspl
