#include "parse/pnml/coloured_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "parse/nearest.hpp"

namespace dcheck::parse {

bool ColouredReader::is_coloured(const PnmlDocument& document) {
  const std::string type = lower_case(document.attribute(document.net(), "type"));
  return std::ranges::any_of(std::initializer_list<std::string_view>{"symmetricnet", "highlevelnet", "hlpng", "hlnet"},
                             [&](std::string_view known) { return type.find(known) != std::string::npos; });
}

ColouredNet ColouredReader::read() {
  std::vector<pugi::xml_node> pages{_document.net()};
  while (!pages.empty()) {
    const pugi::xml_node page = pages.back();
    pages.pop_back();
    collect(page, pages);
  }
  if (_places.empty()) _document.fail(_document.net(), "the net has no place: expected at least one");
  _sorts.resolve();
  for (const pugi::xml_node& node : _places) read_place(node);
  _net.transitions.resize(_transitions.size());
  for (ColouredTransition& transition : _net.transitions) _terms.emplace_back(_document, _sorts, &transition.variables);
  for (const pugi::xml_node& node : _transitions) read_transition(node);
  for (const pugi::xml_node& node : _arcs) read_arc(node);
  _net.classes = _sorts.classes();
  return std::move(_net);
}

void ColouredReader::unsupported(const pugi::xml_node& node, std::string_view where) const {
  _document.fail(node, fmt::format("element <{}> in {} is not supported in a coloured net", shown(node.name()), where));
}

void ColouredReader::collect(const pugi::xml_node& page, std::vector<pugi::xml_node>& pages) {
  for (const pugi::xml_node& child : _document.elements(page)) {
    const std::string_view element = local_name(child);
    if (element == "declaration") {
      _sorts.declare(child);
    } else if (element == "place" || element == "transition") {
      note_id(child);
      std::vector<pugi::xml_node>& nodes = element == "place" ? _places : _transitions;
      const auto number = static_cast<std::uint32_t>(nodes.size());
      _objects.emplace(_document.attribute(child, "id"), Object{element == "place", number});
      nodes.push_back(child);
    } else if (element == "arc") {
      note_id(child);
      _arcs.push_back(child);
    } else if (element == "page") {
      note_id(child);
      pages.push_back(child);
    } else if (!is_decoration(child)) {
      unsupported(child, "a page");
    }
  }
}

void ColouredReader::note_id(const pugi::xml_node& node) {
  if (!node.attribute("id") && local_name(node) != "place" && local_name(node) != "transition") return;
  const std::string id = _document.attribute(node, "id");
  if (!_ids.emplace(id, node).second)
    _document.fail(node, fmt::format("duplicate name '{}': another element has this id", shown(id)));
}

void ColouredReader::read_place(const pugi::xml_node& node) {
  ColouredPlace place{_document.attribute(node, "id"), {}, {}, _document.offset(node)};
  for (const pugi::xml_node& child : _document.elements(node)) {
    const std::string_view element = local_name(child);
    if (element != "type" && element != "hlinitialMarking" && !is_decoration(child)) unsupported(child, "a place");
  }
  const pugi::xml_node type = _document.child(node, "type");
  const pugi::xml_node structure = type ? _document.child(type, "structure") : pugi::xml_node();
  const std::vector<pugi::xml_node> sorts = structure ? _document.elements(structure) : std::vector<pugi::xml_node>();
  if (sorts.size() != 1)
    _document.fail(
        node, fmt::format("place '{}' has no sort: expected <type> with one in its <structure>", shown(place.name)));
  place.classes = _sorts.sort(sorts.front());
  if (const pugi::xml_node marking = _document.child(node, "hlinitialMarking"))
    place.initial = TermReader(_document, _sorts, nullptr).multiset(marking, place.classes);
  _net.places.push_back(std::move(place));
}

void ColouredReader::read_transition(const pugi::xml_node& node) {
  const std::string id = _document.attribute(node, "id");
  const std::uint32_t number = _objects.at(id).index;
  ColouredTransition& transition = _net.transitions[number];
  transition.name = id;
  transition.at = _document.offset(node);
  for (const pugi::xml_node& child : _document.elements(node))
    if (local_name(child) != "condition" && !is_decoration(child)) unsupported(child, "a transition");
  if (const pugi::xml_node condition = _document.child(node, "condition"))
    transition.guard = _terms[number].guard(condition);
}

void ColouredReader::read_arc(const pugi::xml_node& node) {
  const Object& source = object(node, _document.attribute(node, "source"), "the source of an arc");
  const Object& target = object(node, _document.attribute(node, "target"), "the target of an arc");
  if (source.is_place == target.is_place)
    _document.fail(node, fmt::format("arc between two {}: expected a place and a transition",
                                     source.is_place ? "places" : "transitions"));
  for (const pugi::xml_node& child : _document.elements(node))
    if (local_name(child) != "hlinscription" && !is_decoration(child)) unsupported(child, "an arc");
  if (const pugi::xml_attribute type = node.attribute("type"); type && lower_case(type.value()) != "normal")
    _document.fail(node, fmt::format("arc of type '{}' is not supported in a coloured net", shown(type.value())));
  const pugi::xml_node inscription = _document.child(node, "hlinscription");
  if (!inscription || !_document.child(inscription, "structure"))
    _document.fail(node, "an arc without inscription: expected <hlinscription> with a <structure>");
  const std::uint32_t place = source.is_place ? source.index : target.index;
  const std::uint32_t transition = source.is_place ? target.index : source.index;
  ColouredArc arc{place, _terms[transition].multiset(inscription, _net.places[place].classes), _document.offset(node)};
  ColouredTransition& at = _net.transitions[transition];
  (source.is_place ? at.inputs : at.outputs).push_back(std::move(arc));
}

const ColouredReader::Object& ColouredReader::object(const pugi::xml_node& at, const std::string& id,
                                                     const char* what) const {
  const auto found = _objects.find(id);
  if (found != _objects.end()) return found->second;
  NearestName nearest(id);
  for (const auto& [known, ignored] : _objects) nearest.consider(known);
  _document.fail(at, fmt::format("unknown name '{}' as {}{}", shown(id), what, nearest.suggestion()));
}

}  // namespace dcheck::parse
