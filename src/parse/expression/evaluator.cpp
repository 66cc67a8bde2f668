#include "parse/expression/evaluator.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace dcheck::parse {
namespace {

using Kind = Node::Kind;

constexpr Tokens largest = std::numeric_limits<Tokens>::max();

}  // namespace

void Evaluator::step(Offset at, std::uint64_t count) {
  _steps += count;
  if (_steps > max_steps) {
    _source.fail(at, fmt::format("model is too large: its loops take more than {} steps", max_steps));
  }
}

void Evaluator::require_new_variable(const Node& binding) const {
  if (binding.text.empty() || _scope.variable(binding.text) == nullptr) return;
  fail(binding, fmt::format("duplicate name '{}': it is already a loop variable", shown(binding.text)));
}

Value Evaluator::constant(Tokens value) const {
  return {true, Expression::constant_of(value), {}, 1, 1};
}

Value Evaluator::atom(Expression predicate) const {
  return {false, {}, Formula::atom_of(std::move(predicate)), 1, 1};
}

void Evaluator::require_size(const Node& node, std::uint64_t size) const {
  if (size <= max_value_size) return;
  fail(node, fmt::format("expression is too large: it unfolds to more than {} operators", max_value_size));
}

Value Evaluator::sized(const Node& node, Value whole, const std::vector<Value>& parts) const {
  std::uint64_t size = 1;
  std::uint32_t depth = 0;
  for (const Value& part : parts) {
    size += part.size;
    depth = std::max(depth, part.depth);
  }
  require_size(node, size);
  if (depth >= max_value_depth) {
    fail(node, fmt::format("expression is nested too deeply: it unfolds to more than {} levels", max_value_depth));
  }
  whole.size = static_cast<std::uint32_t>(size);
  whole.depth = depth + 1;
  return whole;
}

Value Evaluator::number_value(const Node& node) {
  Value result = value(node);
  if (!result.is_number) fail(node, "expected a number, found a formula");
  return result;
}

Value Evaluator::formula_value(const Node& node) {
  Value result = value(node);
  if (result.is_number) fail(node, "expected a formula, found a number: compare it, as in 'p >= 1'");
  return result;
}

SizedProperty Evaluator::property(const Question& question, std::string id, std::string text) {
  Value asked = question.is_bound ? number_value(question.value) : formula_value(question.value);
  const std::size_t size = asked.size + text.size() / sizeof(Formula);
  return {{std::move(id), std::move(text), std::move(asked.formula), question.is_bound, std::move(asked.number)}, size};
}

Tokens Evaluator::integer(const Node& node) {
  const Value result = number_value(node);
  if (!result.is_constant()) fail(node, "expected a number that does not depend on places");
  return result.number.value;
}

bool Evaluator::condition(const Node& node) {
  const Formula result = formula_value(node).formula;
  if (!result.is_always() && !result.is_never()) fail(node, "expected a condition that does not depend on places");
  return result.is_always();
}

double Evaluator::real(const Node& node) {
  step(node.at);
  switch (node.kind) {
    case Kind::decimal: {
      double parsed = 0;
      const auto [end, error] = std::from_chars(node.text.data(), node.text.data() + node.text.size(), parsed);
      if (error != std::errc{} || !std::isfinite(parsed)) fail(node, "number is out of range");
      return parsed;
    }
    case Kind::add: {
      double total = 0;
      for (const Node& child : node.children) total += real(child);
      return total;
    }
    case Kind::minus:
      return -real(node.children[0]);
    case Kind::multiply: {
      double total = 1;
      for (const Node& child : node.children) total *= real(child);
      return total;
    }
    case Kind::divide:
      return real(node.children[0]) / real(node.children[1]);
    case Kind::choice:
      return real(node.children[condition(node.children[0]) ? 1 : 2]);
    default:
      return static_cast<double>(integer(node));
  }
}

Value Evaluator::value(const Node& node) {
  step(node.at);
  switch (node.kind) {
    case Kind::integer:
      return constant(node.value);
    case Kind::decimal:
      fail(node, fmt::format("expected an integer, found {}: only rates have decimals", shown(node.text)));
    case Kind::truth:
      return atom(Expression::of(node.value != 0 ? Expression::Kind::always : Expression::Kind::never));
    case Kind::deadlock:
      return atom(Expression::of(Expression::Kind::deadlock));
    case Kind::initial:
      return atom(Expression::of(Expression::Kind::initial));
    case Kind::name:
      return named(node);
    case Kind::add:
    case Kind::minus:
    case Kind::sum:
      return sum(node);
    case Kind::multiply:
      return product(node);
    case Kind::divide:
    case Kind::remainder:
      return quotient(node);
    case Kind::negation:
    case Kind::conjunction:
    case Kind::disjunction:
    case Kind::implication:
      return combination(node);
    case Kind::equivalence:
      return equivalence(node);
    case Kind::exists:
    case Kind::forall:
      return quantifier(node);
    case Kind::choice:
      return value(node.children[condition(node.children[0]) ? 1 : 2]);
    case Kind::fireable:
      return fireable(node);
    case Kind::less:
    case Kind::less_equal:
    case Kind::equal:
    case Kind::not_equal:
    case Kind::greater_equal:
    case Kind::greater:
      return comparison(node);
    case Kind::loop:
    case Kind::binding:
    case Kind::filter:
      throw std::logic_error("this part of the syntax has no value");
    default:
      return temporal(node);
  }
}

Value Evaluator::sum(const Node& node) {
  Sum sum;
  if (node.kind == Kind::sum) {
    for_each_binding(node, [&] { add_to(sum, node, node.children.back(), false); });
  } else if (node.kind == Kind::minus) {
    add_to(sum, node, node.children[0], true);
  } else {
    for (const Node& child : node.children) {
      const bool subtracted = child.kind == Kind::minus;
      add_to(sum, node, subtracted ? child.children[0] : child, subtracted);
    }
  }
  if (sum.plus.empty() && sum.minus.empty()) return constant(sum.constant);
  if (sum.constant != 0 || sum.plus.empty()) sum.plus.push_back(constant(sum.constant));
  Value left = added(node, std::move(sum.plus));
  if (sum.minus.empty()) return left;
  std::vector<Value> sides;
  sides.push_back(std::move(left));
  sides.push_back(added(node, std::move(sum.minus)));
  return joined(node, Expression::Kind::subtract, std::move(sides));
}

void Evaluator::add_to(Sum& sum, const Node& node, const Node& term, bool subtracted) {
  Value value = number_value(term);
  if (value.is_constant()) {
    const Tokens part = value.number.value;
    const bool overflow = subtracted ? __builtin_sub_overflow(sum.constant, part, &sum.constant)
                                     : __builtin_add_overflow(sum.constant, part, &sum.constant);
    if (overflow) fail(node, fmt::format("sum is out of range: numbers up to {} are supported", largest));
    return;
  }
  sum.size += value.size;
  require_size(node, sum.size);
  (subtracted ? sum.minus : sum.plus).push_back(std::move(value));
}

Value Evaluator::added(const Node& node, std::vector<Value> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  return joined(node, Expression::Kind::add, std::move(parts));
}

Value Evaluator::joined(const Node& node, Expression::Kind kind, std::vector<Value> parts) {
  std::vector<Expression> operands;
  operands.reserve(parts.size());
  for (Value& part : parts) operands.push_back(std::move(part.number));
  return sized(node, {true, Expression::of(kind, std::move(operands)), {}, 1, 1}, parts);
}

Value Evaluator::product(const Node& node) {
  Tokens factor = 1;
  std::vector<Value> others;
  for (const Node& child : node.children) {
    Value part = number_value(child);
    if (!part.is_constant()) {
      others.push_back(std::move(part));
    } else if (__builtin_mul_overflow(factor, part.number.value, &factor)) {
      fail(node, fmt::format("product is out of range: numbers up to {} are supported", largest));
    }
  }
  if (others.empty() || factor == 0) return constant(factor);
  if (factor != 1) others.insert(others.begin(), constant(factor));
  if (others.size() == 1) return std::move(others.front());
  return joined(node, Expression::Kind::multiply, std::move(others));
}

Value Evaluator::quotient(const Node& node) {
  Value dividend = number_value(node.children[0]);
  const Value divisor = number_value(node.children[1]);
  if (!divisor.is_constant()) fail(node, "the divisor depends on places: expected a constant above 0");
  const Tokens by = divisor.number.value;
  if (by <= 0) fail(node, fmt::format("the divisor is {}: expected a number above 0", by));
  const bool is_division = node.kind == Kind::divide;
  if (dividend.is_constant()) {
    const Tokens value = dividend.number.value;
    const Tokens rest = value % by < 0 ? value % by + by : value % by;
    return constant(!is_division ? rest : value / by - (value % by < 0 ? 1 : 0));
  }
  std::vector<Value> sides;
  sides.push_back(std::move(dividend));
  sides.push_back(divisor);
  return joined(node, is_division ? Expression::Kind::divide : Expression::Kind::remainder, std::move(sides));
}

}  // namespace dcheck::parse
