#include "dcheck/explore/limit_check.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "dcheck/base/error.hpp"
#include "dcheck/base/readable.hpp"

namespace dcheck {

namespace {

using Clock = RunClock;
constexpr auto look_every = std::chrono::milliseconds(20), look_in_planning_every = std::chrono::milliseconds(5);

/// Why a run that has taken so long and so much memory must stop; empty: it may go on.
std::string reason_to_stop(const ExploreOptions& options, double seconds, std::uint64_t memory) {
  const Limits& limits = options.limits;
  if (limits.max_seconds && seconds >= *limits.max_seconds)
    return fmt::format("the time limit of {:g} s (--max-time) was reached", *limits.max_seconds);
  if (limits.max_memory_bytes && memory >= *limits.max_memory_bytes)
    return fmt::format("{}; {} are in use", memory_limit_text(options), as_bytes(memory));
  return "";
}

/// By which somebody asks to stop; 0: nobody does.
int signal_in(const Limits& limits) {
  return limits.stop == nullptr ? 0 : limits.stop->signal();
}

double seconds_between(Clock::time_point start, Clock::time_point now) {
  return std::chrono::duration<double>(now - start).count();
}

}  // namespace

Patience patience_within(const ExploreOptions& options) {
  return Patience([&options, next_look = Clock::now()]() mutable {
    if (const int signal = signal_in(options.limits)) throw ResourceError(stopped_by(signal), signal);
    const auto now = Clock::now();
    if (now < next_look) return;
    next_look = now + look_in_planning_every;
    const double seconds = seconds_between(options.start, now);
    const std::uint64_t memory = resident_bytes();
    if (options.progress)
      options.progress({.phase = Progress::Phase::planning, .memory_bytes = memory, .seconds = seconds});
    const std::string reason = reason_to_stop(options, seconds, memory);
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

std::string memory_limit_text(const ExploreOptions& options) {
  const Limits& limits = options.limits;
  const std::string_view whose =
      limits.is_machines_memory ? "a rank, its share of 90 % of what the machine allows," : "a rank (--max-memory)";
  const bool is_packed = options.store.kind == StoreChoice::Kind::packed;
  return fmt::format("the memory limit of {} {} was reached: a larger --max-memory{} help",
                     as_bytes(*limits.max_memory_bytes), whose,
                     is_packed ? ", more ranks or --store delta" : " or more ranks");
}

LimitCheck::LimitCheck(const ExploreOptions& options, const ExploreState& state)
    : _options(options), _state(state), _last_look(Clock::now()) {}

bool LimitCheck::reached() {
  _signal = signal_in(_options.limits);
  if (_signal != 0) [[unlikely]] {
    _reason = stopped_by(_signal);
    return true;
  }
  if (_state.counts.states >= _quota) return true;
  const auto now = Clock::now();
  if (now - _last_look < look_every) return !_reason.empty();
  _last_look = now;
  const double seconds = seconds_between(_options.start, now);
  const std::uint64_t memory = resident_bytes();
  tell(memory, seconds);
  _reason = reason_to_stop(_options, seconds, memory);
  return !_reason.empty();
}

void LimitCheck::expect_room() {
  if (reached() && !_reason.empty()) throw ResourceError(_reason, _signal);
}

void LimitCheck::tell(std::uint64_t memory_bytes, double seconds) const {
  if (!_options.progress) return;
  _options.progress({.states = _state.counts.states,
                     .arcs = _state.counts.arcs,
                     .rows = _state.row_count(),
                     .waiting_rows = _state.waiting(),
                     .memory_bytes = memory_bytes,
                     .seconds = seconds});
}

}  // namespace dcheck
