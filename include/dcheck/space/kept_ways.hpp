#pragma once
// What is left of an exploration that keeps hashes alone, once it has ended: the states on the ways to what it met.

#include "dcheck/space/state_space.hpp"

namespace dcheck {

/// Collective. The states on the ways of all ranks take the place of the rows, in a packed store; counts and goals
/// stay. Where memory ends, the ways that came later are not there.
void keep_ways(StateSpace& space, const std::vector<Way>& ways);

/// Collective. The probability that each of the ranks, which explore by themselves, has left out something.
double joint_omission(const Ranks& ranks, double own);

}  // namespace dcheck
