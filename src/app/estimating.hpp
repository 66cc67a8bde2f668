#pragma once
// A run of --estimate: on rank 0 alone, in the place of a run.

#include "app/options.hpp"
#include "dcheck/comm/cluster.hpp"

namespace dcheck {

/// Reads the model, estimates what the run would take on this cluster, and writes that where reports go. The others
/// have nothing to do. False where not all could be written. Throws what reading and exploring throw.
bool write_estimate(const Options& options, const Cluster& cluster, const StopRequest& stop);

}  // namespace dcheck
