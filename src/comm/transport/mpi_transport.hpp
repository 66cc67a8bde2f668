#pragma once
// Batches over MPI, each as one message on a communicator of our own.
//
// Sends are synchronous in MPI's sense (MPI_Issend): done when the receiver has matched them, which is
// what Transport means by unfinished. Messages are matched in the order in which they came (MPI_Improbe)
// and received without waiting; a few large ones may be under way at once, so that a sender that is not
// on a core holds up its own batches only.

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "comm/heart.hpp"
#include "comm/transport/batch_pool.hpp"
#include "comm/transport/mpi_turns.hpp"
#include "dcheck/comm/transport/transport.hpp"

namespace dcheck {

/// MPI from here to the destructor.
struct MpiSession {
  MpiSession();
  boost::mpi::environment environment;
  boost::mpi::communicator communicator;
  boost::mpi::communicator for_heart;
};

class MpiTransport final : private MpiSession, public Transport {
 public:
  /// @pre MPI was never begun in this process.
  explicit MpiTransport(bool is_oversubscribed);
  ~MpiTransport() override;

  void set_batch_words(std::size_t payload_words) override { _pool.set_usual(payload_words); }
  Batch take_batch(std::size_t payload_words) override { return _pool.take(payload_words); }
  void give_back(Batch batch) override { _pool.give_back(std::move(batch)); }
  void send(Rank to, Batch batch) override;
  std::optional<Arrival> receive() override;
  std::size_t unfinished() override;
  void idle() override;
  std::uint64_t now() override;
  void set_dead_after(double seconds) override;
  [[noreturn]] void abort(const std::string& message, int exit_code) override;
  void set_closed() override { _is_closed = true; }

 private:
  struct Incoming {
    Arrival arrival;
    MPI_Request request;
  };

  [[noreturn]] void abort_mpi(int exit_code);
  void match();
  bool is_behind_another(std::size_t position) const;

  MPI_Comm _comm;
  BatchPool _pool;
  std::vector<MPI_Request> _requests;  // of the batches in _sending, in the same order
  std::vector<Batch> _sending;
  std::vector<int> _done;
  std::deque<Incoming> _incoming;  // in the order in which they came
  bool _is_oversubscribed, _is_closed = false;
  std::uint64_t _idle_since = 0;             // of the first call in a row with nothing sent or received; 0: none
  MpiTurns _mpi;                             // held for calls of MPI
  std::chrono::seconds _time_to_close{300};  // 0: any
  std::unique_ptr<Heart> _heart;             // null where there is nobody to listen to
};

}  // namespace dcheck
