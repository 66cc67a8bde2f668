#include "parse/xml/strict_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace dcheck::parse {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_character(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code <= 0xD7FF || (code >= 0xE000 && code <= 0xFFFD) || (code >= 0x10000 && code <= 0x10FFFF);
}

/// What stands between `&` and `;`.
bool is_known_reference(std::string_view name) {
  constexpr std::array<std::string_view, 5> entities{"lt", "gt", "amp", "apos", "quot"};
  if (std::find(entities.begin(), entities.end(), name) != entities.end()) return true;
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const int base = name.starts_with('x') ? 16 : 10;
  if (base == 16) name.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), code, base);
  return error == std::errc{} && stop == name.data() + name.size() && is_character(code);
}

class StrictScan {
 public:
  explicit StrictScan(const SourceText& source) : _source(source), _text(source.text()) {}

  void run() {
    if (_text.starts_with(byte_order_mark)) _at = byte_order_mark.size();
    while (_at < _text.size()) {
      if (_text[_at] == '<') {
        markup();
      } else {
        text();
      }
    }
  }

 private:
  bool is_next(std::string_view what) const { return _text.substr(_at).starts_with(what); }

  void skip_past(std::string_view what, std::size_t from) {
    const std::size_t found = _text.find(what, from);
    _at = found == std::string_view::npos ? _text.size() : found + what.size();
  }

  void skip_blanks() { _at = std::min(_text.find_first_not_of(blanks, _at), _text.size()); }

  void markup() {
    if (is_next("<!--")) return skip_past("-->", _at + 4);
    if (is_next("<?")) return skip_past("?>", _at + 2);
    if (is_next("<![CDATA[")) {
      if (_depth == 0) fail(_at, "text outside of the outermost element");
      return skip_past("]]>", _at);
    }
    if (is_next("<!")) return document_type();
    if (is_next("</")) {
      if (_depth > 0) --_depth;
      return skip_past(">", _at);
    }
    opening_tag();
  }

  /// To the `>` that is not in quotes.
  void document_type() {
    while (_at < _text.size() && _text[_at] != '>') {
      const char quote = _text[_at];
      ++_at;
      if (quote == '"' || quote == '\'') skip_past({&quote, 1}, _at);
    }
    ++_at;
  }

  void opening_tag() {
    const std::size_t name = _at + 1;
    _at = std::min(_text.find_first_of(" \t\r\n/>", name), _text.size());
    if (_depth == 0 && _has_root) {
      fail(name,
           fmt::format("a second outermost element <{}>: expected one only", shown(_text.substr(name, _at - name))));
    }
    _has_root = true;
    _attributes.clear();
    for (skip_blanks(); _at < _text.size() && _text[_at] != '>' && !is_next("/>"); skip_blanks()) attribute();
    require_different_attributes();
    if (_at < _text.size() && _text[_at] == '>') ++_depth;
    skip_past(">", _at);
  }

  void attribute() {
    const std::size_t name = _at;
    _at = std::min(_text.find_first_of("= \t\r\n", name), _text.size());
    _attributes.push_back(_text.substr(name, _at - name));
    _at = std::min(_text.find_first_of("\"'", _at), _text.size());
    if (_at == _text.size()) return;
    const char quote = _text[_at];
    for (++_at; _at < _text.size() && _text[_at] != quote;) {
      if (_text[_at] == '<') fail(_at, "'<' in the value of an attribute: expected '&lt;'");
      character();
    }
    ++_at;
  }

  void require_different_attributes() {
    // By name, and those of one name in the order of the text.
    std::sort(_attributes.begin(), _attributes.end(),
              [](std::string_view a, std::string_view b) { return a != b ? a < b : a.data() < b.data(); });
    const auto twice = std::adjacent_find(_attributes.begin(), _attributes.end());
    if (twice == _attributes.end()) return;
    fail(static_cast<std::size_t>(twice[1].data() - _text.data()),
         fmt::format("the attribute '{}' is given twice", shown(*twice)));
  }

  void text() {
    const std::size_t end = std::min(_text.find('<', _at), _text.size());
    if (_depth == 0) {
      skip_blanks();
      if (_at < end) fail(_at, "text outside of the outermost element");
    }
    while (_at < end) character();
  }

  void character() {
    const char c = _text[_at];
    if (c == '&') return reference();
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 && !is_character(code)) fail(_at, fmt::format("control character \\x{:02x}", code));
    ++_at;
  }

  void reference() {
    constexpr std::size_t longest = 32;
    const std::string_view rest = _text.substr(_at + 1, longest);
    const std::size_t end = rest.find(';');
    if (end == std::string_view::npos || !is_known_reference(rest.substr(0, end))) {
      const std::string written = end == std::string_view::npos ? "&" : fmt::format("&{};", shown(rest.substr(0, end)));
      fail(_at, fmt::format("'{}' stands for no character: expected &lt; &gt; &amp; &apos; &quot; or a number as in "
                            "&#65;",
                            written));
    }
    _at += end + 2;
  }

  [[noreturn]] void fail(std::size_t at, const std::string& message) const {
    _source.fail(static_cast<Offset>(at), "not well-formed XML: " + message);
  }

  const SourceText& _source;
  std::string_view _text;
  std::size_t _at = 0, _depth = 0;
  bool _has_root = false;
  std::vector<std::string_view> _attributes;  // names, of one tag
};

}  // namespace

void require_strict_xml(const SourceText& source) {
  StrictScan(source).run();
}

}  // namespace dcheck::parse
