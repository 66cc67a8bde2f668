#include "parse/cspl/expression_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dcheck::parse::cspl {
namespace {

constexpr int most_levels = 200;
constexpr std::uint32_t deepest_expression = 1000;

constexpr std::array<std::array<std::string_view, 4>, 10> binary_levels{{{"||"},
                                                                         {"&&"},
                                                                         {"|"},
                                                                         {"^"},
                                                                         {"&"},
                                                                         {"==", "!="},
                                                                         {"<", ">", "<=", ">="},
                                                                         {"<<", ">>"},
                                                                         {"+", "-"},
                                                                         {"*", "/", "%"}}};

struct TypeWord {
  std::string_view word;
  Base base;
};
// The last four are names of SPNP 3.
constexpr std::array<TypeWord, 13> type_words{{{"void", Base::nothing},
                                               {"int", Base::integer},
                                               {"long", Base::integer},
                                               {"short", Base::integer},
                                               {"unsigned", Base::integer},
                                               {"signed", Base::integer},
                                               {"char", Base::character},
                                               {"double", Base::real},
                                               {"float", Base::real},
                                               {"rate_type", Base::real},
                                               {"probability_type", Base::real},
                                               {"reward_type", Base::real},
                                               {"enabling_type", Base::integer}}};
constexpr std::array<std::string_view, 5> qualifiers{"const", "static", "extern", "register", "volatile"};

Expr made(Expr::Kind kind, Offset at, std::string text = {}) {
  Expr result;
  result.kind = kind;
  result.at = at;
  result.text = std::move(text);
  return result;
}

Expr with_children(Expr expr, Expr first) {
  expr.depth = std::max(expr.depth, first.depth + 1);
  expr.children.push_back(std::move(first));
  return expr;
}

Expr with_children(Expr expr, Expr first, Expr second) {
  return with_children(with_children(std::move(expr), std::move(first)), std::move(second));
}

}  // namespace

bool ExpressionParser::accept(std::string_view spelling) {
  if (!token().is(spelling)) return false;
  advance();
  return true;
}

void ExpressionParser::expect(std::string_view spelling, std::string_view where) {
  if (!accept(spelling)) expected(fmt::format("'{}' {}", spelling, where));
}

void ExpressionParser::expected(std::string_view what) const {
  fail(token().at, fmt::format("expected {}, found {}", what, described(token())));
}

void ExpressionParser::enter() {
  if (++_depth > most_levels) fail(token().at, fmt::format("nested more than {} deep", most_levels));
}

bool ExpressionParser::is_at_type() const {
  if (token().kind != Token::Kind::name) return false;
  return std::ranges::find(type_words, token().text, &TypeWord::word) != type_words.end() ||
         std::ranges::find(qualifiers, token().text) != qualifiers.end();
}

ExpressionParser::Type ExpressionParser::type() {
  Type result;
  bool is_said = false;
  for (; is_at_type(); advance()) {
    result.is_static |= token().is("static");
    const auto word = std::ranges::find(type_words, token().text, &TypeWord::word);
    if (word == type_words.end()) continue;
    // `long double` is real, `long int` and `unsigned char` are what their second word says.
    if (!is_said || word->base != Base::integer) result.base = word->base;
    is_said = true;
  }
  return result;
}

Expr ExpressionParser::expression() {
  Expr left = assignment();
  while (token().is(",")) {
    const Offset at = token().at;
    advance();
    left = with_children(made(Expr::Kind::comma, at), std::move(left), assignment());
  }
  return left;
}

Expr ExpressionParser::assignment() {
  const Nesting nesting(*this);
  Expr left = conditional();
  constexpr std::array operators{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
  if (token().kind != Token::Kind::symbol || std::ranges::find(operators, token().text) == operators.end()) return left;
  const Token sign = token();
  advance();
  return with_children(made(Expr::Kind::assign, sign.at, sign.text), std::move(left), assignment());
}

Expr ExpressionParser::initializer() {
  if (!token().is("{")) return assignment();
  const Nesting nesting(*this);
  Expr list = made(Expr::Kind::list, token().at);
  advance();
  while (!accept("}")) {
    list.children.push_back(initializer());
    if (!accept(",") && !token().is("}")) expected("',' or '}' in the list");
  }
  return list;
}

Expr ExpressionParser::conditional() {
  Expr condition = binary(0);
  if (!token().is("?")) return condition;
  Expr result = with_children(made(Expr::Kind::conditional, token().at), std::move(condition));
  advance();
  result = with_children(std::move(result), expression());
  expect(":", "after '?' and a value");
  const Nesting nesting(*this);
  return with_children(std::move(result), conditional());
}

Expr ExpressionParser::binary(int level) {
  if (level == static_cast<int>(binary_levels.size())) return unary();
  Expr left = binary(level + 1);
  const auto& operators = binary_levels[static_cast<std::size_t>(level)];
  while (token().kind == Token::Kind::symbol && std::ranges::find(operators, token().text) != operators.end()) {
    const Token sign = token();
    advance();
    const Expr::Kind kind = level == 0   ? Expr::Kind::logical_or
                            : level == 1 ? Expr::Kind::logical_and
                                         : Expr::Kind::binary;
    left = with_children(made(kind, sign.at, sign.text), std::move(left), binary(level + 1));
    if (left.depth > deepest_expression)
      fail(sign.at, fmt::format("expression of more than {} operators in a row", deepest_expression));
  }
  return left;
}

bool ExpressionParser::is_at_cast() const {
  if (!token().is("(") || token(1).kind != Token::Kind::name) return false;
  return std::ranges::find(type_words, token(1).text, &TypeWord::word) != type_words.end();
}

Expr ExpressionParser::unary() {
  const Nesting nesting(*this);
  const Token sign = token();
  if (is_at_cast()) {
    advance();
    Expr result = made(Expr::Kind::cast, sign.at);
    result.type = type().base;
    expect(")", "after the type (casts to pointers are not supported)");
    return with_children(std::move(result), unary());
  }
  if (sign.is("sizeof") || sign.is("&") || sign.is("*"))
    fail(sign.at, fmt::format("'{}' is not supported here: pointers are only names of arrays and texts", sign.text));
  if (accept("++") || accept("--")) {
    Expr result = made(Expr::Kind::increment, sign.at, sign.text);
    result.is_prefix = true;
    return with_children(std::move(result), unary());
  }
  if (accept("-") || accept("+") || accept("!") || accept("~"))
    return with_children(made(Expr::Kind::unary, sign.at, sign.text), unary());
  return postfix();
}

Expr ExpressionParser::postfix() {
  Expr result = primary();
  for (;;) {
    const Token sign = token();
    if (accept("[")) {
      result = with_children(made(Expr::Kind::index, sign.at), std::move(result), expression());
      expect("]", "after the index");
    } else if (sign.is("(")) {
      if (result.kind != Expr::Kind::name) fail(sign.at, "only a function can be called, by its name");
      advance();
      result.kind = Expr::Kind::call;
      while (!accept(")")) {
        result = with_children(std::move(result), assignment());
        if (!accept(",") && !token().is(")")) expected("',' or ')' after an argument");
      }
    } else if (accept("++") || accept("--")) {
      result = with_children(made(Expr::Kind::increment, sign.at, sign.text), std::move(result));
    } else if (sign.is(".") || sign.is("->")) {
      fail(sign.at, "structures are not supported");
    } else {
      return result;
    }
  }
}

Expr ExpressionParser::primary() {
  const Token first = token();
  Expr result = made(Expr::Kind::integer, first.at, first.text);
  switch (first.kind) {
    case Token::Kind::integer:
      result.integer = first.integer;
      break;
    case Token::Kind::real:
      result.kind = Expr::Kind::real;
      result.real = first.real;
      break;
    case Token::Kind::text:
      result.kind = Expr::Kind::text;
      break;
    case Token::Kind::name:
      result.kind = Expr::Kind::name;
      break;
    default:
      if (!first.is("(")) expected("a value");
      advance();
      result = expression();
      expect(")", "to close the parenthesis");
      return result;
  }
  advance();
  return result;
}

}  // namespace dcheck::parse::cspl
