// Conditions of coloured PNML nets.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "parse/pnml/coloured_nesting.hpp"

namespace dcheck::parse {
namespace {

using Kind = ColourGuard::Kind;

struct Comparison {
  std::string_view element;
  Kind kind;
  bool is_turned;  // left and right change places
};

constexpr std::array<Comparison, 6> comparisons{{{"equality", Kind::equal, false},
                                                 {"inequality", Kind::not_equal, false},
                                                 {"lessthan", Kind::less, false},
                                                 {"lessthanorequal", Kind::less_equal, false},
                                                 {"greaterthan", Kind::less, true},
                                                 {"greaterthanorequal", Kind::less_equal, true}}};

ColourGuard combined(Kind kind, std::vector<ColourGuard> children) {
  return {kind, {}, {}, std::move(children)};
}

bool compares(Kind kind, std::size_t left, std::size_t right) {
  switch (kind) {
    case Kind::equal:
      return left == right;
    case Kind::not_equal:
      return left != right;
    case Kind::less:
      return left < right;
    default:
      return left <= right;
  }
}

}  // namespace

ColourGuard TermReader::guard(const pugi::xml_node& label) {
  const pugi::xml_node term = only_term(label);
  return term ? condition(term) : ColourGuard{};
}

ColourGuard TermReader::condition(const pugi::xml_node& node) {
  const Nesting nesting(_document, _depth, node);
  const std::string_view element = local_name(node);
  const auto children = [&](std::size_t least, std::size_t most) {
    std::vector<ColourGuard> read;
    for (const pugi::xml_node& part : subterms(node, least, most)) read.push_back(condition(part));
    return read;
  };
  if (element == "and") return combined(Kind::conjunction, children(1, std::numeric_limits<std::size_t>::max()));
  if (element == "or") return combined(Kind::disjunction, children(1, std::numeric_limits<std::size_t>::max()));
  if (element == "not") return combined(Kind::negation, children(1, 1));
  if (element == "imply") {
    std::vector<ColourGuard> sides = children(2, 2);
    sides.front() = combined(Kind::negation, {sides.front()});
    return combined(Kind::disjunction, std::move(sides));
  }
  if (element == "booleanconstant")
    return combined(_document.attribute(node, "value") == "true" ? Kind::conjunction : Kind::disjunction, {});
  if (element == "gtp" || element == "ltp") return compare_elements(node, Kind::less, element == "gtp");
  const auto found = std::ranges::find(comparisons, element, &Comparison::element);
  if (found == comparisons.end())
    _document.fail(node, fmt::format("<{}> in a condition is not supported", shown(node.name())));
  const bool of_elements = std::ranges::any_of(
      subterms(node, 2, 2), [](const pugi::xml_node& side) { return local_name(side) == "partitionelementof"; });
  return of_elements ? compare_elements(node, found->kind, found->is_turned)
                     : comparison(node, found->kind, found->is_turned);
}

/// Tuples are equal component by component.
ColourGuard TermReader::comparison(const pugi::xml_node& node, Kind kind, bool is_turned) {
  const std::vector<pugi::xml_node> sides = subterms(node, 2, 2);
  std::vector<ColourTerm> left = single(sides[0]), right = single(sides[1]);
  bool fit = left.size() == right.size();
  for (std::size_t i = 0; fit && i < left.size(); ++i) fit = left[i].colour_class == right[i].colour_class;
  if (!fit) _document.fail(node, fmt::format("<{}> compares colours of two sorts", local_name(node)));
  const bool is_order = kind == Kind::less || kind == Kind::less_equal;
  if (is_order && left.size() != 1)
    _document.fail(node, fmt::format("<{}> of tuples: expected single colours", local_name(node)));
  if (is_turned) std::swap(left, right);
  std::vector<ColourGuard> parts;
  for (std::size_t i = 0; i < left.size(); ++i) parts.push_back({kind, std::move(left[i]), std::move(right[i]), {}});
  if (parts.size() == 1) return std::move(parts.front());
  return combined(kind == Kind::not_equal ? Kind::disjunction : Kind::conjunction, std::move(parts));
}

ColourGuard TermReader::compare_elements(const pugi::xml_node& node, Kind kind, bool is_turned) {
  const std::vector<pugi::xml_node> sides = subterms(node, 2, 2);
  std::array<ColourTerm, 2> terms;
  std::array<const Partition*, 2> partitions{};
  for (std::size_t i = 0; i < 2; ++i) {
    if (local_name(sides[i]) != "partitionelementof")
      _document.fail(sides[i], fmt::format("<{}> beside an element of a partition: expected <partitionelementof>",
                                           shown(sides[i].name())));
    partitions[i] = &_sorts.partition(sides[i], _document.attribute(sides[i], "refpartition"));
    const std::vector<ColourTerm> of = single(subterms(sides[i], 1, 1).front());
    if (of.size() != 1 || of.front().colour_class != partitions[i]->colour_class)
      _document.fail(sides[i], "not a colour of the partition's sort");
    terms[i] = of.front();
  }
  if (partitions[0] != partitions[1]) _document.fail(node, "elements of two partitions are compared");
  if (is_turned) std::swap(terms[0], terms[1]);
  const std::vector<std::vector<Colour>>& elements = partitions[0]->elements;
  const auto is_in = [&](const ColourTerm& term, std::size_t element) {
    ColourTerm set{ColourTerm::Kind::set, term.colour_class, 0, 0, elements[element]};
    return ColourGuard{Kind::member, term, std::move(set), {}};
  };
  std::vector<ColourGuard> pairs;
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (compares(kind, i, k)) pairs.push_back(combined(Kind::conjunction, {is_in(terms[0], i), is_in(terms[1], k)}));
  require_size(node, pairs.size());
  return combined(Kind::disjunction, std::move(pairs));
}

}  // namespace dcheck::parse
