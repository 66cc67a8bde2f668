// Signals as requests to stop. Each test is a process of its own: signals are the process's.

#include "app/stop_signals.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "dcheck/base/error.hpp"

namespace dcheck {
namespace {

constexpr int fine = 7;

void wait_until_it_is_another() {
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
}

class StopSignalsDeath : public testing::TestWithParam<int> {};

TEST_P(StopSignalsDeath, TheFirstAsksAndTheSecondEnds) {
  const auto program = [] {
    StopSignals signals;
    if (signals.request().signal() != 0) _exit(1);
    raise(GetParam());
    if (signals.request().signal() != GetParam()) _exit(2);
    raise(GetParam());  // timeout(1) sends it twice
    wait_until_it_is_another();
    raise(GetParam());
    _exit(3);
  };
  EXPECT_EXIT(program(), testing::KilledBySignal(GetParam()), "");
}

TEST_P(StopSignalsDeath, BeforeAnythingCanBeReportedOneIsEnough) {
  const auto program = [] {
    StopSignals signals;
    signals.end_at_once();
    raise(GetParam());
    _exit(1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(128 + GetParam()),
              "^dcheck: SIG[A-Z]+: stopped before anything was explored\n$");
}

TEST_P(StopSignalsDeath, OneThatCameEarlierIsNotForgotten) {
  const auto program = [] {
    StopSignals signals;
    raise(GetParam());
    try {
      signals.end_at_once();
    } catch (const ResourceError& error) {
      if (error.signal() == GetParam()) _exit(fine);
    }
    _exit(1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(fine), "");
}

TEST_P(StopSignalsDeath, WhoSpeaksForAllSaysThatItWasHeard) {
  const auto program = [] {
    StopSignals signals;
    signals.end_at_once();
    signals.ask_to_stop();
    raise(GetParam());
    _exit(signals.request().signal() == GetParam() ? fine : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(fine), "^dcheck: SIG[A-Z]+: stopping; another signal ends");
}

TEST_P(StopSignalsDeath, OneThatIsIgnoredStaysSo) {
  const auto program = [] {
    std::signal(GetParam(), SIG_IGN);
    StopSignals signals;
    raise(GetParam());
    _exit(signals.request().signal() == 0 ? fine : 1);
  };
  EXPECT_EXIT(program(), testing::ExitedWithCode(fine), "");
}

TEST_P(StopSignalsDeath, AfterwardsItIsWhatItAlwaysWas) {
  const auto program = [] {
    { const StopSignals signals; }
    raise(GetParam());
    _exit(1);
  };
  EXPECT_EXIT(program(), testing::KilledBySignal(GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(Signals, StopSignalsDeath, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(StopSignalsDeath, ASecondOneOfAnotherKindEndsToo) {
  const auto program = [] {
    StopSignals signals;
    raise(SIGTERM);
    wait_until_it_is_another();
    raise(SIGINT);
    _exit(1);
  };
  EXPECT_EXIT(program(), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace dcheck
