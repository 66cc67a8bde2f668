#include "dcheck/explore/limit_check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

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

bool LimitCheck::reached() {
  const Limits& limits = _options.limits;
  if (_state.states >= _quota) return true;
  const auto now = Clock::now();
  if (now - _last_look < look_every) return false;
  _last_look = now;
  const double seconds = std::chrono::duration<double>(now - _start).count();
  const std::uint64_t memory = resident_bytes();
  if (_options.progress)
    _options.progress({_state.states, _state.arcs, _state.row_count(), _state.waiting(), memory, seconds});
  if (limits.max_seconds && seconds >= *limits.max_seconds)
    _reason = fmt::format("the time limit of {:g} s was reached", *limits.max_seconds);
  else if (limits.max_memory_bytes && memory >= *limits.max_memory_bytes)
    _reason = "the memory limit was reached";
  return !_reason.empty();
}

}  // namespace dcheck
