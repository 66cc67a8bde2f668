#pragma once
// A leaf from states that were already found without lanes: which places, left out of the key, make most keys alike?
// For nets on which trials say little, as where tokens only ever move on: what a trial finds near a sampled marking is
// then no picture of the rest.

#include <vector>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

struct ProjectedLeaf {
  std::vector<Place> places;
  double lanes = 1;           // at most
  double states_per_row = 1;  // among the states found so far
};

/// Joins places that hold several tokens, one by one, as long as rows get fuller faster than masks get longer. For
/// one lane and keys of one word. Cost: a few steps a key for each place and each joined place.
ProjectedLeaf project_leaf(const Plan& plan, const std::vector<std::uint64_t>& keys, double most_lanes);

}  // namespace dcheck
