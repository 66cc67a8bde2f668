#pragma once
// What an exploration must have found, by the reference explorer.

#include "dcheck/explore/explore.hpp"
#include "support/naive_explorer.hpp"

namespace dcheck::test {

/// The distance of the state that is furthest from the initial one.
std::uint64_t depth_of(const NaiveGraph& graph);

/// `levels`: whether the exploration was by levels.
void expect_complete_counts(const Exploration& result, const NaiveGraph& truth, bool levels);

/// Two places that only guards bound, beyond what a short sample sees: fields overflow, lanes are missing.
Net guarded_net();

}  // namespace dcheck::test
