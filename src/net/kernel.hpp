#pragma once
// The P-invariants as vectors: all y with y * effect(t) = 0 for every transition t.

#include <cstddef>
#include <vector>

#include "dcheck/base/patience.hpp"
#include "dcheck/net/net.hpp"
#include "sparse_row.hpp"

namespace dcheck {

/// A basis vector: primitive, positive in `own` (a place where every other basis vector is 0).
struct KernelVector {
  std::uint32_t own;
  SparseRow row;
};

/// A basis of the kernel, `own` ascending. Where numbers outgrow 62 bits, `steps` elementary operations
/// are spent or there are most_entries(), a basis of the part of the kernel that is 0 in some further places.
std::vector<KernelVector> kernel_basis(const Net& net, std::size_t steps, Patience& patience);

}  // namespace dcheck
