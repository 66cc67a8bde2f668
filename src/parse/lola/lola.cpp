// parse_lola: LoLA's low-level nets. `SAFE` and fairness say nothing about which markings are reached.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dcheck/base/utf8.hpp"
#include "dcheck/parse/model.hpp"
#include "parse/extended/translate.hpp"
#include "parse/nearest.hpp"

namespace dcheck {
namespace parse {
namespace {

constexpr std::string_view blanks = " \t\r\n", separators = ",;:()";

class LolaReader {
 public:
  LolaReader(const SourceText& source, const std::string& name) : _source(source), _text(source.text()) {
    _net.name = name;
    if (_text.starts_with(byte_order_mark)) _end = byte_order_mark.size();
    advance();
  }

  ExtendedNet all() {
    expect("PLACE");
    places();
    expect("MARKING");
    marking();
    while (!_word.empty()) transition();
    return std::move(_net);
  }

 private:
  /// To the next word, or symbol of one character; empty at the end.
  void advance() {
    _begin = skip_blanks_and_comments(_end);
    if (_begin == _text.size()) {
      _end = _begin;
    } else if (separators.find(_text[_begin]) != std::string_view::npos) {
      _end = _begin + 1;
    } else {
      _end = std::min(_text.find_first_of(" \t\r\n,;:(){}", _begin), _text.size());
      if (_end == _begin) fail("expected a name, found '}'");
    }
    _word = _text.substr(_begin, _end - _begin);
  }

  std::size_t skip_blanks_and_comments(std::size_t at) {
    for (;;) {
      at = std::min(_text.find_first_not_of(blanks, at), _text.size());
      std::string_view close;
      if (_text.substr(at).starts_with('{')) close = "}";
      if (_text.substr(at).starts_with("/*")) close = "*/";
      if (close.empty()) return at;
      const std::size_t end = _text.find(close, at + 1);
      if (end == std::string_view::npos)
        _source.fail(static_cast<Offset>(at), fmt::format("comment is never closed: expected '{}'", close));
      at = end + close.size();
    }
  }

  [[noreturn]] void fail(const std::string& message) const { _source.fail(static_cast<Offset>(_begin), message); }

  [[noreturn]] void expected(std::string_view what) const {
    if (_word.empty()) fail(fmt::format("expected {}, found the end of the text", what));
    fail(fmt::format("expected {}, found '{}'", what, shown(_word)));
  }

  bool accept(std::string_view word) {
    if (_word != word) return false;
    advance();
    return true;
  }

  void expect(std::string_view word, std::string_view where = "") {
    if (!accept(word)) expected(fmt::format("'{}'{}", word, where));
  }

  std::string name(std::string_view what) {
    constexpr std::array keywords{"PLACE",   "MARKING", "SAFE", "TRANSITION", "CONSUME",
                                  "PRODUCE", "STRONG",  "WEAK", "FAIR"};
    const bool is_symbol = _word.size() == 1 && separators.find(_word[0]) != std::string_view::npos;
    if (_word.empty() || is_symbol || std::ranges::find(keywords, _word) != keywords.end()) expected(what);
    if (_word.size() > longest_name) fail(fmt::format("name is longer than {} characters", longest_name));
    std::string found(_word);
    advance();
    return found;
  }

  Tokens number() {
    Tokens value = 0;
    bool is_number = !_word.empty(), is_too_large = false;
    for (const char c : _word) {
      is_number &= c >= '0' && c <= '9';
      is_too_large |= __builtin_mul_overflow(value, Tokens{10}, &value);
      is_too_large |= __builtin_add_overflow(value, Tokens{c - '0'}, &value);
    }
    if (!is_number) expected("a number");
    if (is_too_large) fail(fmt::format("number {} is too large: expected at most 2^63 - 1", shown(_word)));
    advance();
    return value;
  }

  void places() {
    do {
      if (accept("SAFE")) {
        if (_word != ":") number();
        expect(":", " after 'SAFE'");
      }
      do {
        const std::size_t at = _begin;
        const std::string place = name("the name of a place");
        if (_net.find_place(place))
          _source.fail(static_cast<Offset>(at),
                       fmt::format("duplicate name '{}': it is already a place", shown(place)));
        _net.add_place(place);
      } while (accept(","));
      expect(";", " or ',' after a place");
    } while (_word != "MARKING");
  }

  Place known_place() {
    const std::size_t at = _begin;
    const std::string wanted = name("the name of a place");
    if (const auto place = _net.find_place(wanted)) return *place;
    NearestName nearest(wanted);
    for (const ExtendedPlace& place : _net.places) nearest.consider(place.name);
    _source.fail(static_cast<Offset>(at), fmt::format("unknown place '{}'{}", shown(wanted), nearest.suggestion()));
  }

  /// `p:3, q;`
  std::vector<Arc> list() {
    std::vector<Arc> arcs;
    if (accept(";")) return arcs;
    do {
      const Place place = known_place();
      const Tokens weight = accept(":") ? number() : 1;
      if (weight > 0) arcs.push_back({place, weight});
    } while (accept(","));
    expect(";", " or ',' after a place");
    return arcs;
  }

  void marking() {
    const std::size_t at = _begin;
    for (const Arc& tokens : list()) {
      Tokens& initial = _net[tokens.place].initial;
      if (__builtin_add_overflow(initial, tokens.weight, &initial))
        _source.fail(static_cast<Offset>(at), "the marking of a place adds up to more than 2^63 - 1");
    }
  }

  void transition() {
    expect("TRANSITION");
    const auto at = static_cast<Offset>(_begin);
    const std::string called = name("the name of a transition");
    if (_net.find_transition(called))
      _source.fail(at, fmt::format("duplicate name '{}': it is already a transition", shown(called)));
    if (accept("STRONG") || accept("WEAK")) expect("FAIR");
    expect("CONSUME");
    const Transition t = _net.add_transition(called, at);
    _net[t].inputs = list();
    expect("PRODUCE");
    _net[t].outputs = list();
  }

  const SourceText& _source;
  std::string_view _text, _word;
  std::size_t _begin = 0, _end = 0;
  ExtendedNet _net;
};

}  // namespace
}  // namespace parse

Model parse_lola(std::string_view text, const std::string& file) {
  const parse::SourceText source(text, file);
  source.require_utf8();
  return parse::model_of(parse::LolaReader(source, parse::name_of_file(file)).all(), source);
}

}  // namespace dcheck
