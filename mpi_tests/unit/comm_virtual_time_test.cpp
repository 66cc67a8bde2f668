// Ranks in virtual time: the same results, and clocks that tell what happened.

#include <gtest/gtest.h>

#include "dcheck/base/stopwatch.hpp"
#include "dcheck/comm/transport/loopback.hpp"
#include "dcheck/comm/transport/virtual_time.hpp"
#include "mpi/toy_search.hpp"
namespace dcheck::toy {
namespace {

constexpr std::size_t words = 12'498;  // 100 000 bytes with the header of a batch
constexpr NetworkModel slow{"slow", 1'000'000, 100, 10'000};

VirtualTimeOptions in_steps(int ranks, const NetworkModel& network = network_models[0]) {
  return {.ranks = ranks, .network = network, .clock = ClockKind::steps};
}

Batch batch_of(Transport& transport, std::size_t size) {
  Batch batch = transport.take_batch(size);
  batch.set_header({});
  batch.set_used(size);
  return batch;
}

Arrival next_arrival(Transport& transport) {
  while (true) {
    if (std::optional<Arrival> arrival = transport.receive()) return std::move(*arrival);
    transport.idle();
  }
}

std::uint64_t makespan(const std::vector<RankTimes>& times) {
  std::uint64_t last = 0;
  for (const RankTimes& rank : times) last = std::max(last, rank.end);
  return last;
}

TEST(VirtualTime, SearchesFindWhatOneRankFinds) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed, 200);
    const auto search = [&](Transport& transport) {
      Cluster cluster(transport);
      std::mt19937_64 random(seed);
      Exchange exchange(cluster, random_options(random));
      ForwardSearch forward(cluster, exchange, graph);
      forward.run_phase();
      EXPECT_EQ(differences(cluster, forward.reached, reachable(graph)), 0);
      cluster.close();
    };
    run_in_virtual_time({.ranks = static_cast<int>(1 + seed % 9)}, search);
    const VirtualTimeOptions steps = in_steps(static_cast<int>(1 + seed % 9), network_models[seed % 3]);
    const std::vector<RankTimes> times = run_in_virtual_time(steps, search);
    const std::vector<RankTimes> again = run_in_virtual_time(steps, search);
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_EQ(times[i].end, again[i].end);
      EXPECT_EQ(times[i].idle, again[i].idle);
      EXPECT_LE(times[i].busy + times[i].idle, times[i].end);
    }
  }
}

TEST(VirtualTime, ABatchTakesTheLatencyAndTheTimeOfItsBytes) {
  const std::vector<RankTimes> times = run_in_virtual_time(in_steps(2, slow), [](Transport& transport) {
    if (transport.rank() == rank_0) {
      transport.send(Rank{1}, batch_of(transport, words));
      next_arrival(transport);
      EXPECT_GT(transport.now(), 4'000'000U);
    } else {
      const Arrival arrival = next_arrival(transport);
      EXPECT_EQ(arrival.batch.used().size(), words);
      EXPECT_GT(transport.now(), 2'000'000U);
      EXPECT_LT(transport.now(), 2'100'000U);
      transport.send(rank_0, batch_of(transport, words));
    }
  });
  EXPECT_GT(times[0].idle, 3'900'000U);
  EXPECT_LT(times[0].end, 4'200'000U);
}

TEST(VirtualTime, BatchesOnOneLinkFollowEachOther) {
  run_in_virtual_time(in_steps(3, slow), [](Transport& transport) {
    if (transport.rank() == rank_0) {
      for (int i = 0; i < 4; ++i) transport.send(Rank{1 + i % 2}, batch_of(transport, words));
      while (transport.unfinished() != 0) transport.idle();
      EXPECT_GT(transport.now(), 5'000'000U);
    } else {
      next_arrival(transport);
      next_arrival(transport);
    }
  });
}

TEST(VirtualTime, WorkOfSeveralRanksGoesOnAtTheSameTime) {
  constexpr std::uint64_t work_ns = 30'000'000;
  const std::vector<RankTimes> times = run_in_virtual_time({.ranks = 8}, [](Transport& transport) {
    const std::uint64_t begin = transport.now();
    while (transport.now() - begin < work_ns) {
    }
  });
  std::uint64_t busy = 0;
  for (const RankTimes& rank : times) busy += rank.busy;
  EXPECT_GE(busy, 8 * work_ns);
  EXPECT_LT(makespan(times), 3 * work_ns);
}

TEST(VirtualTime, IsWhatAStopwatchOfARankTells) {
  constexpr std::uint64_t latency_ns = 600'000'000'000;
  const Stopwatch outside;
  run_in_virtual_time({.ranks = 2, .network = {"slow", latency_ns, 1, 0}, .clock = ClockKind::steps},
                      [](Transport& transport) {
                        const Stopwatch watch;
                        if (transport.rank() == rank_0) return transport.send(Rank{1}, batch_of(transport, 1));
                        next_arrival(transport);
                        EXPECT_GE(watch.seconds(), 600);
                      });
  EXPECT_LT(outside.seconds(), 300);
}

TEST(VirtualTime, RanksThatWaitForEachOtherAreFoundOut) {
  const auto wait = [](Transport& transport) { next_arrival(transport); };
  EXPECT_THROW(run_in_virtual_time(in_steps(3), wait), LoopbackError);
  const auto leave = [](Transport& transport) {
    if (transport.rank() == rank_0) transport.send(Rank{1}, batch_of(transport, 1));
  };
  EXPECT_THROW(run_in_virtual_time(in_steps(2), leave), LoopbackError);
  const auto fail = [](Transport& transport) {
    if (transport.rank() == Rank{2}) throw std::runtime_error("lost");
    next_arrival(transport);
  };
  EXPECT_THROW(run_in_virtual_time(in_steps(4), fail), std::runtime_error);
}

}  // namespace
}  // namespace dcheck::toy
