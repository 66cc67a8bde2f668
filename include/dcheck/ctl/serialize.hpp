#pragma once
// Formulas and properties for Boost.Serialization, as nets are in net/serialize.hpp.

#include "dcheck/ctl/formula.hpp"
#include "dcheck/net/serialize.hpp"

namespace dcheck {

template <typename Archive>
void serialize(Archive& archive, Formula& formula, unsigned) {
  archive& formula.kind& formula.predicate& formula.children;
}

template <typename Archive>
void serialize(Archive& archive, Property& property, unsigned) {
  archive& property.id& property.text& property.formula& property.is_upper_bound& property.bound_of;
}

}  // namespace dcheck
