#pragma once
// The truth of a formula by that of its parts.

#include <functional>

#include "dcheck/base/truth.hpp"
#include "dcheck/ctl/formula.hpp"

namespace dcheck {

/// The truth of a boolean combination that its parts, as they are written, tell: simplification may know
/// more without being able to show it. leaf(formula) gives the truth of what is no combination.
Truth truth_of_parts(const Formula& formula, const std::function<Truth(const Formula&)>& leaf);

}  // namespace dcheck
