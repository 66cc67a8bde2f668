// Collectives, failures and the loopback's own watchfulness.

#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <random>

#include "comm/launcher.hpp"
#include "dcheck/comm/collectives.hpp"
#include "dcheck/comm/connect.hpp"
#include "dcheck/comm/exchange/figures.hpp"
#include "dcheck/comm/transport/loopback.hpp"
#include "mpi/toy_search.hpp"

namespace dcheck {
namespace {

struct Report {
  std::string text;
  std::vector<std::uint64_t> numbers;
  TrafficFigures figures;
  template <typename Archive>
  void serialize(Archive& archive, unsigned) {
    archive& text& numbers& figures;
  }
};

TEST(Cluster, TypedValuesAreBroadcastAndGathered) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    run_loopback({.ranks = static_cast<int>(1 + seed % 7), .seed = seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Report report;
      if (cluster.rank() == rank_0)
        report = {std::string(seed * 1000, 'x'), {1, 2, ~0ULL}, {.records = 3, .idle_ns = 4}};
      broadcast(cluster, report);
      EXPECT_EQ(report.text, std::string(seed * 1000, 'x'));
      EXPECT_EQ(report.numbers, (std::vector<std::uint64_t>{1, 2, ~0ULL}));
      EXPECT_EQ(report.figures.records + report.figures.idle_ns, 7);

      report.text = std::to_string(index(cluster.rank()));
      const std::vector<Report> all = gather(cluster, report);
      ASSERT_EQ(all.size(), cluster.rank() == rank_0 ? static_cast<std::size_t>(cluster.size()) : 0);
      for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].text, std::to_string(i));
      cluster.close();
    });
}

TEST(Cluster, RanksAgreeOnSumsAndExtremes) {
  run_loopback({.ranks = 5}, [](Transport& transport) {
    Cluster cluster(transport);
    const auto me = std::uint64_t{index(cluster.rank())};
    std::uint64_t sums[] = {me, 1}, largest[] = {me * me}, least[] = {me + 7};
    cluster.agree(sums, Combine::sum);
    cluster.agree(largest, Combine::max);
    cluster.agree(least, Combine::min);
    cluster.agree({}, Combine::sum);
    EXPECT_EQ(sums[0], 10);
    EXPECT_EQ(sums[1], 5);
    EXPECT_EQ(largest[0], 16);
    EXPECT_EQ(least[0], 7);
    cluster.close();
  });
}

TEST(Cluster, DifferentCollectivesAtOnceAreAnError) {
  const auto program = [](Transport& transport) {
    Cluster cluster(transport);
    std::uint64_t values[] = {1, 2};
    std::string bytes;
    if (cluster.rank() == rank_0) cluster.broadcast(bytes);
    cluster.agree(std::span(values).first(cluster.rank() == Rank{2} ? 1 : 2), Combine::sum);
    cluster.close();
  };
  EXPECT_THROW(run_loopback({.ranks = 3}, program), std::logic_error);
}

/// Runs the program the way a main() would; what each rank has to say at its end.
std::vector<std::optional<Failure>> ends_of(int ranks, std::uint64_t seed,
                                            const std::function<void(Cluster&)>& program) {
  std::vector<std::optional<Failure>> ends(static_cast<std::size_t>(ranks));
  run_loopback({.ranks = ranks, .seed = seed}, [&](Transport& transport) {
    Cluster cluster(transport);
    std::optional<Failure>& end = ends[index(cluster.rank())];
    try {
      program(cluster);
      cluster.close();
    } catch (const RemoteFailure& remote) {
      end = remote.failure;
    } catch (const std::exception& error) {
      end = cluster.fail(error.what(), 3 + static_cast<int>(cluster.rank()));
    }
  });
  return ends;
}

void expect_failure_everywhere(const std::vector<std::optional<Failure>>& ends, const std::vector<Rank>& suspects) {
  ASSERT_TRUE(ends[0]);
  EXPECT_TRUE(std::count(suspects.begin(), suspects.end(), ends[0]->rank) == 1) << index(ends[0]->rank);
  for (const std::optional<Failure>& end : ends) {
    ASSERT_TRUE(end) << "a rank does not know";
    EXPECT_EQ(end->rank, ends[0]->rank);
    EXPECT_EQ(end->message, "out of luck");
    EXPECT_EQ(end->exit_code, 3 + static_cast<int>(ends[0]->rank));
  }
}

TEST(Failure, InTheMiddleOfASearchEndsAllRanksAlike) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const int ranks = static_cast<int>(1 + seed % 7);
    const Rank unlucky{static_cast<int>(seed / 7) % ranks};
    const toy::Graph graph = toy::random_graph(seed, 60);
    expect_failure_everywhere(ends_of(ranks, seed,
                                      [&](Cluster& cluster) {
                                        std::mt19937_64 random(seed);
                                        Exchange exchange(cluster, toy::random_options(random));
                                        toy::ForwardSearch search(cluster, exchange, graph);
                                        search.after_visit = [&] {
                                          if (cluster.rank() == unlucky) throw std::runtime_error("out of luck");
                                        };
                                        search.run_phase();
                                        if (cluster.rank() == unlucky) throw std::runtime_error("out of luck");
                                        cluster.agree({}, Combine::sum);
                                      }),
                              {unlucky});
  }
}

/// One of four ranks fails at once, while the others do this.
void expect_failure_to_reach(const std::function<void(Cluster&)>& what_others_do) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const Rank unlucky{static_cast<int>(seed) % 4};
    const auto program = [&](Cluster& cluster) {
      if (cluster.rank() == unlucky) throw std::runtime_error("out of luck");
      what_others_do(cluster);
    };
    expect_failure_everywhere(ends_of(4, seed, program), {unlucky});
  }
}

TEST(Failure, ReachesRanksThatWaitInCollectives) {
  expect_failure_to_reach([](Cluster& cluster) { cluster.gather("part"); });
}

TEST(Failure, ReachesRanksThatAreClosing) {
  expect_failure_to_reach([](Cluster&) {});
}

TEST(Failure, OfSeveralRanksAtOnceBecomesOne) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_failure_everywhere(ends_of(5, seed,
                                      [&](Cluster& cluster) {
                                        if (index(cluster.rank()) % 2 == 1) throw std::runtime_error("out of luck");
                                        cluster.gather("part");
                                      }),
                              {Rank{1}, Rank{3}});
  }
}

TEST(Failure, OnRanksThatNobodyAnswersAborts) {
  const auto program = [](Transport& transport) {
    Cluster cluster(transport);
    if (cluster.rank() == Rank{1}) cluster.fail("lonely", 3);
  };
  try {
    run_loopback({.ranks = 2}, program);
    FAIL() << "rank 0 has left without a word";
  } catch (const LoopbackError& error) {
    EXPECT_NE(std::string(error.what()).find("rank 1 aborts with 3: rank 1: lonely"), std::string::npos)
        << error.what();
  }
}

TEST(Loopback, WaitingForNobodyIsADeadlockNotAHang) {
  const auto program = [](Transport& transport) {
    Cluster cluster(transport);
    if (cluster.rank() != Rank{1}) cluster.gather("part");
  };
  try {
    run_loopback({.ranks = 3}, program);
    FAIL() << "rank 1 never gave its part";
  } catch (const LoopbackError& error) {
    EXPECT_NE(std::string(error.what()).find("deadlock"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("rank 1 has ended"), std::string::npos) << error.what();
  }
}

TEST(Loopback, AProgramWithoutAnEndIsStopped) {
  const auto program = [](Transport& transport) {
    while (true) transport.receive();
  };
  EXPECT_THROW(run_loopback({.ranks = 2, .max_steps = 1000}, program), LoopbackError);
}

TEST(Loopback, BatchesThatNobodyReceivesAreAnError) {
  const auto program = [](Transport& transport) {
    if (transport.rank() != rank_0) return;
    Batch batch = transport.take_batch(1);
    batch.set_header({});
    batch.set_used(1);
    transport.send(Rank{1}, std::move(batch));
  };
  EXPECT_THROW(run_loopback({.ranks = 2}, program), LoopbackError);
}

TEST(Loopback, TheFirstExceptionOfARankComesOut) {
  const auto program = [](Transport& transport) {
    if (transport.rank() == Rank{2}) throw std::out_of_range("two");
    while (true) transport.idle();
  };
  EXPECT_THROW(run_loopback({.ranks = 3}, program), std::out_of_range);
}

Environment fake(const std::vector<std::pair<std::string, std::string>>& variables) {
  return [variables](const std::string& name) -> std::optional<std::string> {
    for (const auto& [key, value] : variables)
      if (key == name) return value;
    return std::nullopt;
  };
}

TEST(Launcher, IsRecognisedByItsVariables) {
  EXPECT_FALSE(has_launcher(fake({})));
  EXPECT_FALSE(has_launcher(fake({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}))) << "a script of sbatch";
  EXPECT_TRUE(has_launcher(fake({{"OMPI_COMM_WORLD_SIZE", "1"}})));
  EXPECT_TRUE(has_launcher(fake({{"PMIX_RANK", "0"}})));
  EXPECT_TRUE(has_launcher(fake({{"SLURM_STEP_NUM_TASKS", "2"}})));
}

TEST(Launcher, SaysWhetherOthersWereStartedToo) {
  const auto sign = [](const std::vector<std::pair<std::string, std::string>>& variables) {
    return sign_of_company(fake(variables)).value_or("");
  };
  EXPECT_EQ(sign({}), "");
  EXPECT_EQ(sign({{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}}), "PMI_SIZE=4");
  EXPECT_EQ(sign({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}}), "PMI_SIZE=4");
  EXPECT_EQ(sign({{"PMI_RANK", "2"}}), "PMI_RANK=2");
  EXPECT_EQ(sign({{"PMIX_RANK", "1"}}), "PMIX_RANK=1");
  EXPECT_EQ(sign({{"OMPI_COMM_WORLD_SIZE", "3"}}), "OMPI_COMM_WORLD_SIZE=3");
  EXPECT_EQ(sign({{"MV2_COMM_WORLD_SIZE", "2"}}), "MV2_COMM_WORLD_SIZE=2");
  EXPECT_EQ(sign({{"SLURM_PROCID", "7"}, {"SLURM_NTASKS", "8"}}), "SLURM_PROCID=7");
  EXPECT_EQ(sign({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_PROCID", "0"}}), "SLURM_STEP_NUM_TASKS=8");
  EXPECT_EQ(sign({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}), "") << "a script of sbatch";
  EXPECT_EQ(sign({{"OMPI_COMM_WORLD_SIZE", "1"}, {"PMIX_RANK", "0"}, {"PMI_SIZE", "1"}, {"PMI_RANK", "0"}}), "");
}

TEST(Launcher, CountsLocalRanksAgainstCores) {
  EXPECT_FALSE(is_oversubscribed(fake({{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}), 2));
  EXPECT_TRUE(is_oversubscribed(fake({{"OMPI_COMM_WORLD_LOCAL_SIZE", "3"}}), 2));
  EXPECT_TRUE(is_oversubscribed(fake({{"SLURM_STEP_TASKS_PER_NODE", "5(x3),2"}}), 4));
  EXPECT_TRUE(is_oversubscribed(fake({{"SLURM_STEP_TASKS_PER_NODE", "5"}, {"SLURM_CPUS_ON_NODE", "4"}}), 64));
  EXPECT_FALSE(is_oversubscribed(fake({}), 1));
}

TEST(Launcher, DelayIsANumberOfMicroseconds) {
  EXPECT_EQ(delay_us(fake({})), 0);
  EXPECT_EQ(delay_us(fake({{"DCHECK_DELAY_US", "250"}})), 250);
  for (const char* wrong : {"x", "-1", "1ms", "99999999999999999999", "60000001"})
    EXPECT_THROW(delay_us(fake({{"DCHECK_DELAY_US", wrong}})), std::runtime_error) << wrong;
}

TEST(Connect, AloneItIsAClusterOfOne) {
  if (has_launcher(environment_variable)) GTEST_SKIP() << "a launcher started the tests";
  const std::unique_ptr<Transport> transport = connect();
  Cluster cluster(*transport);
  EXPECT_EQ(cluster.size(), 1);
  const toy::Graph graph = toy::random_graph(3, 60);
  Exchange exchange(cluster, {});
  toy::ForwardSearch search(cluster, exchange, graph);
  search.run_phase();
  EXPECT_EQ(search.reached, toy::reachable(graph));
  EXPECT_EQ(gather(cluster, std::string("one")), std::vector<std::string>{"one"});
  EXPECT_EQ(cluster.fail("no luck", 5).message, "no luck");
}

}  // namespace
}  // namespace dcheck
