#pragma once
// The cluster that the tests of this folder run on: they are started by mpirun, and every rank runs every
// test. ranks.cpp has the main().

#include "dcheck/comm/cluster.hpp"

namespace dcheck {

Cluster& test_cluster();

}  // namespace dcheck
