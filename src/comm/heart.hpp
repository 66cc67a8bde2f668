#pragma once
// Lets the neighbours of a rank hear from it, and ends the job where one of them has fallen silent (pulse.hpp): a link
// that is cut without a word, a process that is stopped, a machine that hangs. MPI would wait for ever.
//
// A thread of its own does it, so a rank that computes for minutes without a call of MPI, in a phase or outside, is
// heard all the same, and what is silent really is gone. The thread and the rank's own use MPI in turns, under one
// mutex.

#include <mpi.h>

#include <array>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "comm/pulse.hpp"
#include "comm/transport/mpi_turns.hpp"

namespace dcheck {

class Heart {
 public:
  /// How the job is ended: not a verdict, but nothing is wrong with dcheck either.
  static constexpr int exit_code = 3;

  /// `comm`: nobody else's. `mpi`: held for every call of MPI, and never while waiting for anybody.
  Heart(MPI_Comm comm, MpiTurns& mpi);
  ~Heart();
  Heart(const Heart&) = delete;
  Heart& operator=(const Heart&) = delete;

  void set_limit(double seconds);

  /// Stops without a word from here to anybody left under way. Waits a little for the neighbours to do the same.
  /// @pre All ranks are about to end well.
  void close();

 private:
  enum class Kind : int { beat, goodbye, lost };
  /// What is sent, all in one form: who it is about, and where.
  struct Message {
    int by = 0, rank = 0;
    double seconds = 0;
    std::array<char, 64> host{};
  };
  struct Outgoing {
    Message message;
    MPI_Request request;
  };

  void run();
  void stop();
  void send(int to, Kind kind, const Message& message);
  void send_to_neighbours(Kind kind);
  bool is_all_sent();
  void listen();
  void raise(int teller, const Silence& silence);
  [[noreturn]] void end_job();

  MPI_Comm _comm;
  MpiTurns::Urgent _mpi;
  int _rank = 0, _size = 1;
  Message _greeting;  // from this rank's machine
  std::deque<Outgoing> _sending;
  Pulse _pulse;
  Alarm _alarm;
  bool _has_reaper = false;

  std::mutex _mutex;  // of what the two threads share
  std::condition_variable _has_news;
  std::optional<double> _new_limit;
  bool _is_stopping = false;
  std::thread _thread;
};

}  // namespace dcheck
