// The exchange in the loopback: whatever the order of delivery, the size of buffers and the flushing,
// distributed searches find what the plainest one finds.

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "dcheck/comm/transport/loopback.hpp"
#include "mpi/toy_search.hpp"

namespace dcheck::toy {
namespace {

constexpr std::uint64_t seeds = 300;

/// Runs `rank_program(cluster, exchange, graph)` on 1 to 7 ranks for many seeds and graphs.
void for_many(std::uint64_t count,
              const std::function<void(Cluster&, Exchange&, const Graph&, std::uint64_t)>& program) {
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed, seed % 5 == 0 ? 300 : 60);
    std::mt19937_64 random(seed);
    const ExchangeOptions options = random_options(random);
    run_loopback({.ranks = static_cast<int>(1 + seed % 7), .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Exchange exchange(cluster, options);
      program(cluster, exchange, graph, seed);
      cluster.close();
    });
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Exchange, SearchesFindWhatOneRankFinds) {
  std::atomic<std::uint64_t> records = 0, merged = 0, suppressed = 0;
  for_many(seeds, [&](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    ForwardSearch search(cluster, exchange, graph, seed % 3 == 0 ? Merging::none : Merging::idempotent);
    search.run_phase();
    EXPECT_EQ(differences(cluster, search.reached, reachable(graph)), 0);
    EXPECT_EQ(exchange.stop(), Stop::none);
    records += exchange.figures().records;
    merged += exchange.figures().merged;
    suppressed += exchange.figures().suppressed;
  });
  EXPECT_GT(records, 100 * seeds) << "the graphs are too easy";
  EXPECT_GT(merged, 10 * seeds);
  EXPECT_GT(suppressed, seeds);
}

TEST(Exchange, CountingPhasesKeepEveryDecrement) {
  std::atomic<std::uint64_t> records = 0, merged = 0;
  for_many(seeds, [&](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    const Sets goals = random_goals(graph, seed);
    Countdown countdown(cluster, exchange, graph, goals);
    countdown.run_phase();
    EXPECT_EQ(differences(cluster, countdown.joined, inevitable(graph, goals)), 0);
    records += exchange.figures().records;
    merged += exchange.figures().merged;
  });
  EXPECT_GT(records, 100 * seeds) << "the graphs are too easy";
  EXPECT_GT(merged, seeds);
}

TEST(Exchange, PhasesInARowDoNotDisturbEachOther) {
  for_many(seeds / 3, [](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    const Sets goals = random_goals(graph, seed), reached = reachable(graph), sure = inevitable(graph, goals);
    for (std::uint32_t round = 0; round < 3; ++round) {
      ForwardSearch search(cluster, exchange, graph);
      search.run_phase(round);
      EXPECT_EQ(differences(cluster, search.reached, reached), 0);
      Countdown countdown(cluster, exchange, graph, goals);
      countdown.run_phase();
      EXPECT_EQ(differences(cluster, countdown.joined, sure), 0);
      std::uint64_t ones[] = {1};
      cluster.agree(ones, Combine::sum);
      EXPECT_EQ(ones[0], static_cast<std::uint64_t>(cluster.size()));
    }
  });
}

TEST(Exchange, MoreRanksThanRowsAreNoProblem) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    run_loopback({.ranks = 23, .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Exchange exchange(cluster, {});
      const Graph graph = random_graph(seed, 4);
      ForwardSearch search(cluster, exchange, graph);
      search.run_phase();
      EXPECT_EQ(differences(cluster, search.reached, reachable(graph)), 0);
      cluster.close();
    });
}

// A search that must be dropped at once by all; the next phase is whole again.
TEST(Exchange, DroppedPhaseEndsOnAllRanksAndLeavesNothingBehind) {
  std::atomic<int> dropped = 0;
  for_many(seeds, [&](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    ForwardSearch search(cluster, exchange, graph);
    search.after_visit = [&] {
      if (search.visits > seed % 5) exchange.ask_to_stop(Stop::drop);
    };
    search.run_phase();
    std::uint64_t kinds[] = {static_cast<std::uint64_t>(exchange.stop())};
    cluster.agree(kinds, Combine::max);
    EXPECT_EQ(kinds[0], static_cast<std::uint64_t>(exchange.stop())) << "ranks disagree about how it ended";
    if (exchange.stop() == Stop::none)
      EXPECT_EQ(differences(cluster, search.reached, reachable(graph)), 0);
    else
      ++dropped;
    ForwardSearch again(cluster, exchange, graph);
    again.run_phase();
    EXPECT_EQ(exchange.stop(), Stop::none);
    EXPECT_EQ(differences(cluster, again.reached, reachable(graph)), 0);
  });
  EXPECT_GT(dropped, 50);
}

TEST(Exchange, PausedPhasesLoseNothing) {
  std::atomic<int> pauses = 0;
  for_many(seeds, [&](Cluster& cluster, Exchange& exchange, const Graph& graph, std::uint64_t seed) {
    ForwardSearch search(cluster, exchange, graph);
    search.after_visit = [&] {
      if (search.visits % (3 + seed % 5) == 0) exchange.ask_to_stop(Stop::pause);
    };
    while (true) {
      search.run_phase();
      if (exchange.stop() == Stop::none) break;
      ++pauses;
    }
    EXPECT_FALSE(search.has_work());
    EXPECT_EQ(differences(cluster, search.reached, reachable(graph)), 0);
  });
  EXPECT_GT(pauses, 100);
}

// A rank without any work asks; the others hear of it although they never run out of theirs.
TEST(Exchange, AnIdleRankCanStopBusyOnes) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    run_loopback({.ranks = 4, .seed = seed}, [](Transport& transport) {
      Cluster cluster(transport);
      Exchange exchange(cluster, {.buffer_bytes = 64});
      exchange.begin({}, Merging::none, 1, [](const Records&) {});
      if (cluster.rank() == Rank{3}) exchange.ask_to_stop(Stop::drop);
      const bool is_busy = cluster.rank() == Rank{1};
      std::uint64_t key = 0;
      while (!exchange.is_over(!is_busy || exchange.stop() != Stop::none)) {
        if (!is_busy || exchange.stop() != Stop::none) continue;
        *exchange.record(Rank{2}) = ++key;
        exchange.commit(Rank{2}, key);
      }
      EXPECT_EQ(exchange.stop(), Stop::drop);
      cluster.close();
    });
}

TEST(Exchange, NeverMoreBatchesUnderWayThanAllowed) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const std::size_t limit = 1 + seed % 3;
    std::atomic<std::uint64_t> received = 0;
    run_loopback({.ranks = 3, .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Exchange exchange(cluster, {.buffer_bytes = 8, .max_in_flight = limit});
      exchange.begin({}, Merging::none, 1, [&](const Records& records) { received += records.count; });
      for (std::uint64_t key = 0; key < 100; ++key) {
        const auto to = static_cast<Rank>((index(cluster.rank()) + 1 + key % 2) % 3);
        *exchange.record(to) = key;
        exchange.commit(to, key);
        EXPECT_LE(transport.unfinished(), limit);
      }
      while (!exchange.is_over(true)) {
      }
      EXPECT_EQ(exchange.figures().messages, 100);
      cluster.close();
    });
    EXPECT_EQ(received, 300);
  }
}

TEST(Exchange, RunsAreTheSameForTheSameSeed) {
  const Graph graph = random_graph(4, 300);
  const auto figures = [&](std::uint64_t seed) {
    std::vector<std::uint64_t> all;
    run_loopback({.ranks = 5, .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Exchange exchange(cluster, {.buffer_bytes = 64, .flush_after_ms = 1});
      ForwardSearch search(cluster, exchange, graph);
      search.run_phase();
      TrafficFigures::for_each(exchange.figures(), [&](const char*, std::uint64_t figure) { all.push_back(figure); });
      cluster.close();
    });
    return all;
  };
  const std::vector<std::uint64_t> first = figures(11);
  EXPECT_EQ(figures(11), first);
  EXPECT_NE(figures(12), first);
}

}  // namespace
}  // namespace dcheck::toy
