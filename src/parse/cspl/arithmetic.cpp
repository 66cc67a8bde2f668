#include "parse/cspl/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "parse/extended/conditions.hpp"
#include "parse/extended/interval.hpp"

namespace dcheck::parse::cspl {
namespace {

using Kind = Expression::Kind;

constexpr std::size_t largest_expression = 20'000;  // operators
constexpr double beyond_integers = 9.2e18;

bool is_comparison(const std::string& sign) {
  return sign == "==" || sign == "!=" || sign == "<" || sign == ">" || sign == "<=" || sign == ">=";
}

template <typename Number>
bool compared(const std::string& sign, Number a, Number b) {
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "<") return a < b;
  if (sign == ">") return a > b;
  return sign == "<=" ? a <= b : a >= b;
}

/// `5 < p` as `p > 5`.
std::string turned(const std::string& sign) {
  if (sign[0] == '<') return sign == "<" ? ">" : ">=";
  if (sign[0] == '>') return sign == ">" ? "<" : "<=";
  return sign;
}

Expression comparison(const std::string& sign, Expression left, Expression right) {
  if (sign[0] == '>') return comparison(turned(sign), std::move(right), std::move(left));
  const Kind kind = sign == "<"    ? Kind::less
                    : sign == "<=" ? Kind::less_equal
                    : sign == "==" ? Kind::equal
                                   : Kind::not_equal;
  std::vector<Expression> sides;
  sides.push_back(std::move(left));
  sides.push_back(std::move(right));
  return Expression::of(kind, std::move(sides));
}

/// Sums and products in one level, so that a loop that adds makes no deep tree.
Expression flat(Kind kind, Expression left, Expression right) {
  if (left.kind == kind) {
    left.children.push_back(std::move(right));
    return left;
  }
  std::vector<Expression> parts;
  parts.push_back(std::move(left));
  parts.push_back(std::move(right));
  return Expression::of(kind, std::move(parts));
}

Value truth_value(Expression predicate) {
  const Truth truth = Box().truth(predicate);
  if (truth == Truth::unknown) return SymbolicTruth{std::move(predicate)};
  return Tokens{truth == Truth::yes ? 1 : 0};
}

/// A known number, or one that depends on token counts.
struct Operand {
  Expression expression;
  std::optional<Tokens> known;
  bool is_real = false;
};

}  // namespace

std::string_view kind_of(const Value& value) {
  constexpr std::string_view kinds[] = {"no value",   "a number", "a number",           "a text",
                                        "a function", "an array", "a number of tokens", "a condition on tokens"};
  return kinds[value.index()];
}

Value Arithmetic::without_truth(Value value, Offset at) const {
  if (const auto* truth = std::get_if<SymbolicTruth>(&value)) return Tokens{_decide(truth->predicate, at) ? 1 : 0};
  return value;
}

Value Arithmetic::truth(const Value& value, Offset at) const {
  if (const auto* integer = std::get_if<Tokens>(&value)) return Tokens{*integer != 0 ? 1 : 0};
  if (const auto* real = std::get_if<double>(&value)) return Tokens{*real != 0 ? 1 : 0};
  if (std::holds_alternative<SymbolicTruth>(value)) return value;
  if (const auto* number = std::get_if<SymbolicNumber>(&value))
    return truth_value(comparison("!=", number->expression, Expression::constant_of(0)));
  fail(at, fmt::format("expected a condition, found {}", kind_of(value)));
}

bool Arithmetic::is_true(const Value& value, Offset at) const {
  const Value known = truth(value, at);
  if (const auto* symbolic = std::get_if<SymbolicTruth>(&known)) return _decide(symbolic->predicate, at);
  return std::get<Tokens>(known) != 0;
}

Tokens Arithmetic::integer(const Value& value, Offset at, std::string_view what) const {
  const Value known = converted(value, Base::integer, at);
  if (const auto* integer = std::get_if<Tokens>(&known)) return *integer;
  fail(at, fmt::format("{} depends on the marking: expected a number that is known here", what));
}

double Arithmetic::real(const Value& value, Offset at, std::string_view what) const {
  if (const auto* integer = std::get_if<Tokens>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (is_symbolic(value))
    fail(at, fmt::format("{} depends on the marking: expected a number that is known here", what));
  fail(at, fmt::format("{}: expected a number, found {}", what, kind_of(value)));
}

Value Arithmetic::converted(Value value, Base type, Offset at) const {
  if (type == Base::nothing) return value;
  value = without_truth(std::move(value), at);
  if (auto* number = std::get_if<SymbolicNumber>(&value)) {
    number->is_real = type == Base::real;
    return value;
  }
  if (type == Base::real) return real(value, at, "the value");
  if (const auto* whole = std::get_if<Tokens>(&value)) return *whole;
  if (const auto* fraction = std::get_if<double>(&value)) {
    if (!(std::abs(*fraction) < beyond_integers)) fail(at, fmt::format("{} does not fit an integer", *fraction));
    return static_cast<Tokens>(*fraction);  // towards zero, as in C
  }
  if (std::holds_alternative<std::monostate>(value)) fail(at, "the value of a function that returns none");
  fail(at, fmt::format("expected a number, found {}", kind_of(value)));
}

Value Arithmetic::unary(const std::string& sign, Value value, Offset at) const {
  if (sign == "!") {
    Value known = truth(value, at);
    if (auto* symbolic = std::get_if<SymbolicTruth>(&known))
      return SymbolicTruth{negation(std::move(symbolic->predicate))};
    return Tokens{1 - std::get<Tokens>(known)};
  }
  if (sign == "~") return ~integer(value, at, "the operand of '~'");
  return binary(sign, Tokens{0}, std::move(value), at);
}

Value Arithmetic::binary(const std::string& sign, Value left, Value right, Offset at) const {
  left = without_truth(std::move(left), at);
  right = without_truth(std::move(right), at);
  if (is_symbolic(left) || is_symbolic(right)) return symbolic(sign, left, right, at);
  const auto *a = std::get_if<Tokens>(&left), *b = std::get_if<Tokens>(&right);
  if (a != nullptr && b != nullptr) return integers(sign, *a, *b, at);
  const std::string what = fmt::format("an operand of '{}'", sign);
  return reals(sign, real(left, at, what), real(right, at, what), at);
}

Value Arithmetic::integers(const std::string& sign, Tokens a, Tokens b, Offset at) const {
  Tokens result = 0;
  bool is_too_large = false;
  if (sign == "+") {
    is_too_large = __builtin_add_overflow(a, b, &result);
  } else if (sign == "-") {
    is_too_large = __builtin_sub_overflow(a, b, &result);
  } else if (sign == "*") {
    is_too_large = __builtin_mul_overflow(a, b, &result);
  } else if (sign == "/" || sign == "%") {
    if (b == 0) fail(at, "division by zero");
    if (b == -1) return integers("-", 0, sign == "/" ? a : 0, at);
    result = sign == "/" ? a / b : a % b;
  } else if (sign == "<<" || sign == ">>") {
    if (b < 0 || b > 62 || a < 0) fail(at, "shift of a negative number, or by fewer than 0 or more than 62 bits");
    result = sign == ">>" ? a >> b : a << b;
    is_too_large = sign == "<<" && result >> b != a;
  } else if (sign == "&" || sign == "|" || sign == "^") {
    result = sign == "&" ? a & b : sign == "|" ? a | b : a ^ b;
  } else {
    return Tokens{compared(sign, a, b) ? 1 : 0};
  }
  if (is_too_large) fail(at, fmt::format("{} {} {} does not fit 64 bits", a, sign, b));
  return result;
}

Value Arithmetic::reals(const std::string& sign, double a, double b, Offset at) const {
  if (sign == "+") return a + b;
  if (sign == "-") return a - b;
  if (sign == "*") return a * b;
  if (sign == "/") {
    if (b == 0) fail(at, "division by zero");
    return a / b;
  }
  if (!is_comparison(sign)) fail(at, fmt::format("'{}' is for integers only", sign));
  return Tokens{compared(sign, a, b) ? 1 : 0};
}

Value Arithmetic::symbolic(const std::string& sign, const Value& left, const Value& right, Offset at) const {
  if (is_comparison(sign)) {
    if (const auto* fraction = std::get_if<double>(&right))
      return compared_with_real(sign, std::get<SymbolicNumber>(left).expression, *fraction, at);
    if (const auto* fraction = std::get_if<double>(&left))
      return compared_with_real(turned(sign), std::get<SymbolicNumber>(right).expression, *fraction, at);
  }
  const auto operand = [&](const Value& value) {
    if (const auto* number = std::get_if<SymbolicNumber>(&value))
      return Operand{number->expression, std::nullopt, number->is_real};
    const double fraction = real(value, at, fmt::format("an operand of '{}'", sign));
    if (fraction != std::floor(fraction) || std::abs(fraction) > beyond_integers / 1000)
      fail(at,
           fmt::format("'{}' of a number of tokens and {} is not supported: expected whole numbers", sign, fraction));
    const auto* whole = std::get_if<Tokens>(&value);
    const Tokens known = whole != nullptr ? *whole : static_cast<Tokens>(fraction);
    return Operand{Expression::constant_of(known), known, whole == nullptr};
  };
  Operand a = operand(left), b = operand(right);
  if (size_of(a.expression) + size_of(b.expression) > largest_expression)
    fail(at, fmt::format("expression of token counts has more than {} operators", largest_expression));
  if (is_comparison(sign)) return truth_value(comparison(sign, std::move(a.expression), std::move(b.expression)));
  const bool is_real = a.is_real || b.is_real;
  if (sign == "+") return SymbolicNumber{flat(Kind::add, std::move(a.expression), std::move(b.expression)), is_real};
  if (sign == "*")
    return SymbolicNumber{flat(Kind::multiply, std::move(a.expression), std::move(b.expression)), is_real};
  if (sign == "-")
    return SymbolicNumber{Expression::of(Kind::subtract, {std::move(a.expression), std::move(b.expression)}), is_real};
  if ((sign != "/" && sign != "%") || is_real || !b.known)
    fail(at, fmt::format("'{}' of numbers of tokens is not supported here: expected + - * or a division of an integer "
                         "by a constant",
                         sign));
  return symbolic_quotient(sign, std::move(a.expression), *b.known, at);
}

/// C rounds towards zero, expressions towards minus infinity.
Value Arithmetic::symbolic_quotient(const std::string& sign, Expression left, Tokens right, Offset at) const {
  if (right == 0 || right == std::numeric_limits<Tokens>::min()) fail(at, "division by zero");
  const auto negative = [](Expression expression) {
    return Expression::of(Kind::subtract, {Expression::constant_of(0), std::move(expression)});
  };
  const Kind kind = sign == "/" ? Kind::divide : Kind::remainder;
  const Value is_negative = truth_value(comparison("<", left, Expression::constant_of(0)));
  const bool below_zero = is_true(is_negative, at);
  Expression result = Expression::of(
      kind, {below_zero ? negative(std::move(left)) : std::move(left), Expression::constant_of(std::abs(right))});
  const bool changes_sign = sign == "/" ? below_zero != (right < 0) : below_zero;
  return SymbolicNumber{changes_sign ? negative(std::move(result)) : std::move(result), false};
}

Value Arithmetic::compared_with_real(const std::string& sign, const Expression& left, double right, Offset at) const {
  if (std::isnan(right)) fail(at, "comparison with what is no number");
  if (std::abs(right) > beyond_integers) {
    const bool holds = sign == "!=" || (right > 0) == (sign[0] == '<');
    return Tokens{holds && sign != "==" ? 1 : 0};
  }
  const bool is_whole = right == std::floor(right);
  if (!is_whole && (sign == "==" || sign == "!=")) return Tokens{sign == "!=" ? 1 : 0};
  // p < 2.5 is p <= 2, p > 2.5 is p >= 3
  const std::string rounded = is_whole ? sign : sign[0] == '<' ? "<=" : ">=";
  const double bound = is_whole ? right : sign[0] == '<' ? std::floor(right) : std::ceil(right);
  return truth_value(comparison(rounded, left, Expression::constant_of(static_cast<Tokens>(bound))));
}

}  // namespace dcheck::parse::cspl
