// Arcs of PNML: weights, and the many ways in which tools write what kind of arc it is.

#include <fmt/format.h>

#include <algorithm>

#include "parse/pnml/pnml_reader.hpp"

namespace dcheck::parse {
namespace {

/// Words that mark an arc's kind where a tool keeps it in its own data.
bool names_arc_kind(std::string_view lower) {
  for (const std::string_view word : {"inhibitor", "reset", "test", "read", "flush", "transport"}) {
    if (lower == word || lower == std::string(word) + "arc" || lower == std::string(word) + "_arc") return true;
  }
  return false;
}

/// Elements in which tools write the kind of an arc.
bool is_kind_label(const pugi::xml_node& node) {
  const std::string_view element = local_name(node);
  return element == "type" || element == "arctype" || element == "arcType";
}

/// The word in a tool's own data that tells the kind of the arc; empty where there is none.
std::string kind_in_tool_data(const pugi::xml_node& data) {
  // Document order, without recursion: the nesting is the file's.
  for (pugi::xml_node node = data.first_child(); node;) {
    const auto candidates = {lower_case(local_name(node)), lower_case(trimmed(own_text(node)))};
    for (const std::string& candidate : candidates) {
      if (names_arc_kind(candidate)) return candidate;
    }
    for (const pugi::xml_attribute attribute : node.attributes()) {
      std::string value = lower_case(trimmed(attribute.value()));
      if (names_arc_kind(value)) return value;
    }
    if (node.first_child()) {
      node = node.first_child();
      continue;
    }
    while (node && node != data && !node.next_sibling()) node = node.parent();
    if (node == data) break;
    node = node.next_sibling();
  }
  return {};
}

}  // namespace

PnmlReader::ArcKind PnmlReader::arc_kind_of(const pugi::xml_node& at, std::string_view written) const {
  const std::string kind = lower_case(trimmed(written));
  if (kind.empty() || kind == "normal" || kind == "ordinary" || kind == "timed") return ArcKind::normal;
  if (kind.find("inhibit") != std::string::npos) return ArcKind::inhibitor;
  for (const std::string_view reading : {"read", "test", "readarc", "testarc", "read_arc", "test_arc", "context"}) {
    if (kind == reading) return ArcKind::read;
  }
  if (kind == "reset" || kind == "resetarc" || kind == "reset_arc" || kind == "flush") return ArcKind::reset;
  _document.fail(at, fmt::format("arc of type '{}' is not supported: expected normal, inhibitor, read, test or reset",
                                 shown(written)));
}

PnmlReader::ArcKind PnmlReader::arc_kind(const pugi::xml_node& node) const {
  ArcKind kind = arc_kind_of(node, node.attribute("type").value());
  for (const pugi::xml_node& child : _document.elements(node)) {
    ArcKind said = ArcKind::normal;
    if (is_kind_label(child)) {
      const pugi::xml_attribute value = child.attribute("value");
      said = arc_kind_of(child, value ? std::string(value.value()) : _document.label_text(child));
    } else if (local_name(child) == "toolspecific") {
      said = arc_kind_of(child, kind_in_tool_data(child));
    }
    if (said == ArcKind::normal || said == kind) continue;
    if (kind != ArcKind::normal) _document.fail(child, "the arc is given two different types");
    kind = said;
  }
  return kind;
}

Tokens PnmlReader::arc_weight(const pugi::xml_node& node) const {
  constexpr const char* what = "weight of the arc";
  std::optional<Tokens> weight;
  pugi::xml_node at = node;
  if (const pugi::xml_attribute attribute = node.attribute("weight")) {
    _document.agree(weight, at, attribute.value(), what);
  }
  if (const pugi::xml_attribute attribute = node.attribute("inscription")) {
    // TAPAAL: an interval of ages, or the weight.
    const std::string_view text = trimmed(attribute.value());
    if (!text.starts_with('[') && !text.starts_with('(')) {
      _document.agree(weight, at, text, what);
    } else if (text != "[0,inf)") {
      _document.fail(node, fmt::format("time interval '{}' of the arc is not supported", shown(text)));
    }
  }
  if (const pugi::xml_node label = _document.child(node, "inscription")) {
    at = label;
    _document.agree(weight, at, _document.label_text(label), what);
  }
  if (weight && *weight <= 0) _document.fail(at, fmt::format("{} is {}: expected a number above 0", what, *weight));
  return weight.value_or(1);
}

void PnmlReader::require_known_labels(const pugi::xml_node& arc) const {
  for (const pugi::xml_node& child : _document.elements(arc)) {
    const std::string_view element = local_name(child);
    if (element == "inscription" || element == "arcpath" || is_kind_label(child) || is_decoration(child)) continue;
    unsupported(child, "an arc");
  }
}

void PnmlReader::read_arc(const pugi::xml_node& node) {
  const Object& source = object(node, _document.attribute(node, "source"), "the source of an arc");
  const Object& target = object(node, _document.attribute(node, "target"), "the target of an arc");
  if (source.kind == target.kind) {
    _document.fail(node, fmt::format("arc between two {}: expected a place and a transition",
                                     source.kind == Object::Kind::place ? "places" : "transitions"));
  }
  const bool is_input = source.kind == Object::Kind::place;
  const auto place = static_cast<Place>(is_input ? source.index : target.index);
  const auto transition = static_cast<Transition>(is_input ? target.index : source.index);
  require_known_labels(node);
  add_arc(node, arc_kind(node), place, transition, is_input, arc_weight(node));
}

void PnmlReader::add_arc(const pugi::xml_node& node, ArcKind kind, Place place, Transition transition, bool is_input,
                         Tokens weight) {
  ExtendedTransition& made = _net[transition];
  if (!is_input) {
    if (kind != ArcKind::normal) {
      _document.fail(node, "inhibitor, read or reset arc from a transition: expected one from a place to a transition");
    }
    made.outputs.push_back({place, weight});
  } else if (kind == ArcKind::reset) {
    const Expression all = Expression::tokens_in(place);
    made.variable_inputs.push_back({place, {{Expression::of(Expression::Kind::always), all}}, _document.offset(node)});
  } else {
    auto& arcs = kind == ArcKind::inhibitor ? made.inhibitors : kind == ArcKind::read ? made.tests : made.inputs;
    arcs.push_back({place, weight});
  }
}

}  // namespace dcheck::parse
