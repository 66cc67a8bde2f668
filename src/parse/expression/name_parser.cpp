// Names with indices, and the ranges that indices run over.

#include <algorithm>
#include <utility>

#include "parse/expression/expression_parser.hpp"

namespace dcheck::parse {

using Kind = Node::Kind;

Node ExpressionParser::reference(std::string_view what) {
  if (_token.kind != Token::Kind::name) expected(what);
  std::string text = std::move(_token.name);
  Node made = leaf(Kind::name);
  made.text = std::move(text);
  if (!accept("[")) return made;
  do {
    adopt(made, expression());
  } while (accept(","));
  expect("]", "to close the indices");
  return made;
}

Node ExpressionParser::ranges(Kind kind) {
  const Offset at = _token.begin;
  advance();
  Node made = ranges_here(kind);
  made.at = at;
  return made;
}

Node ExpressionParser::colours() {
  const auto is_name = [](const Node& node) { return node.kind == Kind::name && node.children.empty(); };
  const Offset at = _token.begin;
  Node first = sum_of_terms();
  if (first.kind == Kind::multiply && std::ranges::all_of(first.children, is_name)) {
    Node made = node(Kind::loop, at, {});
    for (Node& name : first.children) {
      Node factor = node(Kind::binding, name.at, {});
      adopt(factor, std::move(name));
      adopt(made, std::move(factor));
    }
    return made;
  }
  Node made = node(Kind::binding, at, {});
  const bool is_set = is_name(first) && !_token.is("..");
  adopt(made, std::move(first));
  if (is_set) return made;
  expect("..", "between the ends of the range");
  adopt(made, sum_of_terms());
  return made;
}

Node ExpressionParser::ranges_here(Kind kind) {
  const Nesting nesting(*this);
  Node made = node(kind, _token.begin, {});
  do {
    if (_token.kind != Token::Kind::name) expected("the name of a loop variable");
    adopt(made, binding());
  } while (accept(","));
  if (_token.is("where")) {
    Node filter = leaf(Kind::filter);
    adopt(filter, equivalence());
    adopt(made, std::move(filter));
  }
  return made;
}

Node ExpressionParser::binding() {
  std::string variable = std::move(_token.name);
  Node made = leaf(Kind::binding);
  made.text = std::move(variable);
  expect("in", "after the loop variable");
  range_of(made);
  return made;
}

/// `a..b`, or the name of a colour set, as children of a binding.
void ExpressionParser::range_of(Node& binding) {
  adopt(binding, sum_of_terms());
  const Node& first = binding.children.front();
  if (first.kind == Kind::name && first.children.empty() && !_token.is("..")) return;
  expect("..", "between the ends of the range");
  adopt(binding, sum_of_terms());
}

DeclaredName ExpressionParser::declared_name(std::string_view what) {
  if (_token.kind != Token::Kind::name) expected(what);
  DeclaredName made{std::move(_token.name), _token.begin, {}};
  count_node(made.at);
  advance();
  if (!accept("[")) return made;
  do {
    made.dimensions.push_back(dimension());
  } while (accept(","));
  expect("]", "to close the indices");
  return made;
}

/// `i in a..b`, `a..b` or `a`. A name is at first an expression: only `in` behind it tells.
Node ExpressionParser::dimension() {
  const Offset at = _token.begin;
  Node first = expression();
  if (first.kind == Kind::name && first.children.empty() && accept("in")) {
    Node made = node(Kind::binding, at, {});
    made.text = std::move(first.text);
    range_of(made);
    return made;
  }
  if (!accept("..")) return first;
  Node made = node(Kind::binding, at, {});
  adopt(made, std::move(first));
  adopt(made, sum_of_terms());
  return made;
}

}  // namespace dcheck::parse
