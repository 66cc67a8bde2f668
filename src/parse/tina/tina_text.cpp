#include "parse/tina/tina_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dcheck/base/utf8.hpp"

namespace dcheck::parse {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '\'';
}

}  // namespace

void TinaText::skip_blanks_of_line() {
  while (peek() == ' ' || peek() == '\t' || peek() == '\r') ++_at;
}

void TinaText::skip_blanks() {
  for (;;) {
    skip_blanks_of_line();
    if (!is_at_end() && peek() == '\n') {
      ++_at;
    } else if (peek() == '#' && is_first_of_line()) {
      skip_line();
    } else {
      return;
    }
  }
}

bool TinaText::is_first_of_line() const {
  for (std::size_t at = _at; at > 0 && _text[at - 1] != '\n'; --at)
    if (_text[at - 1] != ' ' && _text[at - 1] != '\t' && _text[at - 1] != '\r') return false;
  return true;
}

void TinaText::skip_line() {
  _at = std::min(_text.find('\n', _at), _text.size());
}

bool TinaText::accept(std::string_view symbol) {
  skip_blanks();
  if (!_text.substr(_at).starts_with(symbol)) return false;
  _at += symbol.size();
  return true;
}

void TinaText::expect(std::string_view symbol, std::string_view where) {
  if (!accept(symbol)) expected(fmt::format("'{}' {}", symbol, where));
}

bool TinaText::is_at_name() const {
  return peek() == '{' || is_name_character(peek());
}

std::string TinaText::name(std::string_view what) {
  skip_blanks();
  const Offset begin = offset();
  std::string found;
  if (peek() == '{') {
    for (++_at; peek() != '}'; ++_at) {
      if (is_at_end() || peek() == '\n') fail(begin, fmt::format("{} in braces is never closed: expected '}}'", what));
      if (peek() == '\\') ++_at;
      if (!is_at_end()) found += peek();
    }
    ++_at;
  } else {
    while (is_name_character(peek())) found += _text[_at++];
  }
  if (found.empty()) expected(what);
  if (found.size() > longest_name) fail(begin, fmt::format("{} is longer than {} characters", what, longest_name));
  return found;
}

Tokens TinaText::number(std::string_view what) {
  skip_blanks();
  const Offset begin = offset();
  if (!is_digit(peek())) expected(what);
  Tokens value = 0;
  bool is_too_large = false;
  while (is_digit(peek())) {
    is_too_large |= __builtin_mul_overflow(value, Tokens{10}, &value);
    is_too_large |= __builtin_add_overflow(value, Tokens{_text[_at++] - '0'}, &value);
  }
  if (peek() == 'K' || peek() == 'M')
    is_too_large |= __builtin_mul_overflow(value, _text[_at++] == 'K' ? Tokens{1'000} : Tokens{1'000'000}, &value);
  if (is_too_large) fail(begin, fmt::format("{} is too large: expected at most 2^63 - 1", what));
  return value;
}

std::string_view TinaText::word() {
  skip_blanks_of_line();
  const std::size_t begin = _at;
  while (!is_at_end() && std::string_view(" \t\r\n").find(peek()) == std::string_view::npos) ++_at;
  return _text.substr(begin, _at - begin);
}

void TinaText::expected(std::string_view what) const {
  if (is_at_end()) fail(offset(), fmt::format("expected {}, found the end of the text", what));
  const std::size_t length = std::max<std::size_t>(utf8_length(_text.substr(_at)), 1);
  const std::string_view here = peek() == '\n' ? "the end of the line" : _text.substr(_at, length);
  const char* const quote = peek() == '\n' ? "" : "'";
  fail(offset(), fmt::format("expected {}, found {}{}{}", what, quote, shown(here), quote));
}

TinaArc tina_arc(TinaText& text) {
  const Offset at = text.offset();
  if (text.peek() == '!') text.fail(at, "stopwatch arcs are not supported");
  TinaArc arc;
  if (text.peek() != '*' && text.peek() != '?') return arc;
  if (text.accept("?-"))
    arc.kind = TinaArc::Kind::inhibitor;
  else if (text.accept("?"))
    arc.kind = TinaArc::Kind::test;
  else
    text.accept("*");
  arc.weight = text.number("the weight of the arc");
  if (arc.weight == 0 && arc.kind != TinaArc::Kind::normal)
    text.fail(at, "a test or inhibitor arc of weight 0: expected a number above 0");
  return arc;
}

void add_tina_arc(const TinaArc& arc, Place place, ExtendedTransition& transition) {
  if (arc.weight == 0) return;
  auto& arcs = arc.kind == TinaArc::Kind::normal ? transition.inputs
               : arc.kind == TinaArc::Kind::test ? transition.tests
                                                 : transition.inhibitors;
  arcs.push_back({place, arc.weight});
}

}  // namespace dcheck::parse
