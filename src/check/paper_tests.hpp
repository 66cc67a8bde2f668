#pragma once
// One of the paper's tests on the operators of a state space that is complete.

#include "dcheck/check/paper_test.hpp"
#include "dcheck/label/operators.hpp"

namespace dcheck {

/// Collective. `eating`: the states of that formula, where the test is about them.
TestResult test_result(PaperTest test, Operators& operators, const StateSet& eating);

}  // namespace dcheck
