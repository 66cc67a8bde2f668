#pragma once
// Runs one of the paper's tests on the phases of a state space that is complete.

#include "check/phases.hpp"
#include "dcheck/check/paper_test.hpp"

namespace dcheck {

/// Collective. `eating`: the states of that formula, where the test is about them.
TestResult run_test(PaperTest test, Phases& phases, const StateSet& eating);

}  // namespace dcheck
