#include "comm/pulse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dcheck/comm/exchange/exchange.hpp"

namespace dcheck {

namespace {

constexpr std::uint64_t ms = 1'000'000;
constexpr double least_limit_seconds = 1;
constexpr std::uint64_t time_to_start = 30'000 * ms;
constexpr std::uint64_t beats_a_limit = 8, longest_interval = 1000 * ms, first_interval = 200 * ms;

std::uint64_t limit_ns_of(double seconds) {
  // Beyond this the sum of what was waited could overflow; it is 30 years.
  constexpr double longest_seconds = 1e9;
  return static_cast<std::uint64_t>(std::clamp(seconds, least_limit_seconds, longest_seconds) * 1e9);
}

}  // namespace

std::string describe(const Silence& silence) {
  const std::string where = silence.host.empty() ? "" : " on " + silence.host;
  return fmt::format("rank {}: nothing was heard from rank {}{} for {:.1f} s: the job is ended (--dead-after)",
                     silence.by, silence.rank, where, silence.seconds);
}

Pulse::Pulse(int rank, int size)
    : _rank(rank), _limit_ns(limit_ns_of(ExchangeOptions().dead_after_seconds)), _interval_ns(first_interval) {
  if (size > 1) _neighbours.push_back((rank + 1) % size);
  if (size > 2) _neighbours.push_back((rank + size - 1) % size);
  _of.resize(_neighbours.size());
}

void Pulse::set_limit(double seconds) {
  _limit_ns = seconds > 0 ? limit_ns_of(seconds) : 0;
  _interval_ns = _limit_ns == 0 ? longest_interval : std::min(_limit_ns / beats_a_limit, longest_interval);
}

Pulse::Neighbour* Pulse::find(int rank) {
  const auto place = std::find(_neighbours.begin(), _neighbours.end(), rank);
  return place == _neighbours.end() ? nullptr : &_of[static_cast<std::size_t>(place - _neighbours.begin())];
}

void Pulse::hear(int from, const std::string& host) {
  Neighbour* const neighbour = find(from);
  if (neighbour == nullptr) return;
  neighbour->was_heard = neighbour->was_ever_heard = true;
  neighbour->host = host;
}

void Pulse::release(int rank) {
  if (Neighbour* const neighbour = find(rank)) neighbour->is_released = true;
}

bool Pulse::are_all_released() const {
  return std::all_of(_of.begin(), _of.end(), [](const Neighbour& neighbour) { return neighbour.is_released; });
}

std::optional<Silence> Pulse::look(std::uint64_t now_ns) {
  const std::uint64_t passed = now_ns - _last_look.value_or(now_ns);
  const std::uint64_t listened = std::min(passed, 2 * _interval_ns);
  _last_look = now_ns;
  std::optional<Silence> lost;
  for (std::size_t i = 0; i < _of.size(); ++i) {
    Neighbour& neighbour = _of[i];
    if (neighbour.is_released) continue;
    neighbour.silent_ns = std::exchange(neighbour.was_heard, false) ? 0 : neighbour.silent_ns + listened;
    const std::uint64_t limit = neighbour.was_ever_heard ? _limit_ns : std::max(_limit_ns, time_to_start);
    if (_limit_ns == 0 || neighbour.silent_ns < limit || lost) continue;
    lost = {_rank, _neighbours[i], neighbour.host, static_cast<double>(neighbour.silent_ns) / 1e9};
  }
  return lost;
}

bool Alarm::raise(int teller, const Silence& silence) {
  _least_teller = _silence ? std::min(_least_teller, teller) : teller;
  const bool is_new = !_silence;
  if (is_new) _silence = silence;
  const bool tells = is_new && (teller == _rank || _rank == 0);
  if (tells) {
    _has_told = true;
    _least_teller = std::min(_least_teller, _rank);
  }
  return tells;
}

}  // namespace dcheck
