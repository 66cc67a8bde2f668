#include "parse/formula/mcc_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "parse/expression/expression_parser.hpp"

namespace dcheck::parse {
namespace {

using Kind = Node::Kind;

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

struct Operator {
  std::string_view element;
  Kind kind;
  std::size_t least = 1, most = 1;  // operands
};

// The last two are how the contest wrote reachability until 2014.
constexpr std::array<Operator, 7> connectives{{{"negation", Kind::negation},
                                               {"conjunction", Kind::conjunction, 1, any_number},
                                               {"disjunction", Kind::disjunction, 1, any_number},
                                               {"implication", Kind::implication, 2, 2},
                                               {"equivalence", Kind::equivalence, 2, 2},
                                               {"invariant", Kind::ag},
                                               {"possibility", Kind::ef}}};

constexpr std::array<Operator, 6> comparisons{{{"integer-le", Kind::less_equal},
                                               {"integer-lt", Kind::less},
                                               {"integer-ge", Kind::greater_equal},
                                               {"integer-gt", Kind::greater},
                                               {"integer-eq", Kind::equal},
                                               {"integer-ne", Kind::not_equal}}};

struct PathOperator {
  std::string_view element;
  Kind on_all_paths, on_some_path;
};

constexpr std::array<PathOperator, 4> path_operators{{{"finally", Kind::af, Kind::ef},
                                                      {"globally", Kind::ag, Kind::eg},
                                                      {"next", Kind::ax, Kind::ex},
                                                      {"until", Kind::au, Kind::eu}}};

template <typename Entry, std::size_t Count>
const Entry* find(const std::array<Entry, Count>& entries, std::string_view element) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.element == element; });
  return found == entries.end() ? nullptr : &*found;
}

void adopt(Node& parent, Node child) {
  parent.depth = std::max(parent.depth, static_cast<std::uint16_t>(child.depth + 1));
  parent.children.push_back(std::move(child));
}

Node negated(Node inner) {
  Node negation{Kind::negation, 1, inner.at, 0, {}, {}};
  adopt(negation, std::move(inner));
  return negation;
}

}  // namespace

class MccReader::Nesting {
 public:
  Nesting(MccReader& reader, const pugi::xml_node& at) : _reader(reader) {
    if (++_reader._depth <= max_tree_depth) return;
    _reader._document.fail(at, fmt::format("nested too deeply: at most {} levels are supported", max_tree_depth));
  }
  ~Nesting() { --_reader._depth; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  MccReader& _reader;
};

std::string MccReader::text(const pugi::xml_node& node) const {
  std::string whole = _document.text(node);
  if (whole.empty()) _document.fail(node, fmt::format("<{}> is empty: expected text", shown(node.name())));
  return whole;
}

void MccReader::unexpected(const pugi::xml_node& node, std::string_view expected) const {
  _document.fail(node, fmt::format("unexpected element <{}> in <{}>: expected {}", shown(node.name()),
                                   shown(node.parent().name()), expected));
}

void MccReader::require_name(const pugi::xml_node& node, std::string_view name) const {
  if (local_name(node) != name) unexpected(node, fmt::format("<{}>", name));
}

pugi::xml_node MccReader::single(const pugi::xml_node& node) const {
  const std::vector<pugi::xml_node> found = _document.elements(node);
  if (found.empty()) _document.fail(node, fmt::format("<{}> is empty: expected one element", shown(node.name())));
  if (found.size() > 1) {
    _document.fail(found[1], fmt::format("<{}> has {} elements: expected one", shown(node.name()), found.size()));
  }
  return found.front();
}

Node MccReader::made(Kind kind, const pugi::xml_node& node) const {
  return {kind, 1, _document.offset(node), 0, {}, {}};
}

Node MccReader::combined(Kind kind, const pugi::xml_node& node, Read read, std::size_t least, std::size_t most) {
  const std::vector<pugi::xml_node> operands = _document.elements(node);
  if (operands.size() < least || operands.size() > most) {
    _document.fail(node, fmt::format("<{}> has {} elements: expected {}{}", shown(node.name()), operands.size(), least,
                                     most > least ? " or more" : ""));
  }
  Node whole = made(kind, node);
  for (const pugi::xml_node& operand : operands) adopt(whole, (this->*read)(operand));
  return whole;
}

Question MccReader::question(const pugi::xml_node& formula_element) {
  const pugi::xml_node inner = single(formula_element);
  if (local_name(inner) == "place-bound") return {true, tokens(inner)};
  return {false, formula(inner)};
}

Node MccReader::formula(const pugi::xml_node& node) {
  const Nesting nesting(*this, node);
  const std::string_view element = local_name(node);
  if (element == "all-paths" || element == "exists-path") return temporal(node);
  if (const Operator* connective = find(connectives, element)) {
    return combined(connective->kind, node, &MccReader::formula, connective->least, connective->most);
  }
  if (const Operator* comparison = find(comparisons, element)) {
    return combined(comparison->kind, node, &MccReader::number, 2, 2);
  }
  if (element == "exclusive-disjunction") {
    return negated(combined(Kind::equivalence, node, &MccReader::formula, 2, 2));
  }
  if (element == "impossibility") return negated(combined(Kind::ef, node, &MccReader::formula, 1, 1));
  if (element == "is-fireable") return combined(Kind::fireable, node, &MccReader::transition, 1, any_number);
  if (element == "deadlock") return combined(Kind::deadlock, node, &MccReader::formula, 0, 0);
  if (element == "true" || element == "false") {
    Node truth = combined(Kind::truth, node, &MccReader::formula, 0, 0);
    truth.value = element == "true" ? 1 : 0;
    return truth;
  }
  if (element == "place-bound") _document.fail(node, "<place-bound> stands alone: expected it directly in <formula>");
  if (find(path_operators, element) != nullptr) {
    _document.fail(node, fmt::format("<{}> without a path quantifier: expected it directly in <all-paths> or "
                                     "<exists-path> (LTL is not supported)",
                                     shown(node.name())));
  }
  unexpected(node, "a formula");
}

Node MccReader::temporal(const pugi::xml_node& quantifier) {
  const pugi::xml_node inner = single(quantifier);
  const PathOperator* path = find(path_operators, local_name(inner));
  if (path == nullptr) unexpected(inner, "<finally>, <globally>, <next> or <until>");
  const Kind kind = local_name(quantifier) == "all-paths" ? path->on_all_paths : path->on_some_path;
  if (path->element != "until") return combined(kind, inner, &MccReader::formula, 1, 1);
  return until(inner, kind);
}

Node MccReader::until(const pugi::xml_node& node, Kind kind) {
  const std::vector<pugi::xml_node> sides = _document.elements(node);
  if (sides.size() != 2) {
    _document.fail(
        node, fmt::format("<{}> has {} elements: expected <before> and <reach>", shown(node.name()), sides.size()));
  }
  require_name(sides[0], "before");
  require_name(sides[1], "reach");
  Node whole = made(kind, node);
  for (const pugi::xml_node& side : sides) adopt(whole, formula(single(side)));
  return whole;
}

Node MccReader::number(const pugi::xml_node& node) {
  const Nesting nesting(*this, node);
  const std::string_view element = local_name(node);
  if (element == "tokens-count") return tokens(node);
  if (element == "integer-constant") {
    Node constant = made(Kind::integer, node);
    constant.value = _document.number(node, text(node), "the constant");
    return constant;
  }
  if (element == "integer-sum") return combined(Kind::add, node, &MccReader::number, 1, any_number);
  if (element == "integer-difference") {
    Node whole = combined(Kind::add, node, &MccReader::number, 2, 2);
    Node minus = made(Kind::minus, node);
    adopt(minus, std::move(whole.children.back()));
    whole.children.pop_back();
    adopt(whole, std::move(minus));
    return whole;
  }
  if (element == "place-bound") _document.fail(node, "<place-bound> stands alone: expected it directly in <formula>");
  unexpected(node, "a number, such as <tokens-count> or <integer-constant>");
}

Node MccReader::tokens(const pugi::xml_node& node) {
  return combined(Kind::add, node, &MccReader::place, 1, any_number);
}

Node MccReader::place(const pugi::xml_node& node) {
  require_name(node, "place");
  Node named = made(Kind::name, node);
  named.text = text(node);
  // Here, and not when names are resolved: parameters and definitions are no places.
  if (!_scope.net().find_place(named.text) && !_scope.net().colours_of(named.text)) {
    _document.fail(node, fmt::format("unknown place '{}'{}", shown(named.text), _scope.suggest_place(named.text)));
  }
  return named;
}

Node MccReader::transition(const pugi::xml_node& node) {
  require_name(node, "transition");
  Node named = made(Kind::name, node);
  named.text = text(node);
  return named;
}

}  // namespace dcheck::parse
