#include "dcheck/explore/limit_check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto look_every = std::chrono::milliseconds(20), look_in_planning_every = std::chrono::milliseconds(5);

/// Why a run that has taken so long and so much memory must stop; empty: it may go on.
std::string reason_to_stop(const Limits& limits, double seconds, std::uint64_t memory) {
  if (limits.max_seconds && seconds >= *limits.max_seconds)
    return fmt::format("the time limit of {:g} s was reached", *limits.max_seconds);
  if (limits.max_memory_bytes && memory >= *limits.max_memory_bytes) return "the memory limit was reached";
  return "";
}

double seconds_between(Clock::time_point start, Clock::time_point now) {
  return std::chrono::duration<double>(now - start).count();
}

}  // namespace

Patience patience_within(const ExploreOptions& options) {
  return Patience([&options, next_look = Clock::now()]() mutable {
    const auto now = Clock::now();
    if (now < next_look) return;
    next_look = now + look_in_planning_every;
    const std::string reason = reason_to_stop(options.limits, seconds_between(options.start, now), resident_bytes());
    if (!reason.empty()) throw ResourceError(reason);
  });
}

std::uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const int read = std::fscanf(file, "%lu %lu", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

LimitCheck::LimitCheck(const ExploreOptions& options, const ExploreState& state)
    : _options(options), _state(state), _last_look(Clock::now()) {}

bool LimitCheck::reached() {
  if (_state.states >= _quota) return true;
  const auto now = Clock::now();
  if (now - _last_look < look_every) return false;
  _last_look = now;
  const double seconds = seconds_between(_options.start, now);
  const std::uint64_t memory = resident_bytes();
  if (_options.progress)
    _options.progress({_state.states, _state.arcs, _state.row_count(), _state.waiting(), memory, seconds});
  _reason = reason_to_stop(_options.limits, seconds, memory);
  return !_reason.empty();
}

}  // namespace dcheck
