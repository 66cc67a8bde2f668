#pragma once
// Random cases against the reference checker, as many as the command line asks for.

#include "support/random_case.hpp"

namespace dcheck::test {

/// [--cases N] [--seed N]. Prints a line now and then; the last one is `N cases, N disagreements`. The exit code, not
/// zero where there is one.
int run_campaign(int argc, char** argv, RandomCases::On on, std::uint64_t default_cases,
                 RandomCases::Stores stores = RandomCases::Stores::exact);

}  // namespace dcheck::test
