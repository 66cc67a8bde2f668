#include "parse/formula/property_list.hpp"

#include <fmt/format.h>

#include <utility>

namespace dcheck::parse {

void PropertyList::require_new(Offset at, const std::string& id) {
  if (_ids.insert(id).second) return;
  _source.fail(at, fmt::format("duplicate name '{}': it is already a property", shown(id)));
}

void PropertyList::add(Offset at, SizedProperty made) {
  _kept += made.size;
  if (_kept > max_kept_nodes) {
    _source.fail(at,
                 fmt::format("formulas are too large: together they unfold to more than {} operators", max_kept_nodes));
  }
  _properties.push_back(std::move(made.property));
}

std::vector<Property> PropertyList::finish() {
  if (_properties.empty()) {
    throw InputError(_source.file(), {}, "there is no formula in the file: expected 'name: formula;' or MCC XML");
  }
  return std::exchange(_properties, {});
}

}  // namespace dcheck::parse
