#include "dcheck/ctl/truth.hpp"

namespace dcheck {

Truth truth_of_parts(const Formula& formula, const std::function<Truth(const Formula&)>& leaf) {
  using Kind = Formula::Kind;
  const auto part = [&](const Formula& child) { return truth_of_parts(child, leaf); };
  if (formula.kind == Kind::negation) return opposite(part(formula.children[0]));
  if (formula.kind == Kind::conjunction) return all_of(formula.children, part);
  if (formula.kind == Kind::disjunction) return any_of(formula.children, part);
  return leaf(formula);
}

}  // namespace dcheck
