#pragma once
// Another transport, but every batch is shown only some time after it came: for experiments with slow
// networks where there is none. The delay of each batch is random, uniform up to a limit, and never such
// that two batches from one rank change their order.

#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "dcheck/comm/transport.hpp"

namespace dcheck {

class DelayedTransport final : public Transport {
 public:
  DelayedTransport(std::unique_ptr<Transport> inner, std::uint64_t max_delay_ns)
      : Transport(inner->rank(), inner->size(), inner->ranks_on_host()),
        _inner(std::move(inner)),
        _max_delay_ns(max_delay_ns),
        _random(static_cast<std::uint64_t>(rank())),
        _last_due(static_cast<std::size_t>(size())) {}

  void set_batch_words(std::size_t payload_words) override { _inner->set_batch_words(payload_words); }
  Batch take_batch(std::size_t payload_words) override { return _inner->take_batch(payload_words); }
  void give_back(Batch batch) override { _inner->give_back(std::move(batch)); }
  void send(int to, Batch batch) override { _inner->send(to, std::move(batch)); }
  std::optional<Arrival> receive() override;
  std::size_t unfinished() override { return _inner->unfinished(); }
  void idle() override { _inner->idle(); }
  std::uint64_t now() override { return _inner->now(); }
  void abort(const std::string& message, int exit_code) override { _inner->abort(message, exit_code); }
  void set_closed() override { _inner->set_closed(); }

 private:
  struct Held {
    std::uint64_t due;
    Arrival arrival;
  };

  std::unique_ptr<Transport> _inner;
  std::uint64_t _max_delay_ns;
  std::mt19937_64 _random;
  std::deque<Held> _held;                // in the order in which they came
  std::vector<std::uint64_t> _last_due;  // by sender
};

}  // namespace dcheck
