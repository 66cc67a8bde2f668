#pragma once
// Another transport, but every batch is under way some time longer: for experiments with slow networks where
// there is none. Batches wait on the side of their sender, so they are unfinished as long as they do, and are handed on
// by whatever call of the sender comes next. Two batches to one rank never change their order.

#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "dcheck/comm/transport/transport.hpp"

namespace dcheck {

/// Each batch has its own, by chance between these.
struct Delay {
  std::uint64_t least_ns = 0, most_ns = 0;
};

class DelayedTransport final : public Transport {
 public:
  /// `inner` must outlive this one.
  DelayedTransport(Transport& inner, const Delay& delay);
  DelayedTransport(std::unique_ptr<Transport> inner, const Delay& delay) : DelayedTransport(*inner, delay) {
    _owned = std::move(inner);
  }

  void set_batch_words(std::size_t payload_words) override { _inner.set_batch_words(payload_words); }
  Batch take_batch(std::size_t payload_words) override { return _inner.take_batch(payload_words); }
  void give_back(Batch batch) override { _inner.give_back(std::move(batch)); }
  void send(Rank to, Batch batch) override;
  std::optional<Arrival> receive() override;
  std::size_t unfinished() override;
  void idle() override;
  std::uint64_t now() override { return _inner.now(); }
  void set_dead_after(double seconds) override { _inner.set_dead_after(seconds); }
  void abort(const std::string& message, int exit_code) override { _inner.abort(message, exit_code); }
  void set_closed() override { _inner.set_closed(); }

 private:
  struct Held {
    std::uint64_t due;
    Rank to;
    Batch batch;
  };

  /// Hands on what has waited long enough.
  void hand_on();

  std::unique_ptr<Transport> _owned;  // null where it is somebody else's
  Transport& _inner;
  Delay _delay;
  std::mt19937_64 _random;
  std::deque<Held> _held;                // in the order in which they were sent
  std::vector<std::uint64_t> _last_due;  // by receiver
  std::uint64_t _next_due = 0;           // none of those held is due before
};

}  // namespace dcheck
