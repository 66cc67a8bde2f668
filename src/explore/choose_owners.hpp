#pragma once
// `--allocation local`: which places tell the owner of a row, and which class belongs to whom. See docs/decisions/0010.

#include <string>

#include "dcheck/ranks/ranks.hpp"

namespace dcheck {

struct OwnerChoice {
  OwnerClasses classes;
  std::string why;  // one line for the user
};

/// Collective, for a plan that is the same on all ranks: rank 0 chooses the places on a sample of its own, all ranks
/// sample the weights of the classes, rank 0 shares the classes out. The same on all ranks. Alone: nothing.
OwnerChoice choose_owners(const Plan& plan, const AllocationChoice& choice, Ranks& ranks);

}  // namespace dcheck
