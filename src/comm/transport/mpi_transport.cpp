#include "comm/transport/mpi_transport.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <mutex>
#include <thread>

#include "comm/reaper.hpp"
#include "comm/transport/local_transport.hpp"
#include "dcheck/base/narrow.hpp"

namespace dcheck {

namespace {

constexpr int batch_tag = 0;
constexpr std::size_t most_incoming = 8;

/// Collective.
int ranks_that_share_memory(MPI_Comm all) {
  MPI_Comm here = MPI_COMM_NULL;
  int count = 0;
  MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_size(here, &count);
  MPI_Comm_free(&here);
  return count;
}

void end_late(Rank rank, std::chrono::seconds patience) {
  std::this_thread::sleep_for(patience);
  if (rank == rank_0)
    std::fprintf(stderr, "dcheck: MPI did not end within %ld s of the last answer\n", long{patience.count()});
  end_launcher_and_self(Heart::exit_code);
}

}  // namespace

MpiSession::MpiSession()
    : environment(boost::mpi::threading::serialized, false),
      communicator(boost::mpi::communicator(), boost::mpi::comm_duplicate),
      for_heart(boost::mpi::communicator(), boost::mpi::comm_duplicate) {}

MpiTransport::MpiTransport(bool is_oversubscribed)
    : Transport(Rank{communicator.rank()}, communicator.size(), ranks_that_share_memory(communicator)),
      _comm(communicator),
      _is_oversubscribed(is_oversubscribed) {
  if (size() > 1 && boost::mpi::environment::thread_level() >= boost::mpi::threading::serialized)
    _heart = std::make_unique<Heart>(for_heart, _mpi);
}

MpiTransport::~MpiTransport() {
  // Closing MPI now would wait for ranks that wait for us.
  if (!_is_closed) abort_mpi(70);
  if (_heart) _heart->close();
  // What is left is MPI's own end. It waits for all ranks, and nobody listens to them any more.
  if (_heart && _time_to_close.count() > 0) std::thread(end_late, rank(), _time_to_close).detach();
}

void MpiTransport::set_dead_after(double seconds) {
  if (!_heart) return;
  _heart->set_limit(seconds);
  constexpr double least = 30, most = 1e9;
  _time_to_close = std::chrono::seconds(seconds > 0 ? std::lround(std::clamp(seconds, least, most)) : 0);
}

void MpiTransport::send(Rank to, Batch batch) {
  const std::lock_guard lock(_mpi);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Issend(batch.wire(), narrow<int>(batch.wire_words()), MPI_UINT64_T, static_cast<int>(to), batch_tag, _comm,
             &request);
  _requests.push_back(request);
  _sending.push_back(std::move(batch));
  _idle_since = 0;
}

std::size_t MpiTransport::unfinished() {
  if (_requests.empty()) return 0;
  const std::lock_guard lock(_mpi);
  int count = 0;
  _done.resize(_requests.size());
  MPI_Testsome(narrow<int>(_requests.size()), _requests.data(), &count, _done.data(), MPI_STATUSES_IGNORE);
  if (count <= 0) return _requests.size();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < _requests.size(); ++i) {
    if (_requests[i] == MPI_REQUEST_NULL) {
      _pool.give_back(std::move(_sending[i]));
      continue;
    }
    if (kept != i) {
      _requests[kept] = _requests[i];
      _sending[kept] = std::move(_sending[i]);
    }
    ++kept;
  }
  _requests.resize(kept);
  _sending.resize(kept);
  return kept;
}

void MpiTransport::match() {
  while (_incoming.size() < most_incoming) {
    int is_there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, batch_tag, _comm, &is_there, &message, &status);
    if (is_there == 0) return;
    int words = 0;
    MPI_Get_count(&status, MPI_UINT64_T, &words);
    const std::size_t payload = static_cast<std::size_t>(words) - Batch::header_words;
    Incoming& incoming =
        _incoming.emplace_back(Incoming{{Rank{status.MPI_SOURCE}, _pool.take(payload)}, MPI_REQUEST_NULL});
    incoming.arrival.batch.set_used(payload);
    MPI_Imrecv(incoming.arrival.batch.wire(), words, MPI_UINT64_T, &message, &incoming.request);
  }
}

bool MpiTransport::is_behind_another(std::size_t position) const {
  for (std::size_t i = 0; i < position; ++i)
    if (_incoming[i].arrival.from == _incoming[position].arrival.from) return true;
  return false;
}

std::optional<Arrival> MpiTransport::receive() {
  const std::lock_guard lock(_mpi);
  if (_incoming.empty()) match();
  for (std::size_t i = 0; i < _incoming.size(); ++i) {
    int is_done = 1;
    if (_incoming[i].request != MPI_REQUEST_NULL) MPI_Test(&_incoming[i].request, &is_done, MPI_STATUS_IGNORE);
    if (is_done == 0 || is_behind_another(i)) continue;
    std::optional<Arrival> arrival = std::move(_incoming[i].arrival);
    _incoming.erase(_incoming.begin() + static_cast<std::ptrdiff_t>(i));
    _idle_since = 0;
    return arrival;
  }
  if (!_incoming.empty()) match();
  return std::nullopt;
}

// First as quick as possible, then kind to the others. Yielding is kinder than short sleeps: each wake-up
// takes the core from a rank that has work (docs/decisions/0006).
void MpiTransport::idle() {
  constexpr std::uint64_t us = 1000, ms = 1000 * us;
  const std::uint64_t now = steady_ns();
  if (_idle_since == 0) _idle_since = now;
  const std::uint64_t waited = now - _idle_since;
  if (waited < 50 * us && !_is_oversubscribed) return;
  if (waited < 20 * ms) {
    sched_yield();
    return;
  }
  const timespec pause{0, static_cast<long>(ms)};
  nanosleep(&pause, nullptr);
}

std::uint64_t MpiTransport::now() {
  return steady_ns();
}

void MpiTransport::abort(const std::string& message, int exit_code) {
  std::fprintf(stderr, "dcheck: %s\n", message.c_str());
  abort_mpi(exit_code);
}

void MpiTransport::abort_mpi(int exit_code) {
  constexpr double patience_seconds = 4;
  const bool has_reaper = leave_reaper(patience_seconds);
  const std::lock_guard lock(_mpi);
  if (has_reaper) MPI_Abort(_comm, exit_code);
  end_launcher_and_self(exit_code);
}

}  // namespace dcheck
