// The toy searches of the loopback's tests, over MPI. Every rank makes the same graphs from the same seeds
// and compares its own rows.

#include <gtest/gtest.h>

#include "dcheck/comm/collectives.hpp"
#include "mpi/ranks.hpp"
#include "mpi/toy_search.hpp"

namespace dcheck::toy {
namespace {

/// Many ranks on few cores take their time: fewer graphs then.
std::uint64_t seeds() {
  return test_cluster().size() > 8 ? 4 : 40;
}

void for_many(const std::function<void(Cluster&, Exchange&, const Graph&, std::uint64_t)>& program) {
  Cluster& cluster = test_cluster();
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    Exchange exchange(cluster, random_options(random));
    program(cluster, exchange, random_graph(seed, seed % 4 == 0 ? 2000 : 100), seed);
  }
}

TEST(ExchangeOverMpi, SearchesFindWhatOneRankFinds) {
  for_many([](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    ForwardSearch search(cluster, exchange, graph, seed % 3 == 0 ? Merging::none : Merging::idempotent);
    search.run_phase();
    EXPECT_EQ(differences(cluster, search.reached, reachable(graph)), 0);
    EXPECT_EQ(exchange.stop(), Stop::none);
  });
}

TEST(ExchangeOverMpi, CountingPhasesKeepEveryDecrement) {
  for_many([](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    const Sets goals = random_goals(graph, seed);
    Countdown countdown(cluster, exchange, graph, goals);
    countdown.run_phase();
    EXPECT_EQ(differences(cluster, countdown.joined, inevitable(graph, goals)), 0);
  });
}

TEST(ExchangeOverMpi, DroppedAndPausedPhasesLeaveNothingBehind) {
  for_many([](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    ForwardSearch dropped(cluster, exchange, graph);
    dropped.after_visit = [&] {
      if (dropped.visits > seed) exchange.ask_to_stop(Stop::drop);
    };
    dropped.run_phase();
    ForwardSearch search(cluster, exchange, graph);
    search.after_visit = [&] {
      if (search.visits % 50 == 0) exchange.ask_to_stop(Stop::pause);
    };
    do search.run_phase();
    while (exchange.stop() != Stop::none);
    EXPECT_EQ(differences(cluster, search.reached, reachable(graph)), 0);
  });
}

// Batches larger than what MPI sends at once, from all to all, with one under way.
TEST(ExchangeOverMpi, LargeBatchesFromAllToAllDoNotBlock) {
  Cluster& cluster = test_cluster();
  if (cluster.size() > 8) GTEST_SKIP() << "too many ranks for so much memory";
  Exchange exchange(cluster, {.buffer_bytes = 1 << 20, .max_in_flight = 1});
  std::uint64_t received = 0, sum = 0;
  exchange.begin({.key_words = 2}, Merging::none, 1, [&](const Records& records) {
    received += records.count;
    for (std::size_t i = 0; i < records.count; ++i) sum += records.key(i)[1];
  });
  constexpr std::uint64_t keys = 400'000;
  for (std::uint64_t key = 0; key < keys; ++key)
    for (const Rank to : cluster.all_ranks()) {
      if (to == cluster.rank()) continue;
      std::uint64_t* record = exchange.record(to);
      record[0] = record[1] = key;
      exchange.commit<2, 0>(to, key);
    }
  while (!exchange.is_over(true)) {
  }
  const auto others = static_cast<std::uint64_t>(cluster.size() - 1);
  EXPECT_EQ(received, others * keys);
  EXPECT_EQ(sum, others * (keys * (keys - 1) / 2));
}

TEST(ClusterOverMpi, LargeValuesAreBroadcastAndGathered) {
  Cluster& cluster = test_cluster();
  std::vector<std::uint64_t> numbers;
  if (cluster.rank() == rank_0)
    for (std::uint64_t i = 0; i < 300'000; ++i) numbers.push_back(i * i);
  broadcast(cluster, numbers);
  ASSERT_EQ(numbers.size(), 300'000);
  EXPECT_EQ(numbers.back(), 299'999ULL * 299'999ULL);
  const std::vector<std::string> names = gather(cluster, "rank " + std::to_string(index(cluster.rank())));
  EXPECT_EQ(names.size(), cluster.rank() == rank_0 ? static_cast<std::size_t>(cluster.size()) : 0);
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(names[i], "rank " + std::to_string(i));
}

}  // namespace
}  // namespace dcheck::toy
