// parse_ndr: the nets that Tina's graphical editor saves. One node or edge a line; where things are drawn is passed
// over.

#include <fmt/format.h>

#include "parse/extended/translate.hpp"
#include "parse/nearest.hpp"
#include "parse/tina/tina_text.hpp"

namespace dcheck {
namespace parse {
namespace {

class NdrReader {
 public:
  NdrReader(const SourceText& source, const std::string& name) : _text(source) { _net.name = name; }

  ExtendedNet all() {
    for (_text.skip_blanks(); !_text.is_at_end(); _text.skip_blanks()) line();
    return std::move(_net);
  }

 private:
  void line() {
    const Offset at = _text.offset();
    const std::string_view kind = _text.word();
    if (kind == "p") {
      place();
    } else if (kind == "t") {
      transition();
    } else if (kind == "e") {
      edge(at);
    } else if (kind == "h") {
      _net.name = _text.name("the name of the net");
    } else if (kind != "n") {  // a note
      _text.fail(
          at, fmt::format("expected 'p', 't', 'e', 'h' or 'n' at the beginning of the line, found '{}'", shown(kind)));
    }
    _text.skip_line();
  }

  /// Two numbers, where something is drawn.
  void position() {
    for (int i = 0; i < 2; ++i) number_word("a coordinate");
  }

  /// A word that looks like a number.
  std::string_view number_word(std::string_view what) {
    _text.skip_blanks_of_line();
    const Offset at = _text.offset();
    const std::string_view word = _text.word();
    if (!is_number(word)) _text.fail(at, fmt::format("expected {}, found '{}'", what, shown(word)));
    return word;
  }

  static bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789.-+eE") == std::string_view::npos;
  }

  std::string new_name(std::string_view what) {
    _text.skip_blanks_of_line();
    const Offset at = _text.offset();
    std::string name = _text.name(what);
    if (_net.find_place(name) || _net.find_transition(name))
      _text.fail(at, fmt::format("duplicate name '{}': two nodes have it", shown(name)));
    return name;
  }

  void place() {
    position();
    const Place p = _net.add_place(new_name("the name of a place"));
    _net[p].initial = _text.number("a number of tokens");
  }

  /// `t x y name 0 w n`, or with places for labels `t x y name c 0 w n label c`.
  void transition() {
    position();
    const Offset at = _text.offset();
    _net.add_transition(new_name("the name of a transition"), at);
    _text.skip_blanks_of_line();
    const Offset time = _text.offset();
    std::string_view earliest = _text.word();
    if (!is_number(earliest)) earliest = _text.word();  // that was an anchor
    const std::string_view latest = _text.word();
    if (earliest != "0" || latest != "w")
      _text.fail(time, fmt::format("time interval from '{}' to '{}' is not supported: expected 0 and w",
                                   shown(earliest), shown(latest)));
  }

  struct Node {
    std::optional<Place> place;
    std::optional<Transition> transition;
  };

  Node node() {
    _text.skip_blanks_of_line();
    const Offset at = _text.offset();
    const std::string name = _text.name("a place or transition");
    const Node found{_net.find_place(name), _net.find_transition(name)};
    if (found.place || found.transition) return found;
    NearestName nearest(name);
    for (const ExtendedPlace& place : _net.places) nearest.consider(place.name);
    for (const ExtendedTransition& transition : _net.transitions) nearest.consider(transition.name);
    _text.fail(at, fmt::format("unknown name '{}'{}", shown(name), nearest.suggestion()));
  }

  /// Words up to the end of the line: with 9 of them both ends have an angle and a radius.
  bool is_bent() const {
    TinaText ahead = _text;
    int words = 0;
    for (ahead.skip_blanks_of_line(); !ahead.is_at_end_of_line(); ahead.skip_blanks_of_line(), ++words) {
      if (ahead.peek() == '{')
        ahead.name("a name");
      else
        ahead.word();
    }
    return words >= 8;
  }

  void edge(Offset at) {
    const bool bent = is_bent();
    const Node from = node();
    if (bent) position();
    const Node to = node();
    if (bent) position();
    _text.skip_blanks_of_line();
    const Offset weight_at = _text.offset();
    TinaArc arc;
    if (_text.peek() >= '0' && _text.peek() <= '9')
      arc.weight = _text.number("the weight of the arc");
    else
      arc = tina_arc(_text);
    if (from.place && to.transition) return add_tina_arc(arc, *from.place, _net[*to.transition]);
    if (from.transition && to.transition)
      _text.fail(at, "priorities are not supported in .ndr files: expected the net as a .net file");
    if (from.place || arc.kind != TinaArc::Kind::normal)
      _text.fail(from.place ? at : weight_at, from.place ? "arc between two places: expected a place and a transition"
                                                         : "a test or inhibitor arc from a transition to a place");
    if (arc.weight > 0) _net[*from.transition].outputs.push_back({*to.place, arc.weight});
  }

  TinaText _text;
  ExtendedNet _net;
};

}  // namespace
}  // namespace parse

Model parse_ndr(std::string_view text, const std::string& file) {
  const parse::SourceText source(text, file);
  source.require_utf8();
  return parse::model_of(parse::NdrReader(source, parse::name_of_file(file)).all(), source);
}

}  // namespace dcheck
