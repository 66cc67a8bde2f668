#include "dcheck/report/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/joint_progress.hpp"

namespace dcheck {
namespace {

using Phase = Progress::Phase;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What a printer of this style writes for these snapshots.
std::string printed(ProgressPrinter::Style style, const std::vector<Progress>& snapshots) {
  std::FILE* file = std::tmpfile();
  {
    ProgressPrinter printer(file, style);
    for (const Progress& progress : snapshots) printer.show(progress);
  }
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

std::vector<Progress> at_times(const std::vector<double>& times, Phase phase = Phase::exploring) {
  std::vector<Progress> snapshots;
  for (const double seconds : times) snapshots.push_back({.phase = phase, .states = 1000, .seconds = seconds});
  return snapshots;
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(ProgressPrinter, WritesALogEverMoreSeldom) {
  std::vector<double> times;
  for (int i = 1; i <= 600; ++i) times.push_back(0.1 * i);
  const std::string text = printed(ProgressPrinter::Style::log, at_times(times));
  // After 1, 2, 4, 8, 16, and then every ten seconds: 26, 36, 46, 56.
  EXPECT_EQ(lines_in(text), 9U) << text;
  EXPECT_EQ(text.rfind("dcheck: 1.0", 0), 0U) << text;
  EXPECT_TRUE(has(text, "1,000 states")) << text;
}

TEST(ProgressPrinter, NamesANewPhaseSoonInALog) {
  std::vector<Progress> snapshots = at_times({1, 2, 4, 8, 16});
  for (const double seconds : {16.5, 17.2, 17.5, 20.0})
    snapshots.push_back({.phase = Phase::checking, .states = 1000, .seconds = seconds});
  const std::string text = printed(ProgressPrinter::Style::log, snapshots);
  EXPECT_EQ(lines_in(text), 6U) << text;
  EXPECT_TRUE(has(text, "17.2 s: checking")) << text;
}

TEST(ProgressPrinter, WipesItsLiveLineAtTheEnd) {
  const std::string text = printed(ProgressPrinter::Style::live_line, at_times({0.3, 0.6}));
  EXPECT_FALSE(has(text, "\n")) << text;
  EXPECT_EQ(text.substr(text.size() - 4), "\r\033[K");
}

TEST(ProgressPrinter, SaysNothingWhenSilentOrTooEarly) {
  EXPECT_EQ(printed(ProgressPrinter::Style::silent, at_times({100, 200})), "");
  EXPECT_EQ(printed(ProgressPrinter::Style::live_line, at_times({0.1})), "");
  EXPECT_EQ(printed(ProgressPrinter::Style::log, at_times({0.9})), "");
}

/// A terminal, and who looks at it.
class Terminal {
 public:
  Terminal() : _screen(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK)) {
    grantpt(_screen);
    unlockpt(_screen);
    stream = fdopen(open(ptsname(_screen), O_RDWR | O_NOCTTY), "w");
  }
  ~Terminal() {
    std::fclose(stream);
    close(_screen);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void set_columns(unsigned short columns) const {
    const winsize size{24, columns, 0, 0};
    ioctl(_screen, TIOCSWINSZ, &size);
  }
  std::string seen() const {
    char text[4096];
    const ssize_t count = read(_screen, text, sizeof text);
    return count > 0 ? std::string(text, static_cast<std::size_t>(count)) : "";
  }

  std::FILE* stream = nullptr;

 private:
  int _screen;
};

TEST(ProgressPrinter, CutsItsLiveLineToTheTerminalAsItIsNow) {
  const Terminal terminal;
  ASSERT_EQ(ProgressPrinter::style_for(terminal.stream, false), ProgressPrinter::Style::live_line);
  const Progress wide{.states = 123'456'789, .arcs = 1'000'000, .rows = 77, .seconds = 1};
  const std::string whole = progress_line(wide, {});
  ASSERT_GT(whole.size(), 60U);
  ProgressPrinter printer(terminal.stream, ProgressPrinter::Style::live_line);
  double seconds = 1;
  for (const int columns : {40, 20, 1, 300, 0}) {
    terminal.set_columns(static_cast<unsigned short>(columns));
    Progress progress = wide;
    progress.seconds = seconds++;
    printer.show(progress);
    const std::string text = terminal.seen();
    ASSERT_GE(text.size(), 4U) << columns;
    EXPECT_EQ(text.front(), '\r');
    EXPECT_EQ(text.substr(text.size() - 3), "\033[K");
    const std::size_t shown = text.size() - 4;
    const std::size_t room = columns == 0 ? 79U : columns - 1U;  // a terminal that does not tell: 80
    EXPECT_TRUE(shown == room || (shown < room && columns == 300)) << columns << " columns: " << text;
  }
}

TEST(MemoryForecast, SaysWhenMemoryIsFullIfItGoesOnGrowingAsSoFar) {
  constexpr std::uint64_t mib = 1 << 20;
  MemoryForecast forecast(100 * mib);
  forecast.note({.phase = Phase::planning, .memory_bytes = 10 * mib, .seconds = 1});
  forecast.note({.rows = 1, .memory_bytes = 20 * mib, .seconds = 2});
  const Progress now{.rows = 5, .memory_bytes = 40 * mib, .seconds = 12};
  forecast.note(now);
  EXPECT_EQ(forecast.text(now), " of 100 MiB (full in about 30.0 s at this rate)");
  EXPECT_TRUE(has(progress_line(now, {}, forecast), ", 40.0 MiB of 100 MiB (full in about 30.0 s at this rate)"));
}

TEST(MemoryForecast, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(MemoryForecast().text({.rows = 1, .memory_bytes = 5, .seconds = 9}), "");
  MemoryForecast forecast(1 << 20);
  const Progress begin{.rows = 1, .memory_bytes = 5000, .seconds = 9};
  forecast.note(begin);
  EXPECT_EQ(forecast.text(begin), " of 1.00 MiB");
  const Progress same{.rows = 2, .memory_bytes = 5000, .seconds = 99};
  EXPECT_EQ(forecast.text(same), " of 1.00 MiB") << "it does not grow";
}

TEST(ProgressLine, SaysWhatIsExplored) {
  const Progress before{.states = 1'000'000, .seconds = 10};
  const Progress now{.states = 3'000'000,
                     .arcs = 20'000'000,
                     .rows = 150'000,
                     .waiting_rows = 12'000,
                     .memory_bytes = std::uint64_t{3} << 20,
                     .seconds = 12};
  EXPECT_EQ(progress_line(now, before),
            "12.0 s: exploring: 3,000,000 states (1.00 M/s), 12.0 k waiting in 150 k rows, 20.0 M arcs, 3.00 MiB");
}

TEST(ProgressLine, SaysWhichPropertyIsCheckedAndHowFar) {
  Progress now{.phase = Phase::checking, .states = 5000, .memory_bytes = 1 << 20, .seconds = 30, .ranks = 3};
  now.property = 3;
  now.properties = 16;
  now.step = {.number = 4, .name = "EX", .rows_done = 250, .rows = 1000};
  EXPECT_EQ(
      progress_line(now, {}),
      "30.0 s: checking property 3 of 16: EX, 25 % of 1.00 k rows, 5,000 states, 1.00 MiB on the fullest of 3 ranks");
  Progress before = now;
  now.seconds = 32;
  now.step = {.number = 5, .name = "EU", .rows_done = 3000, .round = 7};
  EXPECT_TRUE(has(progress_line(now, before), ": EU, round 7, 3.00 k rows done, ")) << progress_line(now, before);
  before.step = {.number = 5, .name = "EU", .rows_done = 1000, .round = 7};
  EXPECT_TRUE(has(progress_line(now, before), ": EU, round 7, 3.00 k rows done (1.00 k/s), "));
  now.phase = Phase::showing;
  EXPECT_TRUE(has(progress_line(now, before), "looking for a witness of property 3 of 16: EU"));
}

TEST(ProgressLine, SaysThatItPlans) {
  EXPECT_EQ(progress_line({.phase = Phase::planning, .memory_bytes = 1 << 20, .seconds = 2}, {}),
            "2.00 s: planning, 1.00 MiB");
}

TEST(JointProgress, AddsUpWhatRanksSay) {
  Progress all{.states = 10, .arcs = 20, .rows = 30, .waiting_rows = 5, .memory_bytes = 100};
  all.step = {.number = 2, .rows_done = 7, .rows = 9};
  Progress other = all;
  other.states = 1000;
  other.memory_bytes = 300;
  other.waiting_rows = ~std::uint64_t{0} - 1;  // -2: rows that moved there were handled here
  add_status(all, status_of(other));
  EXPECT_EQ(all.states, 1010);
  EXPECT_EQ(all.arcs, 40);
  EXPECT_EQ(all.rows, 60);
  EXPECT_EQ(all.waiting_rows, 3);
  EXPECT_EQ(all.memory_bytes, 300);
  EXPECT_EQ(all.step.rows_done, 14);
  EXPECT_EQ(all.step.rows, 18);
  other.step.number = 3;  // further than this one
  add_status(all, status_of(other));
  EXPECT_EQ(all.states, 2010);
  EXPECT_EQ(all.step.rows_done, 14);
}

}  // namespace
}  // namespace dcheck
