#include "dcheck/ctl/formula.hpp"

#include <algorithm>
#include <utility>

namespace dcheck {
namespace {

Formula constant(bool truth) {
  return Formula::atom_of(Expression::of(truth ? Expression::Kind::always : Expression::Kind::never));
}

/// A conjunction (or disjunction). `neutral` tells the constant that changes nothing.
Formula combination(std::vector<Formula> formulas, bool is_conjunction) {
  const auto is_neutral = [&](const Formula& f) { return is_conjunction ? f.is_always() : f.is_never(); };
  const auto decides = [&](const Formula& f) { return is_conjunction ? f.is_never() : f.is_always(); };
  if (std::any_of(formulas.begin(), formulas.end(), decides)) return constant(!is_conjunction);
  std::erase_if(formulas, is_neutral);
  if (formulas.empty()) return constant(is_conjunction);
  if (formulas.size() == 1) return std::move(formulas.front());
  const auto is_atom = [](const Formula& f) { return f.kind == Formula::Kind::atom; };
  if (!std::all_of(formulas.begin(), formulas.end(), is_atom)) {
    return Formula::of(is_conjunction ? Formula::Kind::conjunction : Formula::Kind::disjunction, std::move(formulas));
  }
  std::vector<Expression> predicates;
  predicates.reserve(formulas.size());
  for (Formula& formula : formulas) predicates.push_back(std::move(formula.predicate));
  return Formula::atom_of(Expression::of(is_conjunction ? Expression::Kind::conjunction : Expression::Kind::disjunction,
                                         std::move(predicates)));
}

}  // namespace

Formula Formula::atom_of(Expression predicate) {
  Formula formula;
  formula.predicate = std::move(predicate);
  return formula;
}

Formula Formula::of(Kind kind, std::vector<Formula> children) {
  Formula formula;
  formula.kind = kind;
  formula.children = std::move(children);
  return formula;
}

Formula negation_of(Formula formula) {
  if (formula.is_always() || formula.is_never()) return constant(formula.is_never());
  if (formula.kind == Formula::Kind::negation) {
    Formula inner = std::move(formula.children.front());
    return inner;
  }
  if (formula.kind != Formula::Kind::atom) {
    std::vector<Formula> child;
    child.push_back(std::move(formula));
    return Formula::of(Formula::Kind::negation, std::move(child));
  }
  if (formula.predicate.kind == Expression::Kind::negation) {
    Expression inner = std::move(formula.predicate.children.front());
    return Formula::atom_of(std::move(inner));
  }
  std::vector<Expression> child;
  child.push_back(std::move(formula.predicate));
  return Formula::atom_of(Expression::of(Expression::Kind::negation, std::move(child)));
}

Formula conjunction_of(std::vector<Formula> formulas) {
  return combination(std::move(formulas), true);
}

Formula disjunction_of(std::vector<Formula> formulas) {
  return combination(std::move(formulas), false);
}

void renumber(Formula& formula, const Renumbering& numbers) {
  renumber(formula.predicate, numbers);
  for (Formula& child : formula.children) renumber(child, numbers);
}

}  // namespace dcheck
