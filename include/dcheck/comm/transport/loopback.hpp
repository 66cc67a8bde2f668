#pragma once
// A cluster inside one process, for tests: every rank's whole program runs in a thread of its own, but
// only one of them runs at a time. At every call of its transport a scheduler, driven by a seeded random
// generator, decides who goes on and which batch is delivered when. So a run is the same every time for
// the same seed, and it is hostile: ranks are slow or fast, batches between some pairs are late, a batch
// that is there may not be shown yet, all in proportions drawn from the seed.
//
// Time is counted in steps of the scheduler, so timeouts are deterministic too.

#include <cstdint>
#include <functional>
#include <stdexcept>

#include "dcheck/comm/transport/transport.hpp"

namespace dcheck {

struct LoopbackOptions {
  int ranks = 2;
  std::uint64_t seed = 1;
  /// More calls of transports than this, and the run ends with an exception: it would not end.
  std::uint64_t max_steps = 5'000'000;
};

/// The program is wrong: deadlock, no end, batches that nobody received, or an abort. what() says how.
class LoopbackError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs `program` once on every rank and returns when all have ended. The first exception that leaves a
/// rank's program ends all ranks and is thrown here. Never hangs as long as the ranks call their
/// transports: where all wait and no batch is taken any more it throws LoopbackError.
void run_loopback(const LoopbackOptions& options, const std::function<void(Transport&)>& program);

}  // namespace dcheck
