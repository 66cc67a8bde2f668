// A program whose last rank does not end well, the way main() of dcheck would deal with it. The tests
// start it under mpirun and look at what mpirun returns and prints.
//
//   failing_ranks throw   the last rank gives up in the middle of an endless phase    exit 3
//   failing_ranks die     it is killed                                                not 0
//   failing_ranks hang    rank 0 gives up, the last rank never answers                exit 3
//   failing_ranks stop    it stops, and is dead after 2 s                             exit 3
//   failing_ranks busy    it computes for 6 s where one is dead after 2 s             exit 0
//   failing_ranks end     nothing is wrong                                            exit 0

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "dcheck/comm/connect.hpp"
#include "dcheck/comm/exchange/exchange.hpp"

namespace {

/// Without a call of any transport.
void compute_for(int seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// All ranks send to all, until the one that is to fail has sent some.
void talk(dcheck::Cluster& cluster, const std::string& how) {
  const bool is_last = cluster.rank() == dcheck::Rank{cluster.size() - 1};
  if (how == "hang" && is_last)
    while (true) pause();
  if (how == "hang" && cluster.rank() == dcheck::rank_0) throw std::runtime_error("no more memory");
  if (how == "stop" || how == "busy") cluster.transport().set_dead_after(2);
  dcheck::Exchange exchange(cluster, {.buffer_bytes = 64});
  exchange.begin({}, dcheck::Merging::none, 1, [](const dcheck::Records&) {});
  if (how == "busy" && is_last) compute_for(6);
  const bool ends = how == "end" || how == "busy";
  for (std::uint64_t key = 1; !exchange.is_over(ends); ++key) {
    if (ends) continue;
    for (const dcheck::Rank to : cluster.all_ranks()) {
      if (to == cluster.rank()) continue;
      *exchange.record(to) = key;
      exchange.commit(to, key);
    }
    if (key < 1000) continue;
    if (how == "throw" && is_last) throw std::runtime_error("no more memory");
    if (how == "die" && is_last) std::raise(SIGKILL);
    if (how == "stop" && is_last) std::raise(SIGSTOP);
  }
}

}  // namespace

int main(int, char** argv) {
  const std::unique_ptr<dcheck::Transport> transport = dcheck::connect();
  dcheck::Cluster cluster(*transport);
  std::optional<dcheck::Failure> failure;
  try {
    talk(cluster, argv[1]);
    cluster.close();
  } catch (const dcheck::RemoteFailure& remote) {
    failure = remote.failure;
  } catch (const std::exception& error) {
    failure = cluster.fail(error.what(), 3);
  }
  if (!failure) return 0;
  if (cluster.rank() == dcheck::rank_0)
    std::fprintf(stderr, "failed: rank %zu: %s\n", dcheck::index(failure->rank), failure->message.c_str());
  return failure->exit_code;
}
