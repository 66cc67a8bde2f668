#include "parse/pnml/pnml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <unordered_set>

#include "parse/extended/translate.hpp"
#include "parse/nearest.hpp"

namespace dcheck::parse {
namespace {

bool is_coloured(std::string_view element) {
  constexpr std::array names{"hlinitialMarking", "hlinscription", "condition", "declaration", "structure"};
  return std::find(names.begin(), names.end(), element) != names.end();
}

}  // namespace

void PnmlReader::unsupported(const pugi::xml_node& node, std::string_view where) const {
  if (is_coloured(local_name(node))) {
    _document.fail(
        node, fmt::format("<{}> in a net without colours: expected the type of a symmetric net", shown(node.name())));
  }
  _document.fail(node, fmt::format("element <{}> in {} is not supported", shown(node.name()), where));
}

Net PnmlReader::read() {
  require_type();
  std::vector<pugi::xml_node> pages{_document.net()};
  while (!pages.empty()) {
    const pugi::xml_node page = pages.back();
    pages.pop_back();
    collect(page, pages);
  }
  if (_net.places.empty()) _document.fail(_document.net(), "the net has no place: expected at least one");
  for (const pugi::xml_node& arc : _arcs) read_arc(arc);
  require_priorities_mean_something();
  if (_nupn) read_units();
  return translated(std::move(_net), _document.source()).net;
}

void PnmlReader::require_type() {
  const pugi::xml_node net = _document.net();
  const std::string type = _document.attribute(net, "type");
  const std::string lower = lower_case(type);
  for (const std::string_view known : {"ptnet", "ptnetb", "p/t net"}) {
    if (lower.ends_with(known)) return;
  }
  _document.fail(
      net, fmt::format("net type '{}' is not supported: expected a P/T net (.../grammar/ptnet) or a symmetric net",
                       shown(type)));
}

void PnmlReader::collect(const pugi::xml_node& page, std::vector<pugi::xml_node>& pages) {
  for (const pugi::xml_node& child : _document.elements(page)) {
    const std::string_view element = local_name(child);
    if (element == "place") {
      add_object(child, Object::Kind::place);
    } else if (element == "transition") {
      add_object(child, Object::Kind::transition);
    } else if (element == "referencePlace") {
      add_object(child, Object::Kind::place_reference);
    } else if (element == "referenceTransition") {
      add_object(child, Object::Kind::transition_reference);
    } else if (element == "arc") {
      note_id(child);
      _arcs.push_back(child);
    } else if (element == "page") {
      note_id(child);
      pages.push_back(child);
    } else if (element == "toolspecific" && lower_case(child.attribute("tool").value()) == "nupn") {
      if (_nupn) _document.fail(child, "a second NUPN structure: expected at most one");
      _nupn = child;
    } else if (element == "token" && std::string_view(child.attribute("id").value()) == "Default") {
      continue;  // PIPE's declaration of plain tokens
    } else if (!is_decoration(child)) {
      unsupported(child, "a page");
    }
  }
}

void PnmlReader::note_id(const pugi::xml_node& node) {
  if (!node.attribute("id")) return;
  const std::string id = _document.attribute(node, "id");
  if (!_ids.insert(id).second) {
    _document.fail(node, fmt::format("duplicate name '{}': another element has this id", shown(id)));
  }
}

void PnmlReader::add_object(const pugi::xml_node& node, Object::Kind kind) {
  const std::string id = _document.attribute(node, "id");
  note_id(node);
  const auto known = _objects.try_emplace(id, Object{kind, node, 0}).first;
  if (kind == Object::Kind::place) {
    const Place place = _net.add_place(id);
    known->second.index = static_cast<std::uint32_t>(index(place));
    read_place(node, place);
  } else if (kind == Object::Kind::transition) {
    const Transition transition = _net.add_transition(id, _document.offset(node));
    known->second.index = static_cast<std::uint32_t>(index(transition));
    read_transition(node, transition);
  } else {
    for (const pugi::xml_node& child : _document.elements(node)) {
      if (!is_decoration(child)) unsupported(child, "a reference node");
    }
  }
}

void PnmlReader::read_marking(const pugi::xml_node& node, Place place) {
  constexpr const char* what = "initial marking";
  // TAPAAL writes it as an attribute.
  std::optional<Tokens> tokens;
  pugi::xml_node at = node;
  if (const pugi::xml_attribute marking = node.attribute("initialMarking")) {
    _document.agree(tokens, at, marking.value(), what);
  }
  if (const pugi::xml_node label = _document.child(node, "initialMarking")) {
    at = label;
    _document.agree(tokens, at, _document.label_text(label), what);
  }
  if (!tokens) return;
  if (*tokens < 0) _document.fail(at, fmt::format("{} is {}: expected 0 or more", what, *tokens));
  _net[place].initial = *tokens;
}

void PnmlReader::read_place(const pugi::xml_node& node, Place place) {
  const std::string shown_id = shown(node.attribute("id").value());
  if (const pugi::xml_attribute invariant = node.attribute("invariant")) {  // TAPAAL's
    if (std::string_view(invariant.value()) != "< inf") {
      _document.fail(node, fmt::format("age invariant of place '{}' is not supported", shown_id));
    }
  }
  for (const pugi::xml_node& child : _document.elements(node)) {
    const std::string_view element = local_name(child);
    if (element == "capacity") {
      read_capacity(child, place);
    } else if (element == "type") {
      _document.fail(child, fmt::format("place '{}' has a sort in a net without colours", shown_id));
    } else if (element != "initialMarking" && !is_decoration(child)) {
      unsupported(child, "a place");
    }
  }
  read_marking(node, place);
  const ExtendedPlace& made = _net[place];
  if (made.capacity && made.initial > *made.capacity)
    _document.fail(node, fmt::format("place '{}' starts with {} tokens, and has a capacity of {}", shown_id,
                                     made.initial, *made.capacity));
}

void PnmlReader::read_capacity(const pugi::xml_node& label, Place place) {
  const Tokens capacity = _document.number(label, _document.label_text(label), "capacity");
  if (capacity < 0) _document.fail(label, fmt::format("capacity is {}: expected 0 or more", capacity));
  if (capacity > 0) _net[place].capacity = capacity;  // PIPE writes 0 for "no limit"
}

void PnmlReader::read_transition(const pugi::xml_node& node, Transition transition) {
  for (const pugi::xml_node& child : _document.elements(node)) {
    const std::string_view element = local_name(child);
    if (element == "timed") {
      read_timed(child);
    } else if (element == "priority") {
      _net[transition].priority = _document.number(child, _document.label_text(child), "priority");
      _priorities.push_back(child);
    } else if (element != "rate" && !is_decoration(child)) {
      unsupported(child, "a transition");
    }
  }
  if (const pugi::xml_node label = _document.child(node, "rate")) read_rate(label, transition);
}

void PnmlReader::read_rate(const pugi::xml_node& label, Transition transition) {
  const std::string text = _document.label_text(label);
  char* end = nullptr;
  const double rate = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(rate) || rate <= 0) {
    _document.fail(label, fmt::format("rate is '{}': expected a number above 0", shown(text)));
  }
  _net[transition].rate = rate;
}

void PnmlReader::read_timed(const pugi::xml_node& label) {
  const std::string value = _document.label_text(label);
  if (_timed && *_timed != value) {
    _document.fail(label,
                   fmt::format("<timed> differs between transitions ('{}' and '{}'): nets with both immediate and "
                               "timed transitions are not supported",
                               shown(*_timed), shown(value)));
  }
  _timed = value;
  if (value == "false") ++_untimed;
}

void PnmlReader::require_priorities_mean_something() const {
  if (_untimed == _net.transitions.size()) return;
  const Tokens first = _net.transitions.empty() ? 0 : _net.transitions.front().priority;
  const auto other = std::ranges::find_if(_net.transitions, [&](const auto& t) { return t.priority != first; });
  if (other == _net.transitions.end()) return;
  _document.fail(_priorities.back(),
                 fmt::format("<priority> differs between transitions ('{}' and '{}') that are not all "
                             "immediate: such priorities are not supported",
                             first, other->priority));
}

const PnmlReader::Object& PnmlReader::object(const pugi::xml_node& at, const std::string& id, const char* what) const {
  std::unordered_set<std::string> passed;
  std::string current = id;
  pugi::xml_node from = at;
  for (;;) {
    const auto found = _objects.find(current);
    if (found == _objects.end()) {
      NearestName nearest(current);
      for (const auto& [known, ignored] : _objects) nearest.consider(known);
      _document.fail(from, fmt::format("unknown name '{}' as {}{}", shown(current), what, nearest.suggestion()));
    }
    const Object& object = found->second;
    if (object.kind == Object::Kind::place || object.kind == Object::Kind::transition) return object;
    if (!passed.insert(current).second) {
      _document.fail(object.node, fmt::format("reference '{}' leads back to itself", shown(current)));
    }
    from = object.node;
    what = "what a reference stands for";
    current = _document.attribute(object.node, "ref");
  }
}

}  // namespace dcheck::parse
