#pragma once
// What ranks tell each other beside their work, whenever they happen to look for batches: that somebody asks the run to
// stop, and how they are getting on. Belongs to a Cluster. Nobody waits for such a note and nothing counts it: it may
// come in the middle of a phase or of a collective, or after what it is about.

#include <array>
#include <cstdint>
#include <vector>

#include "dcheck/base/stop_request.hpp"
#include "dcheck/comm/transport/transport.hpp"

namespace dcheck {

/// How a rank is getting on: numbers whose meaning is the program's.
using RankStatus = std::array<std::uint64_t, 8>;

class SideNotes {
 public:
  explicit SideNotes(int ranks) : _statuses(static_cast<std::size_t>(ranks)), _is_asked(_statuses.size(), false) {}

  /// From now on a request that reaches one rank reaches all of them. Null: it does not. It must outlive the notes.
  void share(StopRequest* request) { _request = request; }
  /// Tells all others, once, where somebody has asked this rank to stop.
  void pass_on(Transport& transport) {
    if (_request != nullptr && _request->signal() != 0 && !_has_told && !_is_closed) [[unlikely]]
      tell_all(transport);
  }

  /// What this rank answers when rank 0 asks.
  void set_status(const RankStatus& status) { _status = status; }
  /// Rank 0: asks those who have answered so far, so that one question per rank is open at most.
  void ask_all(Transport& transport);
  /// Rank 0: the last answer of each rank; zeros where there was none yet, and for itself.
  const std::vector<RankStatus>& statuses() const { return _statuses; }

  /// Takes a note that has come. @pre is_side_note of its kind.
  void take(const Arrival& arrival, Transport& transport);
  /// This rank sends nothing any more.
  void close() { _is_closed = true; }

 private:
  void tell_all(Transport& transport);

  StopRequest* _request = nullptr;
  bool _has_told = false, _is_closed = false;
  RankStatus _status{};
  std::vector<RankStatus> _statuses;
  std::vector<bool> _is_asked;  // and has not answered
};

}  // namespace dcheck
