#pragma once
// A cluster inside one process, with a clock for every rank: what a run would take on many machines, told on one.
//
// Every rank's whole program runs in a thread of its own, one at a time: always the one whose clock is behind all
// others. A clock advances by the processor time that its rank uses, and stands still inside the transport. A batch
// leaves when the link of its sender is free, and arrives after the latency and the time that its bytes take; both
// sides pay for handling it. A rank with nothing to do sleeps until something comes, or something that it sent was
// taken. RunClock is the rank's clock too, so all that its program measures is in virtual time.
//
// It is a model: the caches and the memory are those of one machine, and ranks share them in turn. Figures that come
// from it are simulated, and must be called so.

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "dcheck/comm/transport/transport.hpp"

namespace dcheck {

struct NetworkModel {
  std::string_view name;
  std::uint64_t latency_ns = 0;
  std::uint64_t bytes_per_us = 1;  // of one rank's link
  std::uint64_t handling_ns = 0;   // of a batch: what the sender pays, and the receiver
};

/// Orders of magnitude: ranks of one machine, and of machines on two kinds of networks.
constexpr std::array<NetworkModel, 3> network_models{
    {{"shm", 500, 5'000, 500}, {"infiniband", 1'500, 10'000, 500}, {"ethernet", 30'000, 1'100, 4'000}}};

/// What advances a clock: the processor time that is used; or a fixed time for each call of the transport, which is the
/// same in every run.
enum class ClockKind : std::uint8_t { processor, steps };

struct VirtualTimeOptions {
  int ranks = 2;
  NetworkModel network = network_models[1];
  ClockKind clock = ClockKind::processor;
};

/// What became of one rank's time, in nanoseconds of its clock.
struct RankTimes {
  std::uint64_t end = 0;
  std::uint64_t busy = 0;  // its program ran
  std::uint64_t idle = 0;  // it slept; the rest went to handling batches
};

/// Runs `program` once on every rank; returns when all have ended. Throws what first left a rank's program, and
/// LoopbackError where all ranks wait for each other or batches are left that nobody received.
std::vector<RankTimes> run_in_virtual_time(const VirtualTimeOptions& options,
                                           const std::function<void(Transport&)>& program);

}  // namespace dcheck
