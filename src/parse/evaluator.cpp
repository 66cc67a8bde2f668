#include "parse/evaluator.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

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

std::pair<Tokens, Tokens> Evaluator::range(const Node& binding, std::uint64_t times) {
  const Tokens first = integer(binding.children[0]), last = integer(binding.children[1]);
  if (last < first) return {first, last};
  Tokens difference = 0;
  const bool overflow = __builtin_sub_overflow(last, first, &difference);
  if (overflow || static_cast<std::uint64_t>(difference) >= max_iterations / times) {
    fail(binding, fmt::format("range {}..{} is too large: loops of at most {} iterations are supported", first, last,
                              max_iterations));
  }
  return {first, last};
}

void Evaluator::require_new_variable(const Node& binding) const {
  if (binding.text.empty() || !_scope.variable(binding.text)) return;
  fail(binding, fmt::format("duplicate name '{}': it is already a loop variable", shown(binding.text)));
}

Value Evaluator::constant(Tokens value) const {
  return {true, Expression::constant_of(value), {}, 1, 1};
}

Value Evaluator::atom(Expression predicate) const {
  return {false, {}, Formula::atom_of(std::move(predicate)), 1, 1};
}

Value Evaluator::sized(const Node& node, Value whole, const std::vector<Value>& parts) {
  std::uint64_t size = 1;
  std::uint32_t depth = 0;
  for (const Value& part : parts) {
    size += part.size;
    depth = std::max(depth, part.depth);
  }
  if (size > max_value_size) {
    fail(node, fmt::format("expression is too large: it unfolds to more than {} operators", max_value_size));
  }
  if (depth >= max_value_depth) {
    fail(node, fmt::format("expression is nested too deeply: definitions unfold to more than {} levels", depth));
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

Formula Evaluator::formula(const Node& node) {
  return formula_value(node).formula;
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

std::string Evaluator::full_name(const Node& name) {
  std::string text = name.text;
  const char* separator = "[";
  for (const Node& index : name.children) {
    text += separator;
    text += std::to_string(integer(index));
    separator = ",";
  }
  if (!name.children.empty()) text += ']';
  step(name.at, text.size());
  return text;
}

Transition Evaluator::transition(const Node& name) {
  const std::string text = full_name(name);
  if (const auto found = _scope.net().find_transition(text)) return *found;
  fail(name, fmt::format("unknown transition '{}'{}", shown(text), _scope.suggest_transition(text)));
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

Value Evaluator::named(const Node& node) {
  if (node.children.empty()) {
    if (const auto variable = _scope.variable(node.text)) return constant(*variable);
    if (const auto parameter = _scope.parameter(node.text)) return constant(*parameter);
  }
  const std::string name = full_name(node);
  if (const auto known = _scope.definition(name)) {
    step(node.at, known->size);
    const Definition& definition = *known->definition;
    return {definition.is_number, definition.number, definition.formula, known->size, known->depth};
  }
  if (const auto place = _scope.net().find_place(name)) return {true, Expression::tokens_in(*place), {}, 1, 1};
  if (_scope.net().find_transition(name)) {
    fail(node, fmt::format("'{0}' is a transition: expected a place, or 'fireable({0})'", shown(name)));
  }
  fail(node, fmt::format("unknown name '{}'{}", shown(name), _scope.suggest_value(name)));
}

Value Evaluator::sum(const Node& node) {
  std::vector<Value> positive, negative;
  std::uint64_t size = 0;
  const auto take = [&](const Node& child, std::vector<Value>& into) {
    into.push_back(number_value(child));
    size += into.back().size;
    if (size > max_value_size) sized(node, {}, into);
  };
  if (node.kind == Kind::sum) {
    for_each_binding(node, [&] { take(node.children.back(), positive); });
  } else if (node.kind == Kind::minus) {
    take(node.children[0], negative);
  } else {
    for (const Node& child : node.children) {
      const bool subtracted = child.kind == Kind::minus;
      take(subtracted ? child.children[0] : child, subtracted ? negative : positive);
    }
  }
  return added(node, std::move(positive), std::move(negative));
}

Value Evaluator::added(const Node& node, std::vector<Value> positive, std::vector<Value> negative) {
  Tokens total = 0;
  bool overflow = false;
  std::vector<Value> plus, minus;
  for (Value& part : positive) {
    if (!part.is_constant()) {
      plus.push_back(std::move(part));
    } else {
      overflow |= __builtin_add_overflow(total, part.number.value, &total);
    }
  }
  for (Value& part : negative) {
    if (!part.is_constant()) {
      minus.push_back(std::move(part));
    } else {
      overflow |= __builtin_sub_overflow(total, part.number.value, &total);
    }
  }
  if (overflow) fail(node, fmt::format("sum is out of range: numbers up to {} are supported", largest));
  if (plus.empty() && minus.empty()) return constant(total);
  if (total != 0 || plus.empty()) plus.push_back(constant(total));
  const auto joined = [&](std::vector<Value> parts) {
    if (parts.size() == 1) return std::move(parts.front());
    std::vector<Expression> terms;
    for (Value& part : parts) terms.push_back(std::move(part.number));
    return sized(node, {true, Expression::of(Expression::Kind::add, std::move(terms)), {}, 1, 1}, parts);
  };
  Value left = joined(std::move(plus));
  if (minus.empty()) return left;
  std::vector<Value> sides;
  sides.push_back(std::move(left));
  sides.push_back(joined(std::move(minus)));
  std::vector<Expression> operands;
  for (Value& side : sides) operands.push_back(std::move(side.number));
  return sized(node, {true, Expression::of(Expression::Kind::subtract, std::move(operands)), {}, 1, 1}, sides);
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
  std::vector<Expression> factors;
  for (Value& part : others) factors.push_back(std::move(part.number));
  return sized(node, {true, Expression::of(Expression::Kind::multiply, std::move(factors)), {}, 1, 1}, others);
}

Value Evaluator::quotient(const Node& node) {
  std::vector<Value> sides;
  sides.push_back(number_value(node.children[0]));
  sides.push_back(number_value(node.children[1]));
  const Value& divisor = sides[1];
  if (!divisor.is_constant()) fail(node, "the divisor depends on places: expected a constant above 0");
  if (divisor.number.value <= 0) {
    fail(node, fmt::format("the divisor is {}: expected a number above 0", divisor.number.value));
  }
  const Expression::Kind kind = node.kind == Kind::divide ? Expression::Kind::divide : Expression::Kind::remainder;
  std::vector<Expression> operands;
  for (Value& side : sides) operands.push_back(std::move(side.number));
  Value made{true, Expression::of(kind, std::move(operands)), {}, 1, 1};
  if (made.number.children[0].kind == Expression::Kind::constant) return constant(evaluate_number(made.number, {}));
  return sized(node, std::move(made), sides);
}

}  // namespace dcheck::parse
