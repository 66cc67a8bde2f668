// Terms that stand for colours, and sums of them.

#include "parse/pnml/coloured_terms.hpp"

#include <fmt/format.h>

#include <limits>

#include "parse/pnml/coloured_nesting.hpp"

namespace dcheck::parse {
namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();
/// Tuples that products of sums may make.
constexpr std::size_t most_tuples = 1'000'000;

std::vector<ColourTuple> one(ColourTerm term) {
  return {{1, {std::move(term)}}};
}

}  // namespace

pugi::xml_node TermReader::only_term(const pugi::xml_node& label) const {
  const pugi::xml_node structure = _document.child(label, "structure");
  if (!structure) return {};
  const std::vector<pugi::xml_node> terms = _document.elements(structure);
  if (terms.size() > 1) _document.fail(terms[1], fmt::format("<{}> has two terms: expected one", shown(label.name())));
  return terms.empty() ? pugi::xml_node() : terms.front();
}

std::vector<pugi::xml_node> TermReader::subterms(const pugi::xml_node& node, std::size_t least,
                                                 std::size_t most) const {
  std::vector<pugi::xml_node> terms;
  for (const pugi::xml_node& child : _document.elements(node)) {
    if (local_name(child) != "subterm")
      _document.fail(child, fmt::format("unexpected element <{}> in <{}>: expected <subterm>", shown(child.name()),
                                        shown(node.name())));
    const std::vector<pugi::xml_node> inner = _document.elements(child);
    if (inner.size() != 1) _document.fail(child, fmt::format("<subterm> has {} elements: expected one", inner.size()));
    terms.push_back(inner.front());
  }
  if (terms.size() < least || terms.size() > most)
    _document.fail(node, fmt::format("<{}> has {} operands: expected {}{}", shown(node.name()), terms.size(), least,
                                     most == any_number ? " or more"
                                     : most > least     ? fmt::format(" to {}", most)
                                                        : ""));
  return terms;
}

std::vector<ColourTuple> TermReader::multiset(const pugi::xml_node& label, const FlatSort& sort) {
  const pugi::xml_node term = only_term(label);
  if (!term) return {};
  Sum read = sum(term);
  for (const ColourTuple& tuple : read) {
    bool fits = tuple.components.size() == sort.size();
    for (std::size_t i = 0; fits && i < sort.size(); ++i) fits = tuple.components[i].colour_class == sort[i];
    if (fits) continue;
    const auto name = [&](std::uint32_t of) { return shown(_sorts.classes()[of].name); };
    std::string is, should;
    for (const ColourTerm& component : tuple.components) is += (is.empty() ? "" : " x ") + name(component.colour_class);
    for (const std::uint32_t of : sort) should += (should.empty() ? "" : " x ") + name(of);
    _document.fail(term, fmt::format("a term of sort {} where the place has {}", is, should));
  }
  return read;
}

TermReader::Sum TermReader::sum(const pugi::xml_node& node) {
  const Nesting nesting(_document, _depth, node);
  const std::string_view element = local_name(node);
  if (element == "numberof" || element == "scalarproduct") return number_of(node);
  if (element == "add" || element == "subtract") return added(node);
  if (element == "tuple") return tuple(node);
  if (element == "variable") return variable(node);
  if (element == "useroperator") return named(node);
  if (element == "all") return all(node);
  if (element == "empty") return {};
  if (element == "dotconstant") return one({ColourTerm::Kind::constant, _sorts.dot_class(), 0, 0, {}});
  if (element == "finiteintrangeconstant") return integer(node);
  if (element == "successor" || element == "predecessor") return shifted(node, element == "successor");
  _document.fail(node, fmt::format("term <{}> is not supported", shown(node.name())));
}

void TermReader::require_size(const pugi::xml_node& at, std::size_t count) const {
  if (count > most_tuples) _document.fail(at, fmt::format("a sum of more than {} terms", most_tuples));
}

Tokens TermReader::multiplied(const pugi::xml_node& at, Tokens a, Tokens b) const {
  Tokens product = 0;
  if (__builtin_mul_overflow(a, b, &product)) _document.fail(at, "a number of tokens is larger than 2^63 - 1");
  return product;
}

TermReader::Sum TermReader::number_of(const pugi::xml_node& node) {
  const std::vector<pugi::xml_node> parts = subterms(node, 1, 2);
  Tokens count = 1;
  if (parts.size() == 2) {
    const pugi::xml_node number = parts.front();
    if (local_name(number) != "numberconstant")
      _document.fail(number, fmt::format("<{}> as a number: expected <numberconstant>", shown(number.name())));
    count = _document.number(number, _document.attribute(number, "value"), "the number");
    if (count < 0) _document.fail(number, fmt::format("the number is {}: expected 0 or more", count));
  }
  Sum whole = sum(parts.back());
  for (ColourTuple& tuple : whole) tuple.count = multiplied(node, tuple.count, count);
  return whole;
}

TermReader::Sum TermReader::added(const pugi::xml_node& node) {
  const bool subtracts = local_name(node) == "subtract";
  Sum whole;
  bool is_first = true;
  for (const pugi::xml_node& part : subterms(node, 1, any_number)) {
    for (ColourTuple& tuple : sum(part)) {
      if (subtracts && !is_first) tuple.count = multiplied(node, tuple.count, -1);
      whole.push_back(std::move(tuple));
    }
    is_first = false;
    require_size(node, whole.size());
  }
  return whole;
}

/// Where components are sums, all combinations.
TermReader::Sum TermReader::tuple(const pugi::xml_node& node) {
  Sum whole{{1, {}}};
  for (const pugi::xml_node& part : subterms(node, 1, any_number)) {
    const Sum factor = sum(part);
    require_size(node, whole.size() * factor.size());
    Sum product;
    for (const ColourTuple& left : whole)
      for (const ColourTuple& right : factor) {
        product.push_back({multiplied(node, left.count, right.count), left.components});
        product.back().components.insert(product.back().components.end(), right.components.begin(),
                                         right.components.end());
      }
    whole = std::move(product);
  }
  return whole;
}

TermReader::Sum TermReader::variable(const pugi::xml_node& node) {
  const std::string id = _document.attribute(node, "refvariable");
  const DeclaredVariable& declared = _sorts.variable(node, id);
  if (_variables == nullptr) _document.fail(node, "a variable in a marking: expected colours only");
  const auto [known, is_new] = _first_of.try_emplace(id, static_cast<std::uint32_t>(_variables->size()));
  ColourTuple tuple;
  for (std::size_t i = 0; i < declared.sort.size(); ++i) {
    const std::string name = declared.sort.size() == 1 ? declared.name : fmt::format("{}.{}", declared.name, i + 1);
    if (is_new) _variables->push_back({name, declared.sort[i]});
    const auto number = known->second + static_cast<std::uint32_t>(i);
    tuple.components.push_back({ColourTerm::Kind::variable, declared.sort[i], number, 0, {}});
  }
  return {std::move(tuple)};
}

TermReader::Sum TermReader::named(const pugi::xml_node& node) {
  const NamedColours& colours = _sorts.named_colours(node, _document.attribute(node, "declaration"));
  if (colours.is_element) return one({ColourTerm::Kind::set, colours.colour_class, 0, 0, colours.colours});
  return one({ColourTerm::Kind::constant, colours.colour_class, 0, colours.colours.front(), {}});
}

TermReader::Sum TermReader::all(const pugi::xml_node& node) {
  const std::vector<pugi::xml_node> sorts = _document.elements(node);
  if (sorts.size() != 1) _document.fail(node, fmt::format("<all> has {} elements: expected a sort", sorts.size()));
  ColourTuple tuple;
  for (const std::uint32_t of : _sorts.sort(sorts.front()))
    tuple.components.push_back({ColourTerm::Kind::all, of, 0, 0, {}});
  return {std::move(tuple)};
}

TermReader::Sum TermReader::integer(const pugi::xml_node& node) {
  const pugi::xml_node range = _document.child(node, "finiteintrange");
  if (!range) _document.fail(node, "an integer without its range: expected <finiteintrange>");
  const std::uint32_t of = _sorts.range_class(range);
  const ColourClass& known = _sorts.classes()[of];
  const Tokens value = _document.number(node, _document.attribute(node, "value"), "the integer");
  if (value < known.first || static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(known.first) >= known.size)
    _document.fail(node,
                   fmt::format("{} is outside its range {}..{}", value, known.first, known.first + (known.size - 1)));
  return one({ColourTerm::Kind::constant, of, 0, static_cast<Colour>(value - known.first), {}});
}

TermReader::Sum TermReader::shifted(const pugi::xml_node& node, bool forward) {
  std::vector<ColourTerm> terms = single(subterms(node, 1, 1).front());
  if (terms.size() != 1) _document.fail(node, fmt::format("the {} of a tuple: expected one colour", local_name(node)));
  ColourTerm& term = terms.front();
  const ColourClass& of = _sorts.classes()[term.colour_class];
  if (!of.is_cyclic)
    _document.fail(node,
                   fmt::format("the {} of a colour of '{}', which is not cyclic", local_name(node), shown(of.name)));
  const std::uint64_t value = std::uint64_t{term.value} + (forward ? 1 : of.size - 1);
  term.value = static_cast<Colour>(value % of.size);
  return one(std::move(term));
}

std::vector<ColourTerm> TermReader::single(const pugi::xml_node& node) {
  Sum read = sum(node);
  bool is_single = read.size() == 1 && read.front().count == 1;
  if (is_single)
    for (const ColourTerm& term : read.front().components) is_single = is_single && term.is_single();
  if (!is_single) _document.fail(node, "a sum of colours: expected one colour");
  return std::move(read.front().components);
}

}  // namespace dcheck::parse
