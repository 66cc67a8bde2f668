// What ranks tell each other beside their work: in collectives, in phases, and up to the last goodbye.

#include <gtest/gtest.h>

#include <csignal>

#include "dcheck/comm/transport/loopback.hpp"
#include "mpi/toy_search.hpp"

namespace dcheck {
namespace {

/// Meets the others until `is_done` says so on all of them, and some more times.
void meet_until(Cluster& cluster, const std::function<bool()>& is_done) {
  for (std::uint64_t done[] = {0}; done[0] == 0;) {
    done[0] = is_done() ? 1 : 0;
    cluster.agree(done, Combine::min);
  }
}

TEST(SideNotes, ARequestToOneRankReachesAll) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto ranks = static_cast<int>(1 + seed % 7);
    run_loopback({.ranks = ranks, .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      StopRequest request;
      cluster.notes().share(&request);
      if (cluster.rank() == Rank{static_cast<int>(seed) % ranks}) request.ask(SIGINT);
      meet_until(cluster, [&] { return request.signal() != 0; });
      EXPECT_EQ(request.signal(), SIGINT);
      cluster.close();
    });
  }
}

TEST(SideNotes, ARequestDoesNotDisturbAPhase) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const toy::Graph graph = toy::random_graph(seed, 80);
    const auto truth = toy::reachable(graph);
    const auto ranks = static_cast<int>(2 + seed % 6);
    run_loopback({.ranks = ranks, .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      StopRequest request;
      cluster.notes().share(&request);
      Exchange exchange(cluster, {.buffer_bytes = 64});
      toy::ForwardSearch search(cluster, exchange, graph);
      if (cluster.rank() == Rank{ranks - 1}) request.ask(SIGTERM);
      cluster.notes().set_status({1});
      if (cluster.rank() == rank_0) cluster.notes().ask_all(transport);
      search.run_phase();
      meet_until(cluster, [&] { return request.signal() != 0; });
      cluster.close();
      EXPECT_EQ(request.signal(), SIGTERM);
      for (std::uint32_t row = 0; row < graph.rows; ++row)
        EXPECT_TRUE(toy::owner(row, ranks) != cluster.rank() || search.reached[row] == truth[row]) << seed;
    });
  }
}

TEST(SideNotes, RankZeroHearsHowTheOthersAreGettingOn) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    run_loopback({.ranks = static_cast<int>(2 + seed % 5), .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      SideNotes& notes = cluster.notes();
      const auto me = std::uint64_t{index(cluster.rank())};
      notes.set_status({100 * me, 7});
      const auto has_heard = [&] {
        if (me != 0) return true;
        notes.ask_all(transport);
        for (std::size_t i = 1; i < notes.statuses().size(); ++i)
          if (notes.statuses()[i] != RankStatus{100 * i, 7}) return false;
        return true;
      };
      meet_until(cluster, has_heard);
      // Who has nobody to meet hears of others as well.
      for (int i = 0; i < 100 && me != 0; ++i) cluster.look();
      cluster.close();
    });
}

// Otherwise a rank that is away for long would be sent question after question.
TEST(SideNotes, OneQuestionARankIsOpenAtMost) {
  run_loopback({.ranks = 3, .seed = 5}, [](Transport& transport) {
    Cluster cluster(transport);
    if (cluster.rank() == rank_0)
      for (int i = 0; i < 1000; ++i) {
        cluster.notes().ask_all(transport);
        EXPECT_LE(transport.unfinished(), 2U);
      }
    cluster.close();
  });
}

}  // namespace
}  // namespace dcheck
