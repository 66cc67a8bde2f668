// parse_tina: the .net format of Tina's tools. Time, stopwatches and labels are no part of a net; priorities are.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dcheck/parse/model.hpp"
#include "parse/extended/translate.hpp"
#include "parse/tina/tina_text.hpp"

namespace dcheck {
namespace parse {
namespace {

class TinaReader {
 public:
  TinaReader(const SourceText& source, const std::string& name) : _text(source) { _net.name = name; }

  ExtendedNet all() {
    for (_text.skip_blanks(); !_text.is_at_end(); _text.skip_blanks()) declaration();
    return std::move(_net);
  }

 private:
  void declaration() {
    const Offset at = _text.offset();
    if (!is_at_keyword()) _text.expected("'pl', 'tr', 'pr', 'net', 'lb' or 'nt' at the beginning of a line");
    const std::string keyword = _text.name("a declaration");
    if (keyword == "tr") return transition();
    if (keyword == "pl") return place();
    if (keyword == "pr") return priority(at);
    if (keyword == "net") {
      _net.name = _text.name("the name of the net");
    } else if (keyword == "lb") {
      _text.name("the name of a place or transition");
      _text.name("a label");
    } else {  // nt
      _text.name("the name of a note");
      _text.number("0 or 1");
      _text.name("the text of the note");
    }
  }

  /// A word that begins a declaration; elsewhere in a line it could be either, and is refused.
  bool is_at_keyword() {
    constexpr std::array keywords{"net", "tr", "pl", "pr", "lb", "nt"};
    TinaText ahead = _text;
    if (ahead.peek() == '{' || !ahead.is_at_name()) return false;
    const std::string word = ahead.name("a word");
    if (std::find(keywords.begin(), keywords.end(), word) == keywords.end()) return false;
    if (!_text.is_first_of_line())
      _text.fail(_text.offset(),
                 fmt::format("'{}' within a line may be a name or begin a declaration: expected '{{{}}}', "
                             "or a line of its own",
                             word, word));
    return true;
  }

  bool is_at_node() {
    _text.skip_blanks();
    return _text.is_at_name() && !is_at_keyword();
  }

  Place place_called(const std::string& name) {
    const auto known = _net.find_place(name);
    return known ? *known : _net.add_place(name);
  }
  Transition transition_called(const std::string& name, Offset at) {
    const auto known = _net.find_transition(name);
    return known ? *known : _net.add_transition(name, at);
  }

  void label() {
    if (_text.accept(":")) _text.name("a label");
  }

  void transition() {
    _text.skip_blanks();
    const Offset at = _text.offset();
    const Transition t = transition_called(_text.name("the name of a transition"), at);
    label();
    interval();
    if (!is_at_node() && _text.peek() != '-') return;
    while (is_at_node()) {
      const Place p = place_called(_text.name("a place"));
      const TinaArc arc = tina_arc(_text);
      add_tina_arc(arc, p, _net[t]);
    }
    _text.expect("->", "or a place, after the inputs");
    while (is_at_node()) {
      const Place p = place_called(_text.name("a place"));
      if (const Tokens weight = normal_weight(); weight > 0) _net[t].outputs.push_back({p, weight});
    }
  }

  void place() {
    const Place p = place_called(_text.name("the name of a place"));
    label();
    if (_text.accept("(")) {
      _net[p].initial = _text.number("a number of tokens");
      _text.expect(")", "after the marking");
    }
    if (!is_at_node() && _text.peek() != '-') return;
    while (is_at_node()) {
      const Offset at = _text.offset();
      const Transition t = transition_called(_text.name("a transition"), at);
      if (const Tokens weight = normal_weight(); weight > 0) _net[t].outputs.push_back({p, weight});
    }
    _text.expect("->", "or a transition, after the inputs");
    while (is_at_node()) {
      const Offset at = _text.offset();
      const Transition t = transition_called(_text.name("a transition"), at);
      const TinaArc arc = tina_arc(_text);
      add_tina_arc(arc, p, _net[t]);
    }
  }

  Tokens normal_weight() {
    const Offset at = _text.offset();
    const TinaArc arc = tina_arc(_text);
    if (arc.kind != TinaArc::Kind::normal) _text.fail(at, "a test or inhibitor arc from a transition to a place");
    return arc.weight;
  }

  /// Only `[0,w[` leaves the net as it is.
  void interval() {
    _text.skip_blanks();
    const Offset at = _text.offset();
    if (_text.peek() != '[' && _text.peek() != ']') return;
    const bool is_closed = _text.accept("[");
    if (!is_closed) _text.accept("]");
    const Tokens earliest = _text.number("the earliest time");
    _text.expect(",", "in the time interval");
    const bool is_endless = _text.accept("w");
    if (!is_endless) _text.number("the latest time");
    if (!_text.accept("[")) _text.expect("]", "after the time interval");
    if (!is_closed || earliest != 0 || !is_endless)
      _text.fail(at, "time intervals are not supported: expected none, or [0,w[");
  }

  std::vector<Transition> transitions() {
    std::vector<Transition> found;
    while (is_at_node()) {
      const Offset at = _text.offset();
      found.push_back(transition_called(_text.name("a transition"), at));
    }
    if (found.empty()) _text.expected("the name of a transition");
    return found;
  }

  void priority(Offset at) {
    const std::vector<Transition> left = transitions();
    const bool left_precedes = _text.accept(">");
    if (!left_precedes) _text.expect("<", "or '>' between transitions");
    const std::vector<Transition> right = transitions();
    if (_net.precedes.size() + left.size() * right.size() > most_pairs)
      _text.fail(at, fmt::format("more than {} priorities", most_pairs));
    for (const Transition one : left)
      for (const Transition other : right)
        _net.precedes.emplace_back(left_precedes ? one : other, left_precedes ? other : one);
  }

  static constexpr std::size_t most_pairs = 1'000'000;

  TinaText _text;
  ExtendedNet _net;
};

}  // namespace
}  // namespace parse

Model parse_tina(std::string_view text, const std::string& file) {
  const parse::SourceText source(text, file);
  source.require_utf8();
  if (text.starts_with("|0|"))
    source.fail(0, "this is a net of GreatSPN, not of Tina: expected it as PNML, which GreatSPN's editor exports");
  return parse::model_of(parse::TinaReader(source, parse::name_of_file(file)).all(), source);
}

}  // namespace dcheck
