// NUPN: the unit structure that tools keep beside a P/T net.

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "parse/pnml/pnml_reader.hpp"

namespace dcheck::parse {
namespace {

std::vector<std::string> words(const std::string& list) {
  std::istringstream text(list);
  std::vector<std::string> result;
  for (std::string word; text >> word;) result.push_back(word);
  return result;
}

}  // namespace

void PnmlReader::read_units() {
  const pugi::xml_node structure = _document.child(_nupn, "structure");
  if (!structure) _document.fail(_nupn, "NUPN data without <structure>");
  std::vector<pugi::xml_node> nodes;
  std::vector<Unit> units;
  for (const pugi::xml_node& child : _document.elements(structure)) {
    if (local_name(child) != "unit") unsupported(child, "the NUPN structure");
    nodes.push_back(child);
    units.push_back({_document.attribute(child, "id"), {}, {}});
  }
  link_units(nodes, units);

  require_tree(structure, units);
  const Tokens count = _document.number(structure, structure.attribute("units").value(), "number of units");
  if (count < 0 || static_cast<std::size_t>(count) != units.size()) {
    _document.fail(structure, fmt::format("{} units are announced, {} are defined", count, units.size()));
  }
  _net.units = std::move(units);
  _net.units_claim_safe = std::string_view(structure.attribute("safe").value()) == "true";
}

void PnmlReader::require_tree(const pugi::xml_node& structure, const std::vector<Unit>& units) const {
  const std::string root = _document.attribute(structure, "root");
  const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == root; });
  if (found == units.end()) _document.fail(structure, fmt::format("root unit '{}' is not defined", shown(root)));
  // Every unit has at most one parent, so this meets none twice unless the root has one.
  std::vector<std::uint32_t> reached{static_cast<std::uint32_t>(found - units.begin())};
  for (std::size_t i = 0; i < reached.size() && reached.size() <= units.size(); ++i) {
    const auto& subunits = units[reached[i]].subunits;
    reached.insert(reached.end(), subunits.begin(), subunits.end());
  }
  if (reached.size() != units.size()) _document.fail(structure, "the units do not form a tree below the root unit");
}

void PnmlReader::link_units(const std::vector<pugi::xml_node>& nodes, std::vector<Unit>& units) const {
  std::unordered_map<std::string, std::uint32_t> unit_index;
  for (std::uint32_t i = 0; i < units.size(); ++i) {
    if (!unit_index.emplace(units[i].name, i).second) {
      _document.fail(nodes[i], fmt::format("duplicate name '{}': two units have this id", shown(units[i].name)));
    }
  }
  std::vector<bool> place_seen(_net.places.size()), has_parent(units.size());
  for (std::size_t i = 0; i < units.size(); ++i) {
    for (const std::string& name : words(_document.text(_document.child(nodes[i], "places")))) {
      const Object& place = object(nodes[i], name, "a place of a unit");
      if (place.kind != Object::Kind::place) {
        _document.fail(nodes[i], fmt::format("'{}' in a unit is a transition: expected a place", shown(name)));
      }
      if (place_seen[place.index]) {
        _document.fail(nodes[i], fmt::format("place '{}' is listed in two units, or twice in one", shown(name)));
      }
      place_seen[place.index] = true;
      units[i].places.push_back(static_cast<Place>(place.index));
    }
    for (const std::string& name : words(_document.text(_document.child(nodes[i], "subunits")))) {
      const auto found = unit_index.find(name);
      if (found == unit_index.end()) _document.fail(nodes[i], fmt::format("unknown subunit '{}'", shown(name)));
      if (has_parent[found->second]) {
        _document.fail(nodes[i], fmt::format("unit '{}' has two parents: expected a tree", shown(name)));
      }
      has_parent[found->second] = true;
      units[i].subunits.push_back(found->second);
    }
  }
}

}  // namespace dcheck::parse
