#include "comm/transport/delayed_transport.hpp"

#include <algorithm>
#include <limits>

namespace dcheck {

DelayedTransport::DelayedTransport(Transport& inner, const Delay& delay)
    : Transport(inner.rank(), inner.size(), inner.ranks_on_host(), inner.ranks_in_process()),
      _inner(inner),
      _delay(delay),
      _random(static_cast<std::uint64_t>(rank())),
      _last_due(static_cast<std::size_t>(size())) {}

void DelayedTransport::send(Rank to, Batch batch) {
  const std::uint64_t delay = _delay.least_ns + _random() % (_delay.most_ns - _delay.least_ns + 1);
  std::uint64_t& last = _last_due[index(to)];
  last = std::max(last, _inner.now() + delay);
  _next_due = _held.empty() ? last : std::min(_next_due, last);
  _held.push_back({last, to, std::move(batch)});
  hand_on();
}

void DelayedTransport::hand_on() {
  if (_held.empty()) return;
  const std::uint64_t now = _inner.now();
  if (now < _next_due) return;
  _next_due = std::numeric_limits<std::uint64_t>::max();
  std::deque<Held> later;
  for (Held& held : _held) {
    if (held.due <= now) {
      _inner.send(held.to, std::move(held.batch));
    } else {
      _next_due = std::min(_next_due, held.due);
      later.push_back(std::move(held));
    }
  }
  _held = std::move(later);
}

std::optional<Arrival> DelayedTransport::receive() {
  hand_on();
  return _inner.receive();
}

std::size_t DelayedTransport::unfinished() {
  hand_on();
  return _held.size() + _inner.unfinished();
}

void DelayedTransport::idle() {
  hand_on();
  _inner.idle();
}

}  // namespace dcheck
