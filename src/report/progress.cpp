#include "dcheck/report/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "report/format.hpp"

namespace dcheck {
namespace {

using Phase = Progress::Phase;

constexpr double live_interval_seconds = 0.2;
constexpr double shortest_log_interval_seconds = 1, longest_log_interval_seconds = 10;
constexpr std::size_t usual_columns = 80;
constexpr double least_seconds_of_growth = 0.5;
constexpr double longest_forecast_seconds = 30 * 86400.0;  // nobody waits so long

/// Looked up each time: windows change.
std::size_t columns_of(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual_columns;
  return size.ws_col;
}

/// Per second since the line before; empty where they cannot be compared.
std::string rate(std::uint64_t now, std::uint64_t before, double seconds) {
  if (now < before || seconds <= 0) return "";
  return fmt::format(" ({}/s)", as_si(static_cast<double>(now - before) / seconds));
}

std::string memory_of(const Progress& progress, const MemoryForecast& forecast) {
  const std::string used = as_bytes(progress.memory_bytes) + forecast.text(progress);
  return progress.ranks == 1 ? used : fmt::format("{} on the fullest of {} ranks", used, progress.ranks);
}

std::string exploring(const Progress& now, const Progress& before) {
  return fmt::format("exploring: {} states{}, {} waiting in {} rows, {} arcs", with_separators(now.states),
                     rate(now.states, before.states, now.seconds - before.seconds),
                     as_si(static_cast<double>(now.waiting_rows)), as_si(static_cast<double>(now.rows)),
                     as_si(static_cast<double>(now.arcs)));
}

/// ", EX, 34 % of 12.3 M rows": where it is known how many there are.
std::string step_of(const Progress& now, const Progress& before) {
  const LabellingStep& step = now.step;
  if (step.number == 0) return "";
  if (step.rows != 0) {
    const double share = std::min(1.0, static_cast<double>(step.rows_done) / static_cast<double>(step.rows));
    return fmt::format(": {}, {:.0f} % of {} rows", step.name, 100 * share, as_si(static_cast<double>(step.rows)));
  }
  const std::uint64_t done_before = step.number == before.step.number ? before.step.rows_done : 0;
  const std::string round = step.round == 0 ? "" : fmt::format(", round {}", step.round);
  return fmt::format(
      ": {}{}, {} rows done{}", step.name, round, as_si(static_cast<double>(step.rows_done)),
      step.number == before.step.number ? rate(step.rows_done, done_before, now.seconds - before.seconds) : "");
}

std::string checking(const Progress& now, const Progress& before) {
  std::string what = now.phase == Phase::showing ? "looking for a witness" : "checking";
  if (now.property != 0)
    what += fmt::format("{} property {} of {}", now.phase == Phase::showing ? " of" : "", now.property, now.properties);
  return fmt::format("{}{}, {} states", what, step_of(now, before), with_separators(now.states));
}

}  // namespace

void MemoryForecast::note(const Progress& progress) {
  if (progress.phase != Phase::exploring || progress.rows == 0) {
    _has_begun = false;
  } else if (!_has_begun) {
    _has_begun = true;
    _begin_seconds = progress.seconds;
    _begin_bytes = progress.memory_bytes;
  }
}

std::string MemoryForecast::text(const Progress& progress) const {
  if (_limit == 0) return "";
  std::string text = fmt::format(" of {}", as_bytes(_limit));
  const double passed = progress.seconds - _begin_seconds;
  const bool grows = _has_begun && passed >= least_seconds_of_growth && progress.memory_bytes > _begin_bytes &&
                     progress.phase == Phase::exploring;
  if (!grows || progress.memory_bytes >= _limit) return text;
  const double rate = static_cast<double>(progress.memory_bytes - _begin_bytes) / passed;
  const double left = static_cast<double>(_limit - progress.memory_bytes) / rate;
  if (left < longest_forecast_seconds) text += fmt::format(" (full in about {} at this rate)", as_duration(left));
  return text;
}

std::string progress_line(const Progress& progress, const Progress& before, const MemoryForecast& forecast) {
  const std::string what = progress.phase == Phase::planning    ? "planning"
                           : progress.phase == Phase::exploring ? exploring(progress, before)
                                                                : checking(progress, before);
  return fmt::format("{}: {}, {}", as_duration(progress.seconds), what, memory_of(progress, forecast));
}

ProgressPrinter::Style ProgressPrinter::style_for(std::FILE* stream, bool quiet) {
  if (quiet) return Style::silent;
  return isatty(fileno(stream)) != 0 ? Style::live_line : Style::log;
}

ProgressPrinter::~ProgressPrinter() {
  if (!_line_is_open) return;
  std::fputs("\r\033[K", _stream);
  std::fflush(_stream);
}

bool ProgressPrinter::is_due(const Progress& progress) const {
  const double passed = progress.seconds - _last.seconds;
  if (_style == Style::live_line) return passed >= live_interval_seconds;
  if (progress.phase != _last.phase && passed >= shortest_log_interval_seconds) return true;
  // Lines after 1, 2, 4, 8, 16, 26, 36 seconds.
  return passed >= std::clamp(_last.seconds, shortest_log_interval_seconds, longest_log_interval_seconds);
}

void ProgressPrinter::show(const Progress& progress) {
  _forecast.note(progress);
  if (_style == Style::silent || !is_due(progress)) return;
  std::string line = progress_line(progress, _last, _forecast);
  _line_is_open = _style == Style::live_line;
  if (_line_is_open) {
    // A line that fills the last column makes some terminals begin the next one.
    line.resize(std::min(line.size(), columns_of(_stream) - 1));
    line = "\r" + line + "\033[K";
  } else {
    line = "dcheck: " + line + "\n";
  }
  std::fputs(line.c_str(), _stream);
  std::fflush(_stream);
  _last = progress;
}

}  // namespace dcheck
