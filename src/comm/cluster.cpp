#include "dcheck/comm/cluster.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "comm/transport/delayed_transport.hpp"
#include "dcheck/base/narrow.hpp"

namespace dcheck {

namespace {

// The payload of a batch of bytes: their number, then the bytes.
std::string bytes_of(const Batch& batch) {
  const std::span<const std::uint64_t> words = batch.used();
  return {reinterpret_cast<const char*>(words.data() + 1), words[0]};
}

// A failure as bytes: the rank, the exit code, the message.
std::string pack(const Failure& failure) {
  std::string bytes(8, '\0');
  const std::int32_t numbers[] = {static_cast<std::int32_t>(failure.rank), failure.exit_code};
  std::memcpy(bytes.data(), numbers, 8);
  return bytes + failure.message;
}

Failure unpack(const std::string& bytes) {
  std::int32_t numbers[2];
  std::memcpy(numbers, bytes.data(), 8);
  return {Rank{numbers[0]}, bytes.substr(8), numbers[1]};
}

std::string packed_numbers(std::span<const std::uint64_t> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

void unpack_numbers(const std::string& bytes, std::span<std::uint64_t> values) {
  if (bytes.size() != values.size_bytes()) throw std::logic_error("ranks disagree about what to agree on");
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
}

std::uint64_t combined(std::uint64_t a, std::uint64_t b, Combine how) {
  switch (how) {
    case Combine::sum:
      return a + b;
    case Combine::max:
      return std::max(a, b);
    case Combine::min:
      return std::min(a, b);
  }
  throw std::logic_error("no such combination");
}

}  // namespace

Cluster::Cluster(Transport& transport)
    : _transport(&transport), _notes(transport.size()), _cold(static_cast<std::size_t>(transport.size())) {}

void Cluster::set_delay(std::uint64_t delay_ns) {
  if (_delayed) throw std::logic_error("a delay is set twice");
  _delayed = std::make_unique<DelayedTransport>(*_transport, Delay{delay_ns, delay_ns});
  _transport = _delayed.get();
}

// Collectives.

void Cluster::broadcast(std::string& bytes) {
  ++_collectives;
  if (rank() != rank_0) {
    bytes = take_cold(rank_0);
    return;
  }
  _transport->for_each_other_rank([&](Rank to) { send_cold(to, bytes); });
}

std::string Cluster::meet(std::string bytes, const std::function<std::string(std::vector<std::string>&)>& answer) {
  ++_collectives;
  if (rank() != rank_0) {
    send_cold(rank_0, bytes);
    return take_cold(rank_0);
  }
  std::vector<std::string> parts(static_cast<std::size_t>(size()));
  parts[0] = std::move(bytes);
  _transport->for_each_other_rank([&](Rank from) { parts[index(from)] = take_cold(from); });
  std::string reply = answer(parts);
  _transport->for_each_other_rank([&](Rank to) { send_cold(to, reply); });
  return reply;
}

std::vector<std::string> Cluster::gather(std::string bytes) {
  std::vector<std::string> all;
  meet(std::move(bytes), [&](std::vector<std::string>& parts) {
    all = std::move(parts);
    return std::string();
  });
  return all;
}

void Cluster::agree(std::span<std::uint64_t> values, Combine how) {
  const auto answer = [&](std::vector<std::string>& parts) {
    for (std::size_t from = 1; from < parts.size(); ++from) {
      std::vector<std::uint64_t> theirs(values.size());
      unpack_numbers(parts[from], theirs);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = combined(values[i], theirs[i], how);
    }
    return packed_numbers(values);
  };
  unpack_numbers(meet(packed_numbers(values), answer), values);
}

void Cluster::send_bytes(Rank to, BatchKind kind, std::uint32_t number, std::string_view bytes) {
  Batch batch = _transport->take_batch(1 + (bytes.size() + 7) / 8);
  batch.set_header({kind, number, 0, 0});
  batch.set_used(1 + (bytes.size() + 7) / 8);
  batch.payload()[0] = bytes.size();
  if (!bytes.empty()) {
    batch.payload()[(bytes.size() + 7) / 8] = 0;
    std::memcpy(batch.payload() + 1, bytes.data(), bytes.size());
  }
  _transport->send(to, std::move(batch));
}

void Cluster::send_cold(Rank to, std::string_view bytes) {
  send_bytes(to, BatchKind::cold, _collectives, bytes);
}

std::string Cluster::take_cold(Rank from) {
  std::deque<Cold>& queue = _cold[index(from)];
  wait_until([&] { return !queue.empty(); });
  Cold cold = std::move(queue.front());
  queue.pop_front();
  if (cold.number != _collectives) throw std::logic_error("ranks disagree about the order of collectives");
  return std::move(cold.bytes);
}

// Receiving.

bool Cluster::receive_one(std::optional<Arrival>& for_phase) {
  _notes.pass_on(*_transport);
  std::optional<Arrival> arrival = _transport->receive();
  if (!arrival) return false;
  const BatchHeader header = arrival->batch.header();
  if (is_of_phase(header.kind)) {
    for_phase = std::move(arrival);
    return true;
  }
  switch (header.kind) {
    case BatchKind::cold:
      _cold[index(arrival->from)].push_back({header.phase, bytes_of(arrival->batch)});
      break;
    case BatchKind::report:  // the first one wins, and its sender waits for the answer
    case BatchKind::failure:
      if (!_failure) leave(unpack(bytes_of(arrival->batch)));
      break;
    case BatchKind::goodbye:
      ++_goodbyes;
      _is_failure_known_elsewhere |= arrival->batch.used()[0] != 0;
      break;
    default:
      if (!is_side_note(header.kind)) throw std::logic_error("a batch of no known kind came");
      _notes.take(*arrival, *_transport);
  }
  _transport->give_back(std::move(arrival->batch));
  return true;
}

std::optional<Arrival> Cluster::take(std::uint32_t phase) {
  const auto is_due = [&](const Arrival& early) { return early.batch.header().phase <= phase; };
  while (true) {
    std::optional<Arrival> arrival;
    const auto due = std::find_if(_early.begin(), _early.end(), is_due);
    if (due != _early.end()) {
      arrival = std::move(*due);
      _early.erase(due);
    } else if (!receive_one(arrival)) {
      return std::nullopt;
    }
    if (!arrival) continue;
    const std::uint32_t of = arrival->batch.header().phase;
    if (of == phase) return arrival;
    if (of > phase)
      _early.push_back(std::move(*arrival));
    else
      forget(std::move(*arrival));
  }
}

void Cluster::forget(Arrival arrival) {
  if (arrival.batch.header().kind != BatchKind::stop) throw std::logic_error("a batch came after its phase was closed");
  _transport->give_back(std::move(arrival.batch));
}

void Cluster::wait_until(const std::function<bool()>& is_done) {
  while (!is_done()) {
    std::optional<Arrival> for_phase;
    if (!receive_one(for_phase))
      _transport->idle();
    else if (for_phase)
      _early.push_back(std::move(*for_phase));
  }
}

void Cluster::look() {
  std::optional<Arrival> for_phase;
  while (receive_one(for_phase)) {
    if (!for_phase) continue;
    // Of a phase that others have begun: what more there is waits with its sender.
    _early.push_back(std::move(*for_phase));
    return;
  }
}

// The end.

void Cluster::leave(Failure failure) {
  _failure = std::move(failure);
  if (rank() == rank_0)
    _transport->for_each_other_rank([&](Rank to) { send_bytes(to, BatchKind::failure, 0, pack(*_failure)); });
  drain();
  throw RemoteFailure(*_failure);
}

Failure Cluster::fail(const std::string& message, int exit_code) {
  if (_failure) return *_failure;
  Failure mine{rank(), message, exit_code};
  try {
    if (rank() == rank_0) leave(mine);
    send_bytes(rank_0, BatchKind::report, 0, pack(mine));
    const std::uint64_t deadline = _transport->now() + patience_ns;
    wait_until([&] {
      if (_transport->now() >= deadline)
        _transport->abort(RemoteFailure(mine).what() + std::string(" (rank 0 does not answer)"), exit_code);
      return false;
    });
  } catch (const RemoteFailure& decided) {
    return decided.failure;
  }
  return mine;
}

void Cluster::say_goodbye() {
  if (_has_said_goodbye) return;
  _has_said_goodbye = true;
  _notes.close();
  _transport->for_each_other_rank([&](Rank to) {
    Batch batch = _transport->take_batch(1);
    batch.set_header({BatchKind::goodbye, 0, 0, 0});
    batch.payload()[0] = _failure ? 1 : 0;
    batch.set_used(1);
    _transport->send(to, std::move(batch));
  });
}

// A goodbye that knows of a failure may overtake rank 0's message about it: that one is waited for.
bool Cluster::is_farewell_over() {
  return _goodbyes == size() - 1 && (_failure || !_is_failure_known_elsewhere) && _transport->unfinished() == 0;
}

void Cluster::drain() {
  say_goodbye();
  // Rank 0 prints the message: the others give it a little longer.
  const std::uint64_t deadline = _transport->now() + patience_ns + (rank() == rank_0 ? 0 : patience_ns / 4);
  while (!is_farewell_over()) {
    std::optional<Arrival> for_phase;
    if (!receive_one(for_phase)) _transport->idle();
    if (for_phase) _transport->give_back(std::move(for_phase->batch));
    if (_transport->now() >= deadline) _transport->abort(RemoteFailure(*_failure).what(), _failure->exit_code);
  }
  _transport->set_closed();
}

void Cluster::close() {
  say_goodbye();
  wait_until([&] { return is_farewell_over(); });
  _transport->set_closed();
  for (Arrival& late : std::exchange(_early, {})) forget(std::move(late));
}

}  // namespace dcheck
