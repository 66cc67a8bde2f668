#pragma once
// The non-negative part of the kernel: its extreme rays are the P-semiflows of minimal support.

#include <cstddef>
#include <vector>

#include "kernel.hpp"

namespace dcheck {

/// Semiflows of minimal support as primitive rows, smallest first. All of them where `budget` row
/// combinations suffice; otherwise those found so far, each still of minimal support.
std::vector<SparseRow> minimal_semiflows(std::vector<KernelVector> basis, std::size_t places, std::size_t budget,
                                         Patience& patience);

}  // namespace dcheck
