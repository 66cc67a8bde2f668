// Who is lost, and who says so; and whom to end where nobody else can.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "comm/pulse.hpp"
#include "comm/reaper.hpp"

namespace dcheck {
namespace {

constexpr std::uint64_t second = 1'000'000'000;

/// Rank 3 of 8, and its clock.
struct Listener {
  Pulse pulse{3, 8};
  std::uint64_t now = 1000 * second;

  /// So much time passes, and `heard` are heard before every look.
  std::optional<Silence> wait(double seconds, const std::vector<int>& heard) {
    const std::uint64_t end = now + static_cast<std::uint64_t>(seconds * 1e9);
    while (now < end) {
      for (const int rank : heard) pulse.hear(rank, "there");
      if (std::optional<Silence> lost = pulse.look(now)) return lost;
      now += pulse.interval_ns();
    }
    return std::nullopt;
  }
};

Listener listener_with(double limit) {
  Listener listener;
  listener.pulse.set_limit(limit);
  EXPECT_FALSE(listener.wait(5, {2, 4}));
  return listener;
}

TEST(Pulse, NeighboursAreThoseInTheRing) {
  EXPECT_EQ(Pulse(0, 1).neighbours(), std::vector<int>{});
  EXPECT_EQ(Pulse(1, 2).neighbours(), std::vector<int>{0});
  EXPECT_EQ(Pulse(0, 3).neighbours(), (std::vector<int>{1, 2}));
  EXPECT_EQ(Pulse(7, 8).neighbours(), (std::vector<int>{0, 6}));
}

TEST(Pulse, NeighbourThatIsHeardIsNeverLost) {
  EXPECT_FALSE(listener_with(2).wait(3600, {2, 4}));
}

TEST(Pulse, SilentNeighbourIsLostAfterTheLimitAndNamed) {
  for (const double limit : {1.0, 2.0, 30.0, 300.0}) {
    Listener listener = listener_with(limit);
    const std::uint64_t begin = listener.now;
    const std::optional<Silence> lost = listener.wait(limit + 10, {4});
    ASSERT_TRUE(lost) << limit;
    EXPECT_EQ(lost->by, 3);
    EXPECT_EQ(lost->rank, 2);
    EXPECT_EQ(lost->host, "there");
    const double took = static_cast<double>(listener.now - begin) / 1e9;
    EXPECT_GE(took, limit - 1.01);
    EXPECT_LE(took, limit + 1.01);
    EXPECT_GE(lost->seconds, limit);
  }
}

TEST(Pulse, BeatsComeOftenEnoughForTheLimit) {
  Pulse pulse(0, 2);
  for (const double limit : {1.0, 5.0, 300.0, 1e300}) {
    pulse.set_limit(limit);
    EXPECT_LE(static_cast<double>(pulse.interval_ns()), limit * 1e9 / 8);
    EXPECT_LE(pulse.interval_ns(), second);
    EXPECT_GE(pulse.interval_ns(), second / 10) << "no need to beat so fast";
  }
}

TEST(Pulse, LimitOfNothingLosesNobody) {
  EXPECT_FALSE(listener_with(0).wait(1e6, {}));
}

TEST(Pulse, TimeInWhichItDidNotListenItselfDoesNotCount) {
  Listener listener = listener_with(10);
  for (int i = 0; i < 3; ++i) {
    listener.now += 3600 * second;  // stopped, or without a core
    EXPECT_FALSE(listener.pulse.look(listener.now));
  }
}

TEST(Pulse, NeighbourThatWasNeverHeardHasTimeToStart) {
  Listener listener;
  listener.pulse.set_limit(1);
  EXPECT_FALSE(listener.wait(25, {4}));
  EXPECT_TRUE(listener.wait(10, {4}));
}

TEST(Pulse, NothingIsExpectedAfterGoodbye) {
  Listener listener = listener_with(2);
  listener.pulse.release(2);
  EXPECT_FALSE(listener.pulse.are_all_released());
  EXPECT_FALSE(listener.wait(60, {4}));
  listener.pulse.release(4);
  EXPECT_TRUE(listener.pulse.are_all_released());
  EXPECT_FALSE(listener.wait(60, {}));
}

TEST(Silence, IsDescribedInOneLine) {
  EXPECT_EQ(describe({3, 2, "node7", 30.04}),
            "rank 3: nothing was heard from rank 2 on node7 for 30.0 s: the job is ended (--dead-after)");
  EXPECT_EQ(describe({3, 2, "", 1}),
            "rank 3: nothing was heard from rank 2 for 1.0 s: the job is ended (--dead-after)");
}

/// The ranks that can reach each other get to know of a loss, `first` by themselves at the same time; who says it.
std::vector<int> speakers_among(const std::vector<int>& ranks, const std::vector<int>& first) {
  std::vector<Alarm> alarms;
  for (const int rank : ranks) alarms.emplace_back(rank);
  std::vector<int> told;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (std::count(first.begin(), first.end(), ranks[i]) == 1 && alarms[i].raise(ranks[i], {ranks[i], 99, "", 1}))
      told.push_back(ranks[i]);
  for (std::size_t next = 0; next < told.size(); ++next)
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (ranks[i] != told[next] && alarms[i].raise(told[next], {told[next], 99, "", 1})) told.push_back(ranks[i]);
  std::vector<int> speakers;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    EXPECT_TRUE(alarms[i].silence());
    if (alarms[i].is_mine_to_say()) speakers.push_back(ranks[i]);
  }
  return speakers;
}

TEST(Alarm, IsSaidByRankZeroWhereItIsReached) {
  EXPECT_EQ(speakers_among({0, 1, 4, 5}, {1}), std::vector<int>{0});
  EXPECT_EQ(speakers_among({0, 1, 4, 5}, {1, 4}), std::vector<int>{0});
  EXPECT_EQ(speakers_among({0, 1}, {0, 1}), std::vector<int>{0});
}

TEST(Alarm, IsSaidOnceWhereRankZeroIsOutOfReach) {
  EXPECT_EQ(speakers_among({2, 3}, {3}), std::vector<int>{3});
  EXPECT_EQ(speakers_among({2, 3}, {2, 3}), std::vector<int>{2});
  EXPECT_EQ(speakers_among({7}, {7}), std::vector<int>{7});
  EXPECT_EQ(speakers_among({2, 5, 6, 9}, {6, 9}), std::vector<int>{6});
}

TEST(Reaper, EndsAProcessThatWouldWaitForEver) {
  if (launcher_process()) GTEST_SKIP() << "mpirun started the tests, and would be ended too";
  const pid_t child = fork();
  if (child == 0) {
    leave_reaper(0.1);
    while (true) pause();
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

}  // namespace
}  // namespace dcheck
