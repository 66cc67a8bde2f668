#include "parse/pnml/coloured_sorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "parse/nearest.hpp"

namespace dcheck::parse {
namespace {

/// Colours of a class at most: as many as unfold() makes places.
constexpr std::uint64_t most_colours = 5'000'000;

template <typename Value>
const Value& find(const PnmlDocument& document, const pugi::xml_node& at,
                  const std::unordered_map<std::string, Value>& known, const std::string& id, std::string_view what) {
  const auto found = known.find(id);
  if (found != known.end()) return found->second;
  NearestName nearest(id);
  for (const auto& [name, ignored] : known) nearest.consider(name);
  document.fail(at, fmt::format("unknown {} '{}'{}", what, shown(id), nearest.suggestion()));
}

std::string name_of(const pugi::xml_node& node, const std::string& id) {
  std::string name(trimmed(node.attribute("name").value()));
  const bool is_good = !name.empty() && name.size() <= longest_name && first_invalid_utf8(name) == std::string::npos;
  return is_good ? name : id;
}

}  // namespace

void ColouredSorts::declare(const pugi::xml_node& declaration) {
  const pugi::xml_node structure = _document.child(declaration, "structure");
  if (!structure) return;
  for (const pugi::xml_node& list : _document.elements(structure)) {
    if (local_name(list) != "declarations")
      _document.fail(list,
                     fmt::format("element <{}> is not supported here: expected <declarations>", shown(list.name())));
    for (const pugi::xml_node& node : _document.elements(list)) declare_one(node);
  }
}

void ColouredSorts::declare_one(const pugi::xml_node& node) {
  const std::string_view element = local_name(node);
  if (element == "namedsort") {
    const std::string id = _document.attribute(node, "id");
    if (!_sorts.try_emplace(id, NamedSort{node, false, false, {}}).second)
      _document.fail(node, fmt::format("duplicate name '{}': another sort has this id", shown(id)));
    return _order.push_back(id);
  }
  if (element == "variabledecl") return _variable_nodes.push_back(node);
  if (element == "partition") return _partition_nodes.push_back(node);
  _document.fail(node, fmt::format("declaration <{}> is not supported", shown(node.name())));
}

void ColouredSorts::resolve() {
  for (const std::string& id : _order) named_sort(_sorts.at(id).node, id);
  for (const pugi::xml_node& node : _partition_nodes) read_partition(node);
  for (const pugi::xml_node& node : _variable_nodes) {
    const std::string id = _document.attribute(node, "id");
    const std::vector<pugi::xml_node> sorts = _document.elements(node);
    if (sorts.size() != 1) _document.fail(node, fmt::format("variable '{}' has no sort: expected one", shown(id)));
    if (!_variables.try_emplace(id, DeclaredVariable{name_of(node, id), sort(sorts.front())}).second)
      _document.fail(node, fmt::format("duplicate name '{}': another variable has this id", shown(id)));
  }
}

const FlatSort& ColouredSorts::named_sort(const pugi::xml_node& at, const std::string& id) {
  find(_document, at, _sorts, id, "sort");
  NamedSort& named = _sorts.at(id);
  if (named.is_known) return named.sort;
  if (named.is_open) _document.fail(named.node, fmt::format("sort '{}' is declared by itself", shown(id)));
  named.is_open = true;
  const std::vector<pugi::xml_node> inner = _document.elements(named.node);
  if (inner.size() != 1)
    _document.fail(named.node, fmt::format("sort '{}' has {} definitions: expected one", shown(id), inner.size()));
  named.sort = any_sort(inner.front(), name_of(named.node, id));
  named.is_known = true;
  return named.sort;
}

FlatSort ColouredSorts::sort(const pugi::xml_node& node) {
  return any_sort(node, shown(node.name()));
}

FlatSort ColouredSorts::any_sort(const pugi::xml_node& node, const std::string& name) {
  const std::string_view element = local_name(node);
  if (element == "usersort") return named_sort(node, _document.attribute(node, "declaration"));
  if (element == "dot") return {dot_class()};
  if (element == "cyclicenumeration" || element == "finiteenumeration")
    return enumeration(node, name, element == "cyclicenumeration");
  if (element == "finiteintrange") return range(node, name);
  if (element != "productsort")
    _document.fail(
        node, fmt::format("sort <{}> is not supported: expected an enumeration, an integer range, a product or dot",
                          shown(node.name())));
  FlatSort product;
  for (const pugi::xml_node& factor : _document.elements(node)) {
    const FlatSort flat = sort(factor);
    product.insert(product.end(), flat.begin(), flat.end());
    if (product.size() > 1000) _document.fail(node, "a product of more than 1000 sorts");
  }
  if (product.empty()) _document.fail(node, "a product of no sorts: expected at least one");
  return product;
}

FlatSort ColouredSorts::enumeration(const pugi::xml_node& node, const std::string& name, bool is_cyclic) {
  ColourClass made{name, {}, 0, 0, is_cyclic};
  std::vector<std::string> ids;
  for (const pugi::xml_node& constant : _document.elements(node)) {
    if (local_name(constant) != "feconstant")
      _document.fail(constant,
                     fmt::format("element <{}> in an enumeration: expected <feconstant>", shown(constant.name())));
    ids.push_back(_document.attribute(constant, "id"));
    made.names.push_back(name_of(constant, ids.back()));
    name_colours(constant, ids.back(), {static_cast<std::uint32_t>(_classes.size()), {made.size++}, false});
  }
  if (ids.empty()) _document.fail(node, "an enumeration without colours: expected at least one");
  // Names are for people and may repeat, ids may not.
  std::vector<std::string> sorted = made.names;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) made.names = ids;
  return {add_class(node, std::move(made))};
}

std::pair<Tokens, Tokens> ColouredSorts::ends_of(const pugi::xml_node& range) const {
  const Tokens first = _document.number(range, _document.attribute(range, "start"), "the start of the range");
  const Tokens last = _document.number(range, _document.attribute(range, "end"), "the end of the range");
  return {first, last};
}

FlatSort ColouredSorts::range(const pugi::xml_node& node, const std::string& name) {
  const auto [first, last] = ends_of(node);
  if (last < first)
    _document.fail(node, fmt::format("the range {}..{} is empty: expected at least one colour", first, last));
  const std::uint64_t size = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1;
  if (size > most_colours || size == 0)
    _document.fail(node, fmt::format("the range {}..{} has more than {} colours", first, last, most_colours));
  // Constants tell their sort by its ends, so equal ranges are one class.
  for (std::uint32_t i = 0; i < _classes.size(); ++i)
    if (_classes[i].names.empty() && _classes[i].first == first && _classes[i].size == size) return {i};
  return {add_class(node, {name, {}, first, static_cast<Colour>(size), false})};
}

std::uint32_t ColouredSorts::range_class(const pugi::xml_node& range) const {
  const auto [first, last] = ends_of(range);
  for (std::uint32_t i = 0; i < _classes.size(); ++i) {
    const ColourClass& known = _classes[i];
    if (known.names.empty() && known.first == first && known.first + (known.size - 1) == last) return i;
  }
  _document.fail(range, fmt::format("no sort is declared as the range {}..{}", first, last));
}

std::uint32_t ColouredSorts::dot_class() {
  const auto found = std::ranges::find_if(_classes, &ColourClass::is_dot);
  if (found != _classes.end()) return static_cast<std::uint32_t>(found - _classes.begin());
  _classes.push_back({"dot", {"dot"}, 0, 1, true});
  return static_cast<std::uint32_t>(_classes.size() - 1);
}

std::uint32_t ColouredSorts::add_class(const pugi::xml_node& at, ColourClass made) {
  if (made.size > most_colours) _document.fail(at, fmt::format("more than {} colours", most_colours));
  _classes.push_back(std::move(made));
  return static_cast<std::uint32_t>(_classes.size() - 1);
}

void ColouredSorts::name_colours(const pugi::xml_node& at, const std::string& id, NamedColours colours) {
  if (!_colours.try_emplace(id, std::move(colours)).second)
    _document.fail(at, fmt::format("duplicate name '{}': another colour has this id", shown(id)));
}

void ColouredSorts::read_partition(const pugi::xml_node& node) {
  const std::string id = _document.attribute(node, "id");
  Partition made;
  bool has_sort = false;
  std::vector<bool> is_in;
  for (const pugi::xml_node& child : _document.elements(node)) {
    if (local_name(child) != "partitionelement") {
      const FlatSort sort = this->sort(child);
      if (has_sort || sort.size() != 1) _document.fail(child, "a partition is of one sort, which is no product");
      has_sort = true;
      made.colour_class = sort.front();
      is_in.assign(_classes[sort.front()].size, false);
      continue;
    }
    if (!has_sort) _document.fail(child, "the sort of the partition comes first");
    std::vector<Colour> colours;
    for (const pugi::xml_node& member : _document.elements(child)) {
      if (local_name(member) != "useroperator")
        _document.fail(member,
                       fmt::format("element <{}> in a partition: expected <useroperator>", shown(member.name())));
      const NamedColours& named = named_colours(member, _document.attribute(member, "declaration"));
      if (named.is_element || named.colour_class != made.colour_class)
        _document.fail(member, "not a colour of the partition's sort");
      if (is_in[named.colours.front()]) _document.fail(member, "the colour is in the partition already");
      is_in[named.colours.front()] = true;
      colours.push_back(named.colours.front());
    }
    std::ranges::sort(colours);
    made.elements.push_back(colours);
    name_colours(child, _document.attribute(child, "id"), {made.colour_class, std::move(colours), true});
  }
  if (!_partitions.try_emplace(id, std::move(made)).second)
    _document.fail(node, fmt::format("duplicate name '{}': another partition has this id", shown(id)));
}

const NamedColours& ColouredSorts::named_colours(const pugi::xml_node& at, const std::string& id) const {
  return find(_document, at, _colours, id, "colour");
}

const DeclaredVariable& ColouredSorts::variable(const pugi::xml_node& at, const std::string& id) const {
  return find(_document, at, _variables, id, "variable");
}

const Partition& ColouredSorts::partition(const pugi::xml_node& at, const std::string& id) const {
  return find(_document, at, _partitions, id, "partition");
}

}  // namespace dcheck::parse
