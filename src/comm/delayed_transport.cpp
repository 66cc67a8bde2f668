#include "comm/delayed_transport.hpp"

#include <algorithm>

namespace dcheck {

std::optional<Arrival> DelayedTransport::receive() {
  const std::uint64_t now = _inner->now();
  while (std::optional<Arrival> arrival = _inner->receive()) {
    std::uint64_t& last = _last_due[static_cast<std::size_t>(arrival->from)];
    last = std::max(last, now + _random() % (_max_delay_ns + 1));
    _held.push_back({last, std::move(*arrival)});
  }
  const auto due = std::find_if(_held.begin(), _held.end(), [&](const Held& held) { return held.due <= now; });
  if (due == _held.end()) return std::nullopt;
  std::optional<Arrival> arrival = std::move(due->arrival);
  _held.erase(due);
  return arrival;
}

}  // namespace dcheck
