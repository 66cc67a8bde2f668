#pragma once
// All ranks of a run, as one of them sees it: collectives for what is sent once, and how a failure on
// one rank ends all of them. Built on a Transport's batches alone, so it is the same code under MPI and
// in the loopback, and a failure reaches a rank that waits in a collective as well.
//
// Collectives are called by all ranks in the same order, and between phases of an exchange, never inside
// one. Ranks that call different ones get std::logic_error. Every call here may throw RemoteFailure.
//
// Failure. A rank that cannot go on calls fail(). Rank 0 decides (the first failure it hears of) and tells
// all ranks, which leave by RemoteFailure at their next call here or in an exchange; fail() returns the
// same decision. Before that each rank says goodbye to all others and receives, unread, what is still
// under way until all have said goodbye, so that MPI can be closed in peace. Rank 0 prints the message
// before it destroys the transport (until then no rank has ended), and all ranks exit with the code.
// Ranks that do not come to a call within `patience_ns` are not waited for: Transport::abort ends the job.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "dcheck/comm/side_notes.hpp"
#include "dcheck/comm/transport/transport.hpp"

namespace dcheck {

struct Failure {
  Rank rank{};
  std::string message;
  int exit_code = 0;
};

/// The cluster ends because of a failure, here or elsewhere. Nothing may be called on it any more but
/// rank(), size() and fail().
class RemoteFailure : public std::runtime_error {
 public:
  explicit RemoteFailure(Failure why)
      : std::runtime_error("rank " + std::to_string(index(why.rank)) + ": " + why.message), failure(std::move(why)) {}
  Failure failure;
};

enum class Combine : std::uint8_t { sum, max, min };

class Cluster {
 public:
  static constexpr std::uint64_t patience_ns = 5'000'000'000;

  /// The transport must outlive the cluster.
  explicit Cluster(Transport& transport);

  Rank rank() const { return _transport->rank(); }
  int size() const { return _transport->size(); }
  FirstIds<Rank> all_ranks() const { return _transport->all_ranks(); }
  Transport& transport() { return *_transport; }

  /// From now on every batch that this rank sends is under way so much longer, to see what a slow network does. Other
  /// ranks decide for themselves. @pre Called once at most, before transport() is given to anybody.
  void set_delay(std::uint64_t delay_ns);

  /// Collective. Rank 0's bytes replace those of all others. Rank 0 does not wait for them.
  void broadcast(std::string& bytes);
  /// Collective. Rank 0 gets the bytes of all ranks in their order, others nothing. All wait for all.
  std::vector<std::string> gather(std::string bytes);
  /// Collective. Each value becomes the sum, maximum or minimum of all ranks' values at its place; all
  /// ranks give the same number of values (none: just a meeting). All wait for all. Sums are modulo 2^64.
  void agree(std::span<std::uint64_t> values, Combine how);

  /// What is told beside the work. All calls here, and those of an exchange, take and pass on what there is.
  SideNotes& notes() { return _notes; }
  /// For long work outside phases and collectives: takes what has come, so that side notes and failures are heard of.
  /// Not collective.
  void look();

  /// This rank cannot go on: ends all ranks (see above). Returns what was decided: this failure, or one
  /// that rank 0 heard of before. After RemoteFailure it returns the known one at once.
  Failure fail(const std::string& message, int exit_code);
  /// Collective, the last call: returns when nothing is under way between any two ranks.
  void close();

  // For Exchange.
  /// The number of the next phase. All ranks begin the same phases in the same order.
  std::uint32_t begin_phase() { return ++_phases; }
  /// The next batch of this phase that has come, if any. Those of later phases wait; requests to stop an
  /// earlier one are forgotten; anything else of an earlier one is std::logic_error.
  std::optional<Arrival> take(std::uint32_t phase);

 private:
  struct Cold {
    std::uint32_t number;
    std::string bytes;
  };

  /// Receives one batch, if one is there, and deals with it unless it belongs to a phase: that one is put
  /// into `for_phase`. False: nothing there.
  bool receive_one(std::optional<Arrival>& for_phase);
  void forget(Arrival arrival);
  void wait_until(const std::function<bool()>& is_done);
  void send_bytes(Rank to, BatchKind kind, std::uint32_t number, std::string_view bytes);
  void send_cold(Rank to, std::string_view bytes);
  std::string take_cold(Rank from);
  /// All give something to rank 0, it answers to all.
  std::string meet(std::string bytes, const std::function<std::string(std::vector<std::string>&)>& answer);

  /// Throws RemoteFailure after the farewell.
  [[noreturn]] void leave(Failure failure);
  void say_goodbye();
  bool is_farewell_over();
  void drain();

  Transport* _transport;
  std::unique_ptr<Transport> _delayed;  // in front of the one that was given
  std::uint32_t _phases = 0, _collectives = 0;
  SideNotes _notes;
  std::deque<Arrival> _early;
  std::vector<std::deque<Cold>> _cold;  // by sender
  std::optional<Failure> _failure;      // as rank 0 decided
  int _goodbyes = 0;
  bool _has_said_goodbye = false, _is_failure_known_elsewhere = false;
};

}  // namespace dcheck
