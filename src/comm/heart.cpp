#include "comm/heart.hpp"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <utility>

#include "comm/reaper.hpp"
#include "comm/transport/local_transport.hpp"

namespace dcheck {

namespace {

using namespace std::chrono_literals;

// From the first who notices to the line that says so: all others look at least once in this time.
constexpr auto time_to_tell = 1500ms;
// From the first who notices to the end of a launcher that can still end: that takes a second or two.
constexpr double reaper_patience_seconds = 4.5;

/// Signals are for the thread that computes.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &_before);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &_before, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t _before{};
};

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

template <std::size_t N>
std::string text_of(const std::array<char, N>& characters) {
  return {characters.begin(), std::find(characters.begin(), characters.end(), '\0')};
}

}  // namespace

Heart::Heart(MPI_Comm comm, MpiTurns& mpi)
    : _comm(comm), _mpi(mpi), _rank(rank_in(comm)), _size(size_of(comm)), _pulse(_rank, _size), _alarm(_rank) {
  gethostname(_greeting.host.data(), _greeting.host.size() - 1);
  const WithoutSignals block;
  _thread = std::thread([this] { run(); });
}

Heart::~Heart() {
  stop();
}

void Heart::stop() {
  if (!_thread.joinable()) return;
  {
    const std::lock_guard lock(_mutex);
    _is_stopping = true;
  }
  _has_news.notify_one();
  _thread.join();
}

void Heart::set_limit(double seconds) {
  {
    const std::lock_guard lock(_mutex);
    _new_limit = seconds;
  }
  _has_news.notify_one();
}

void Heart::run() {
  std::unique_lock lock(_mutex);
  while (!_is_stopping) {
    if (const std::optional<double> limit = std::exchange(_new_limit, std::nullopt)) _pulse.set_limit(*limit);
    lock.unlock();
    {
      const std::lock_guard mpi(_mpi);
      listen();
      if (const std::optional<Silence> silence = _pulse.look(steady_ns())) raise(_rank, *silence);
      send_to_neighbours(Kind::beat);
    }
    if (_alarm.silence()) end_job();
    lock.lock();
    _has_news.wait_for(lock, std::chrono::nanoseconds(_pulse.interval_ns()),
                       [&] { return _is_stopping || _new_limit.has_value(); });
  }
}

void Heart::send(int to, Kind kind, const Message& message) {
  Outgoing& outgoing = _sending.emplace_back(Outgoing{message, MPI_REQUEST_NULL});
  MPI_Isend(&outgoing.message, sizeof(Message), MPI_BYTE, to, static_cast<int>(kind), _comm, &outgoing.request);
}

bool Heart::is_all_sent() {
  while (!_sending.empty()) {
    int is_done = 0;
    MPI_Test(&_sending.front().request, &is_done, MPI_STATUS_IGNORE);
    if (is_done == 0) return false;
    _sending.pop_front();
  }
  return true;
}

void Heart::send_to_neighbours(Kind kind) {
  // A neighbour that takes nothing will soon be lost: there is no need to pile it up.
  constexpr std::size_t most = 1000;
  if (!is_all_sent() && _sending.size() > most) return;
  for (const int to : _pulse.neighbours()) send(to, kind, _greeting);
}

void Heart::listen() {
  while (true) {
    int is_there = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, _comm, &is_there, &handle, &status);
    if (is_there == 0) return;
    Message message;
    MPI_Mrecv(&message, sizeof(Message), MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    const std::string host = text_of(message.host);
    switch (static_cast<Kind>(status.MPI_TAG)) {
      case Kind::beat:
        _pulse.hear(status.MPI_SOURCE, host);
        break;
      case Kind::goodbye:
        _pulse.release(status.MPI_SOURCE);
        break;
      case Kind::lost:
        raise(status.MPI_SOURCE, {message.by, message.rank, host, message.seconds});
        break;
    }
  }
}

void Heart::raise(int teller, const Silence& silence) {
  if (!_alarm.silence()) _has_reaper = leave_reaper(reaper_patience_seconds);
  if (!_alarm.raise(teller, silence)) return;
  Message message{silence.by, silence.rank, silence.seconds, {}};
  std::copy_n(silence.host.begin(), std::min(silence.host.size(), message.host.size() - 1), message.host.begin());
  for (int to = 0; to < _size; ++to)
    if (to != _rank) send(to, Kind::lost, message);
}

// The others, and what ends this process, may be there before any of this is done.
void Heart::end_job() {
  const auto deadline = std::chrono::steady_clock::now() + time_to_tell;
  while (std::chrono::steady_clock::now() < deadline) {
    if (const std::unique_lock mpi(_mpi, 50ms); mpi) listen();
    std::this_thread::sleep_for(50ms);
  }
  if (_alarm.is_mine_to_say()) {
    std::fprintf(stderr, "dcheck: %s\n", describe(*_alarm.silence()).c_str());
    if (const std::unique_lock mpi(_mpi, 500ms); mpi && _has_reaper) MPI_Abort(_comm, exit_code);
  }
  while (_has_reaper) pause();
  end_launcher_and_self(exit_code);
}

void Heart::close() {
  stop();
  const auto deadline = std::chrono::steady_clock::now() + 5s;
  const std::lock_guard mpi(_mpi);
  send_to_neighbours(Kind::goodbye);
  while ((!_pulse.are_all_released() || !is_all_sent()) && std::chrono::steady_clock::now() < deadline) {
    listen();
    std::this_thread::sleep_for(100us);
  }
}

}  // namespace dcheck
