// The boolean and temporal half of the evaluator.

#include <fmt/format.h>

#include <stdexcept>

#include "parse/expression/evaluator.hpp"

namespace dcheck::parse {
namespace {

using Kind = Node::Kind;

Expression::Kind expression_kind(Kind comparison) {
  switch (comparison) {
    case Kind::less:
    case Kind::greater:
      return Expression::Kind::less;
    case Kind::less_equal:
    case Kind::greater_equal:
      return Expression::Kind::less_equal;
    case Kind::equal:
      return Expression::Kind::equal;
    default:
      return Expression::Kind::not_equal;
  }
}

bool compare(Expression::Kind kind, Tokens left, Tokens right) {
  switch (kind) {
    case Expression::Kind::less:
      return left < right;
    case Expression::Kind::less_equal:
      return left <= right;
    case Expression::Kind::equal:
      return left == right;
    default:
      return left != right;
  }
}

Formula::Kind formula_kind(Kind temporal) {
  switch (temporal) {
    case Kind::ex:
      return Formula::Kind::ex;
    case Kind::ax:
      return Formula::Kind::ax;
    case Kind::ef:
      return Formula::Kind::ef;
    case Kind::af:
      return Formula::Kind::af;
    case Kind::eg:
      return Formula::Kind::eg;
    case Kind::ag:
      return Formula::Kind::ag;
    case Kind::eu:
      return Formula::Kind::eu;
    case Kind::au:
      return Formula::Kind::au;
    default:
      throw std::logic_error("not a temporal operator");
  }
}

std::vector<Formula> formulas_of(std::vector<Value>& parts) {
  std::vector<Formula> formulas;
  formulas.reserve(parts.size());
  for (Value& part : parts) formulas.push_back(std::move(part.formula));
  return formulas;
}

std::vector<Formula> both(Formula first, Formula second) {
  std::vector<Formula> formulas;
  formulas.push_back(std::move(first));
  formulas.push_back(std::move(second));
  return formulas;
}

}  // namespace

Value Evaluator::comparison(const Node& node) {
  const bool swapped = node.kind == Kind::greater || node.kind == Kind::greater_equal;
  Value left = number_value(node.children[swapped ? 1 : 0]), right = number_value(node.children[swapped ? 0 : 1]);
  const Expression::Kind kind = expression_kind(node.kind);
  if (left.is_constant() && right.is_constant()) {
    const bool truth = compare(kind, left.number.value, right.number.value);
    return atom(Expression::of(truth ? Expression::Kind::always : Expression::Kind::never));
  }
  std::vector<Value> sides;
  sides.push_back(std::move(left));
  sides.push_back(std::move(right));
  Value whole = joined(node, kind, std::move(sides));
  return {false, {}, Formula::atom_of(std::move(whole.number)), whole.size, whole.depth};
}

Value Evaluator::combination(const Node& node) {
  std::vector<Value> parts;
  std::uint64_t size = 0;
  for (const Node& child : node.children) {
    parts.push_back(formula_value(child));
    size += parts.back().size;
    require_size(node, size);
  }
  std::vector<Formula> formulas = formulas_of(parts);
  Formula made;
  if (node.kind == Kind::negation) {
    made = negation_of(std::move(formulas[0]));
  } else if (node.kind == Kind::conjunction) {
    made = conjunction_of(std::move(formulas));
  } else {
    if (node.kind == Kind::implication) formulas[0] = negation_of(std::move(formulas[0]));
    made = disjunction_of(std::move(formulas));
  }
  Value whole = sized(node, {false, {}, std::move(made), 1, 1}, parts);
  if (node.kind == Kind::implication) ++whole.depth;
  return whole;
}

Value Evaluator::equivalence(const Node& node) {
  std::vector<Value> parts;
  parts.push_back(formula_value(node.children[0]));
  parts.push_back(formula_value(node.children[1]));
  // Both sides appear twice: the size is checked before anything is copied.
  std::vector<Value> counted(2);
  for (std::size_t i = 0; i < 2; ++i) {
    counted[i].size = 2 * parts[i].size;
    counted[i].depth = parts[i].depth + 2;
  }
  Value whole = sized(node, {false, {}, {}, 1, 1}, counted);
  step(node.at, whole.size);
  const Formula &left = parts[0].formula, &right = parts[1].formula;
  Formula both_hold = conjunction_of(both(left, right));
  Formula none_holds = conjunction_of(both(negation_of(left), negation_of(right)));
  whole.formula = disjunction_of(both(std::move(both_hold), std::move(none_holds)));
  return whole;
}

Value Evaluator::quantifier(const Node& node) {
  std::vector<Value> parts;
  std::uint64_t size = 0;
  for_each_binding(node, [&] {
    parts.push_back(formula_value(node.children.back()));
    size += parts.back().size;
    require_size(node, size);
  });
  std::vector<Formula> formulas = formulas_of(parts);
  Formula made = node.kind == Kind::exists ? disjunction_of(std::move(formulas)) : conjunction_of(std::move(formulas));
  return sized(node, {false, {}, std::move(made), 1, 1}, parts);
}

Value Evaluator::temporal(const Node& node) {
  std::vector<Value> parts;
  for (const Node& child : node.children) parts.push_back(formula_value(child));
  Formula made = Formula::of(formula_kind(node.kind), formulas_of(parts));
  return sized(node, {false, {}, std::move(made), 1, 1}, parts);
}

Value Evaluator::fireable(const Node& node) {
  std::vector<Value> parts;
  for (const Node& name : node.children) {
    const std::vector<Transition> named = transitions(name);
    require_size(node, parts.size() + named.size() + 1);
    for (const Transition t : named) parts.push_back(atom(Expression::fireable_of(t)));
  }
  Formula made = disjunction_of(formulas_of(parts));
  return sized(node, {false, {}, std::move(made), 1, 1}, parts);
}

}  // namespace dcheck::parse
