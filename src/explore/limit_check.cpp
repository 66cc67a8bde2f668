#include "dcheck/explore/limit_check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto look_every = std::chrono::milliseconds(20);

}  // namespace

std::uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int read = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

LimitCheck::LimitCheck(const ExploreOptions& options, const ExploreState& state, Clock::time_point start)
    : _options(options), _state(state), _start(start), _last_look(_start) {}

bool LimitCheck::is_asked_to_stop() {
  const StopRequest* const stop = _options.limits.stop;
  if (stop == nullptr || stop->signal() == 0) [[likely]]
    return false;
  _signal = stop->signal();
  _reason = stopped_by(_signal);
  return true;
}

bool LimitCheck::reached() {
  const Limits& limits = _options.limits;
  if (is_asked_to_stop()) return true;
  if (_state.states >= _quota) return true;
  const auto now = Clock::now();
  if (now - _last_look < look_every) return false;
  _last_look = now;
  const double seconds = std::chrono::duration<double>(now - _start).count();
  const std::uint64_t memory = resident_bytes();
  tell(Progress::Phase::exploring, memory, seconds);
  if (limits.max_seconds && seconds >= *limits.max_seconds)
    _reason = fmt::format("the time limit of {:g} s was reached", *limits.max_seconds);
  else if (limits.max_memory_bytes && memory >= *limits.max_memory_bytes)
    _reason = "the memory limit was reached";
  return !_reason.empty();
}

void LimitCheck::expect_room() {
  if (reached() && !_reason.empty()) throw ResourceError(_reason, _signal);
}

void LimitCheck::look_while_planning() {
  if (is_asked_to_stop()) throw ResourceError(_reason, _signal);
  const auto now = Clock::now();
  if (now - _last_look < look_every) return;
  _last_look = now;
  const bool has_rows = _state.row_count() != 0;
  tell(has_rows ? Progress::Phase::exploring : Progress::Phase::planning, resident_bytes(),
       std::chrono::duration<double>(now - _start).count());
}

void LimitCheck::tell(Progress::Phase phase, std::uint64_t memory_bytes, double seconds) const {
  if (!_options.progress) return;
  _options.progress({.phase = phase,
                     .states = _state.states,
                     .arcs = _state.arcs,
                     .rows = _state.row_count(),
                     .waiting_rows = _state.waiting(),
                     .memory_bytes = memory_bytes,
                     .seconds = seconds});
}

}  // namespace dcheck
