// Batches that are under way longer: nothing but time is changed, and the transport's guarantees hold.

#include <gtest/gtest.h>

#include <functional>

#include "comm/transport/delayed_transport.hpp"
#include "dcheck/comm/transport/loopback.hpp"
#include "mpi/toy_search.hpp"

namespace dcheck::toy {
namespace {

constexpr std::uint64_t ms = 1'000'000;

void for_many(const std::function<void(Cluster&, Exchange&, const Graph&, std::uint64_t)>& program) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed, 60);
    std::mt19937_64 random(seed);
    const ExchangeOptions options = random_options(random);
    run_loopback({.ranks = static_cast<int>(1 + seed % 5), .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      cluster.agree({}, Combine::sum);
      // Some are told before others.
      cluster.set_delay(ms << (seed % 8));
      Exchange exchange(cluster, options);
      program(cluster, exchange, graph, seed);
      cluster.close();
    });
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Delay, SearchesFindWhatOneRankFinds) {
  for_many([](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    ForwardSearch search(cluster, exchange, graph, seed % 3 == 0 ? Merging::none : Merging::idempotent);
    search.run_phase();
    EXPECT_EQ(differences(cluster, search.reached, reachable(graph)), 0);
  });
}

TEST(Delay, CountingPhasesKeepEveryDecrement) {
  for_many([](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    const Sets goals = random_goals(graph, seed);
    Countdown countdown(cluster, exchange, graph, goals);
    countdown.run_phase();
    EXPECT_EQ(differences(cluster, countdown.joined, inevitable(graph, goals)), 0);
  });
}

/// A batch with one number in it.
Batch numbered(Transport& transport, std::uint64_t number) {
  Batch batch = transport.take_batch(1);
  batch.set_header({});
  batch.payload()[0] = number;
  batch.set_used(1);
  return batch;
}

TEST(Delay, BatchesKeepTheirOrderAndAreUnfinishedUntilTheyAreTakenUp) {
  constexpr std::uint64_t count = 50, least = 5 * ms;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::vector<std::uint64_t> sent_at, numbers;
    std::size_t taken = 0;
    run_loopback({.ranks = 2, .seed = seed}, [&](Transport& inner) {
      DelayedTransport transport(inner, {least, 40 * ms});
      if (transport.rank() == rank_0) {
        for (std::uint64_t i = 0; i < count; ++i) {
          sent_at.push_back(transport.now());
          transport.send(Rank{1}, numbered(transport, i));
          EXPECT_GE(transport.unfinished() + taken, i + 1);
        }
        while (transport.unfinished() != 0) {
          EXPECT_LT(taken, count);
          transport.idle();
        }
        EXPECT_EQ(taken, count);
      }
      while (transport.rank() == Rank{1} && numbers.size() < count) {
        // Taken up before it is returned: who asks in between must not find less.
        if (const std::optional<Arrival> arrival = transport.receive()) {
          numbers.push_back(arrival->batch.used()[0]);
          ++taken;
          EXPECT_GE(transport.now(), sent_at[numbers.back()] + least);
        } else {
          transport.idle();
        }
      }
    });
    for (std::uint64_t i = 0; i < count; ++i) EXPECT_EQ(numbers[i], i) << seed;
  }
}

TEST(Delay, IsSetOnce) {
  run_loopback({.ranks = 1}, [](Transport& transport) {
    Cluster cluster(transport);
    cluster.set_delay(ms);
    EXPECT_THROW(cluster.set_delay(ms), std::logic_error);
  });
}

}  // namespace
}  // namespace dcheck::toy
