#include "dcheck/report/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "report/format.hpp"

namespace dcheck {
namespace {

constexpr double live_interval_seconds = 0.2;
constexpr double log_interval_seconds = 10;

}  // namespace

ProgressPrinter::Style ProgressPrinter::style_for(std::FILE* stream, bool quiet) {
  if (quiet) return Style::silent;
  return isatty(fileno(stream)) != 0 ? Style::live_line : Style::log;
}

ProgressPrinter::~ProgressPrinter() {
  if (!_line_is_open) return;
  std::fputs("\r\033[K", _stream);
  std::fflush(_stream);
}

void ProgressPrinter::show(const Progress& progress) {
  if (_style == Style::silent) return;
  const double interval = _style == Style::live_line ? live_interval_seconds : log_interval_seconds;
  const double passed = progress.seconds - _last_seconds;
  if (passed < interval) return;

  const double new_states = static_cast<double>(progress.states) - static_cast<double>(_last_states);
  const std::string line =
      fmt::format("{}: {} states ({}/s), {} arcs, {} rows, {} waiting, {}", as_duration(progress.seconds),
                  with_separators(progress.states), as_si(new_states / passed),
                  as_si(static_cast<double>(progress.arcs)), as_si(static_cast<double>(progress.rows)),
                  as_si(static_cast<double>(progress.waiting_rows)), as_bytes(progress.memory_bytes));
  _line_is_open = _style == Style::live_line;
  const std::string text = _line_is_open ? "\r" + line + "\033[K" : "dcheck: " + line + "\n";
  std::fputs(text.c_str(), _stream);
  std::fflush(_stream);
  _last_seconds = progress.seconds;
  _last_states = progress.states;
}

}  // namespace dcheck
