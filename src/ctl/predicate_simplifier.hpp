#pragma once
// State predicates made as simple as bounds, invariants and dead transitions allow, in one normal form:
// negations stand only before `fireable`, `deadlock` and `initial`; linear comparisons have one way of being
// written; children of and / or are sorted, differ from each other and are neither constant nor and / or of
// the same kind.

#include <unordered_map>
#include <vector>

#include "ctl/linear_constraint.hpp"
#include "ctl/linear_facts.hpp"
#include "dcheck/net/net.hpp"

namespace dcheck {

class PredicateSimplifier {
 public:
  /// Both must outlive the simplifier.
  PredicateSimplifier(const Net& net, const Structure& structure);

  Expression simplified(const Expression& predicate) { return made(predicate, false); }

  /// And / or of predicates that are simplified already.
  Expression combined(Expression::Kind kind, std::vector<Expression> parts) const;

  /// The opposite of a simplified predicate, simplified too. Taken twice it gives the predicate back.
  Expression complement(const Expression& predicate) const;

 private:
  Expression made(const Expression& predicate, bool is_negated);
  Expression made_comparison(const Expression& comparison, bool is_negated) const;
  Expression made_combination(const Expression& combination, bool is_negated);
  /// False where the combination is already decided by a part.
  bool gather(const Expression& combination, bool is_negated, std::vector<Expression>& parts);
  Expression settled(LinearConstraint constraint) const;
  Expression settled_equality(LinearConstraint constraint) const;
  Expression fireable(Transition transition);
  Expression decided_fireable(Transition transition);

  const Net& _net;
  const Structure& _structure;
  LinearFacts _facts;
  std::unordered_map<std::size_t, Expression> _fireable;  // by transition: always, never, or itself
};

}  // namespace dcheck
