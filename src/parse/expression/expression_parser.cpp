#include "parse/expression/expression_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "parse/nearest.hpp"

namespace dcheck::parse {
namespace {

using Kind = Node::Kind;
using Spelling = std::pair<std::string_view, Kind>;

constexpr std::array<Spelling, 6> comparisons{{{"<", Kind::less},
                                               {"<=", Kind::less_equal},
                                               {"==", Kind::equal},
                                               {"!=", Kind::not_equal},
                                               {">=", Kind::greater_equal},
                                               {">", Kind::greater}}};

constexpr std::array<Spelling, 7> prefixes{{{"!", Kind::negation},
                                            {"EX", Kind::ex},
                                            {"AX", Kind::ax},
                                            {"EF", Kind::ef},
                                            {"AF", Kind::af},
                                            {"EG", Kind::eg},
                                            {"AG", Kind::ag}}};

template <std::size_t Count>
std::optional<Kind> kind_of(const Token& token, const std::array<Spelling, Count>& spellings) {
  for (const auto& [spelling, kind] : spellings) {
    if (token.is(spelling)) return kind;
  }
  return std::nullopt;
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::vector<Node> pair(Node first, Node second) {
  std::vector<Node> both;
  both.push_back(std::move(first));
  both.push_back(std::move(second));
  return both;
}

std::vector<Node> single(Node only) {
  std::vector<Node> one;
  one.push_back(std::move(only));
  return one;
}

}  // namespace

ExpressionParser::ExpressionParser(const SourceText& source) : _source(source), _lexer(source) {
  _token = _lexer.next();
}

void ExpressionParser::advance() {
  _end_of_last = _token.end;
  _token = _lexer.next();
}

bool ExpressionParser::accept(std::string_view spelling) {
  if (!_token.is(spelling)) return false;
  advance();
  return true;
}

void ExpressionParser::expect(std::string_view spelling, std::string_view why) {
  if (!accept(spelling)) expected(fmt::format("'{}' {}", spelling, why));
}

void ExpressionParser::expected(std::string_view what) const {
  const bool reserved = _token.kind == Token::Kind::keyword && what.find("name") != std::string_view::npos;
  fail(_token.begin, fmt::format("expected {}, found {}{}", what, described(_token),
                                 reserved ? ": a keyword needs double quotes to be a name" : ""));
}

void ExpressionParser::expect_end() {
  if (_token.kind != Token::Kind::end) expected("an operator or the end of the formula");
}

void ExpressionParser::fail_too_deep(Offset at, int limit) const {
  fail(at, fmt::format("nested too deeply: at most {} levels are supported", limit));
}

void ExpressionParser::count_node(Offset at) {
  if (++_nodes > max_syntax_nodes) {
    fail(at, fmt::format("text is too long: more than {} operators, names and numbers", max_syntax_nodes));
  }
}

Node ExpressionParser::node(Kind kind, Offset at, std::vector<Node> children) {
  count_node(at);
  Node made{kind, 1, at, 0, {}, {}};
  made.children.reserve(children.size());
  for (Node& child : children) adopt(made, std::move(child));
  return made;
}

Node ExpressionParser::leaf(Kind kind) {
  Node made = node(kind, _token.begin, {});
  advance();
  return made;
}

void ExpressionParser::adopt(Node& parent, Node child) {
  if (child.depth >= max_tree_depth) fail_too_deep(child.at, max_tree_depth);
  parent.depth = std::max(parent.depth, static_cast<std::uint16_t>(child.depth + 1));
  parent.children.push_back(std::move(child));
}

Node ExpressionParser::expression() {
  const Nesting nesting(*this);
  Node condition = equivalence();
  const Offset at = _token.begin;
  if (!accept("?")) return condition;
  Node choice = node(Kind::choice, at, single(std::move(condition)));
  adopt(choice, expression());
  expect(":", "and what holds otherwise");
  adopt(choice, expression());
  return choice;
}

bool ExpressionParser::next_is(std::string_view spelling) const {
  Lexer ahead = _lexer;
  return ahead.next().is(spelling);
}

Question ExpressionParser::question() {
  // `bound` is no keyword: places may have this name. No name can stand before a parenthesis, though.
  if (_token.kind != Token::Kind::name || _token.text != "bound" || !next_is("(")) return {false, expression()};
  advance();
  advance();
  Question made{true, expression()};
  expect(")", "to close 'bound'");
  if (_token.kind != Token::Kind::end && !_token.is(";")) expected("the end of the formula: 'bound(...)' stands alone");
  return made;
}

Node ExpressionParser::equivalence() {
  Node left = implication();
  for (Offset at = _token.begin; accept("<->"); at = _token.begin) {
    left = node(Kind::equivalence, at, pair(std::move(left), implication()));
  }
  return left;
}

Node ExpressionParser::implication() {
  Node left = disjunction();
  const Offset at = _token.begin;
  if (!accept("->")) return left;
  const Nesting nesting(*this);
  return node(Kind::implication, at, pair(std::move(left), implication()));
}

Node ExpressionParser::disjunction() {
  Node first = conjunction();
  if (!_token.is("||")) return first;
  Node all = node(Kind::disjunction, _token.begin, single(std::move(first)));
  while (accept("||")) adopt(all, conjunction());
  return all;
}

Node ExpressionParser::conjunction() {
  Node first = unary();
  if (!_token.is("&&")) return first;
  Node all = node(Kind::conjunction, _token.begin, single(std::move(first)));
  while (accept("&&")) adopt(all, unary());
  return all;
}

Node ExpressionParser::unary() {
  const Offset at = _token.begin;
  if (const auto kind = kind_of(_token, prefixes)) {
    const Nesting nesting(*this);
    advance();
    return node(*kind, at, single(unary()));
  }
  if (_token.is("exists") || _token.is("forall")) {
    Node quantified = ranges(_token.is("exists") ? Kind::exists : Kind::forall);
    expect(":", "before what is quantified");
    adopt(quantified, expression());
    return quantified;
  }
  return comparison();
}

Node ExpressionParser::comparison() {
  Node left = sum_of_terms();
  const auto kind = kind_of(_token, comparisons);
  if (!kind) {
    if (_token.is("=")) fail(_token.begin, "'=' compares nothing: expected '=='");
    return left;
  }
  const Offset at = _token.begin;
  advance();
  Node compared = node(*kind, at, pair(std::move(left), sum_of_terms()));
  if (kind_of(_token, comparisons)) fail(_token.begin, "comparisons do not chain: join two of them with '&&'");
  return compared;
}

Node ExpressionParser::sum_of_terms() {
  Node first = term();
  if (!_token.is("+") && !_token.is("-")) return first;
  Node all = node(Kind::add, _token.begin, single(std::move(first)));
  for (Offset at = _token.begin; _token.is("+") || _token.is("-"); at = _token.begin) {
    const bool subtracted = _token.is("-");
    advance();
    Node next = term();
    adopt(all, subtracted ? node(Kind::minus, at, single(std::move(next))) : std::move(next));
  }
  return all;
}

Node ExpressionParser::term() {
  Node left = factor();
  for (Offset at = _token.begin;; at = _token.begin) {
    if (accept("*")) {
      Node right = factor();
      if (left.kind != Kind::multiply) left = node(Kind::multiply, at, single(std::move(left)));
      adopt(left, std::move(right));
    } else if (_token.is("/") || _token.is("%")) {
      const Kind kind = _token.is("/") ? Kind::divide : Kind::remainder;
      advance();
      left = node(kind, at, pair(std::move(left), factor()));
    } else {
      return left;
    }
  }
}

Node ExpressionParser::factor() {
  const Offset at = _token.begin;
  if (!_token.is("-")) return primary();
  const Nesting nesting(*this);
  advance();
  return node(Kind::minus, at, single(factor()));
}

Node ExpressionParser::primary() {
  if (_token.kind == Token::Kind::integer) {
    const Tokens value = _token.value;
    Node number = leaf(Kind::integer);
    number.value = value;
    return number;
  }
  if (_token.kind == Token::Kind::decimal) {
    const std::string text(_token.text);
    Node number = leaf(Kind::decimal);
    number.text = text;
    return number;
  }
  if (_token.is("true") || _token.is("false")) {
    const Tokens value = _token.is("true") ? 1 : 0;
    Node truth = leaf(Kind::truth);
    truth.value = value;
    return truth;
  }
  if (_token.is("deadlock")) return leaf(Kind::deadlock);
  if (_token.is("initial")) return leaf(Kind::initial);
  if (_token.is("fireable")) return fireable();
  if (_token.is("E")) return until(Kind::eu);
  if (_token.is("A")) return until(Kind::au);
  if (_token.is("sum")) {
    Node all = ranges(Kind::sum);
    expect(":", "before what is summed");
    const Nesting nesting(*this);
    adopt(all, term());
    return all;
  }
  if (accept("(")) {
    Node inner = expression();
    expect(")", "to close the parenthesis");
    return inner;
  }
  return named();
}

Node ExpressionParser::named() {
  const bool is_quoted = _token.text.starts_with('"');
  Node made = reference("a name, a number or an expression");
  if (!is_quoted && made.children.empty()) refuse_unknown_operator(made);
  return made;
}

void ExpressionParser::refuse_unknown_operator(const Node& name) const {
  if (_token.is("(")) {
    if (name.text == "bound") fail(name.at, "'bound(...)' asks for a number: it can only be a whole formula");
    NearestName nearest(name.text);
    for (const auto& [spelling, kind] : prefixes) nearest.consider(spelling);
    for (const std::string_view spelling : {"bound", "sum", "exists", "forall", "fireable"}) nearest.consider(spelling);
    fail(name.at, fmt::format("unknown operator '{}'{}", shown(name.text), nearest.suggestion()));
  }
  if (_token.kind == Token::Kind::symbol && !_token.is("!")) return;
  for (const auto& [spelling, kind] : prefixes) {
    if (upper_case(name.text) == spelling && _token.kind != Token::Kind::end) {
      fail(name.at, fmt::format("unknown operator '{}'; did you mean '{}'?", name.text, spelling));
    }
  }
}

Node ExpressionParser::until(Kind kind) {
  Node made = leaf(kind);
  expect("[", kind == Kind::eu ? "after 'E', as in E[p U q] (a name needs double quotes)"
                               : "after 'A', as in A[p U q] (a name needs double quotes)");
  adopt(made, expression());
  expect("U", "between the two formulas");
  adopt(made, expression());
  expect("]", "to close the until");
  return made;
}

Node ExpressionParser::fireable() {
  Node made = leaf(Kind::fireable);
  expect("(", "after 'fireable'");
  do {
    adopt(made, reference("the name of a transition"));
  } while (accept(","));
  expect(")", "to close 'fireable'");
  return made;
}

}  // namespace dcheck::parse
