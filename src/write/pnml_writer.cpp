// PNML P/T nets by the standard (ISO/IEC 15909-2). Inhibitor arcs are not in it: they are an attribute of arcs, as
// TAPAAL's verifypn and others read them. NUPN units are tool-specific data.

#include <fmt/format.h>

#include <algorithm>

#include "write/writers.hpp"

namespace dcheck::write {
namespace {

/// An XML name without a colon, of ASCII characters: what an id must be.
std::string allowed_name(const std::string& name) {
  std::string id = with_underscores(without_brackets(name),
                                    [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.'; });
  const bool begins_well = id[0] == '_' || (is_letter_or_digit(id[0]) && (id[0] < '0' || id[0] > '9'));
  return begins_well ? id : "_" + id;
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += is_control(c) ? '_' : c;
  }
  return result;
}

class PnmlWriter {
 public:
  PnmlWriter(const Net& net, const Net& names) : _net(net), _names(names), _own("arc") {
    // Ids of arcs and of the page are those of no node.
    const auto is_taken = [&](const std::string& name) { return name.starts_with(_own); };
    while (any_name(is_taken)) _own += '_';
  }

  std::string all() {
    _text = R"(<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
)";
    add(R"(  <net id="{}" type="http://www.pnml.org/version-2009/grammar/ptnet">)", _net.name());
    add("    <name><text>{}</text></name>", escaped(_names.name()));
    add(R"(    <page id="{}-page">)", _own);
    for (const Place p : FirstIds<Place>(_net.place_count())) place(p);
    for (const Transition t : FirstIds<Transition>(_net.transition_count())) transition(t);
    for (const Transition t : FirstIds<Transition>(_net.transition_count())) arcs(t);
    if (!_net.units().empty()) units();
    add("    </page>\n  </net>\n</pnml>");
    return std::move(_text);
  }

 private:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> line, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(_text), line, std::forward<Arguments>(arguments)...);
    _text += '\n';
  }

  template <typename Test>
  bool any_name(Test&& test) const {
    if (test(_net.name())) return true;
    for (const Place p : FirstIds<Place>(_net.place_count()))
      if (test(_net.name(p))) return true;
    for (const Transition t : FirstIds<Transition>(_net.transition_count()))
      if (test(_net.name(t))) return true;
    return std::ranges::any_of(_net.units(), [&](const Unit& unit) { return test(unit.name); });
  }

  void place(Place p) {
    const Tokens tokens = _net.initial()[index(p)];
    const std::string marking =
        tokens == 0 ? "" : fmt::format("<initialMarking><text>{}</text></initialMarking>", tokens);
    add(R"(      <place id="{}"><name><text>{}</text></name>{}</place>)", _net.name(p), escaped(_names.name(p)),
        marking);
  }

  void transition(Transition t) {
    add(R"(      <transition id="{}"><name><text>{}</text></name></transition>)", _net.name(t),
        escaped(_names.name(t)));
  }

  void arcs(Transition t) {
    for (const Arc& arc : _net.pre(t)) this->arc(_net.name(arc.place), _net.name(t), arc.weight, "");
    for (const Arc& arc : _net.inhibitors(t))
      this->arc(_net.name(arc.place), _net.name(t), arc.weight, R"( type="inhibitor")");
    for (const Arc& arc : _net.post(t)) this->arc(_net.name(t), _net.name(arc.place), arc.weight, "");
  }

  void arc(const std::string& source, const std::string& target, Tokens weight, const char* kind) {
    const std::string head =
        fmt::format(R"(<arc id="{}-{}" source="{}" target="{}"{})", _own, ++_arcs, source, target, kind);
    if (weight == 1)
      add("      {}/>", head);
    else
      add("      {}><inscription><text>{}</text></inscription></arc>", head, weight);
  }

  void units() {
    std::vector<bool> has_parent(_net.units().size());
    for (const Unit& unit : _net.units())
      for (const std::uint32_t subunit : unit.subunits) has_parent[subunit] = true;
    const auto root = std::ranges::find(has_parent, false) - has_parent.begin();
    add(R"(      <toolspecific tool="nupn" version="1.1">)");
    add(R"(        <size places="{}" transitions="{}" arcs="{}"/>)", _net.place_count(), _net.transition_count(),
        _arcs);
    add(R"(        <structure units="{}" root="{}" safe="{}">)", _net.units().size(),
        _net.units()[static_cast<std::size_t>(root)].name, _net.units_claim_safe());
    for (const Unit& unit : _net.units()) {
      std::vector<std::string_view> places, subunits;
      for (const Place p : unit.places) places.push_back(_net.name(p));
      for (const std::uint32_t subunit : unit.subunits) subunits.push_back(_net.units()[subunit].name);
      add(R"(          <unit id="{}"><places>{}</places><subunits>{}</subunits></unit>)", unit.name,
          fmt::join(places, " "), fmt::join(subunits, " "));
    }
    add("        </structure>\n      </toolspecific>");
  }

  const Net &_net, &_names;
  std::string _own;  // what ids of our own begin with
  std::string _text;
  std::size_t _arcs = 0;
};

}  // namespace

Needs pnml_needs() {
  return {allowed_name, true};
}

std::string pnml_text(const Net& net, const Net& names) {
  return PnmlWriter(net, names).all();
}

}  // namespace dcheck::write
