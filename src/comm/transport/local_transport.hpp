#pragma once
// A cluster of one: nothing is ever sent. No MPI, so the program starts as fast as one without it.

#include "dcheck/comm/transport/transport.hpp"

namespace dcheck {

class LocalTransport final : public Transport {
 public:
  LocalTransport() : Transport(rank_0, 1) {}

  void set_batch_words(std::size_t) override {}
  Batch take_batch(std::size_t payload_words) override { return Batch(payload_words); }
  void give_back(Batch) override {}
  void send(Rank to, Batch batch) override;
  std::optional<Arrival> receive() override { return std::nullopt; }
  std::size_t unfinished() override { return 0; }
  void idle() override {}
  std::uint64_t now() override;
  [[noreturn]] void abort(const std::string& message, int exit_code) override;
  void set_closed() override {}
};

/// The clock of all transports that run in real time.
std::uint64_t steady_ns();

}  // namespace dcheck
