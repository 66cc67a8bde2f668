#pragma once
// How ranks exchange records in one phase after another. Owned by Ranks, driven by ranks/phase.hpp, all ranks in
// the same order of phases:
//
//   begin(...)                                    on every rank
//   loop: handle a piece of the worklist; for every record that another rank owns
//           write the key to record(to), then commit(to, ...)
//         poll() now and then
//         worklist empty: is_over(true) until it says true, or poll() or is_over() found new work
//
// Guarantees:
//   - Every lane committed is handled by its owner's handler in the same phase, once for each commit
//     where records count, at least once where they are idempotent; unless the phase is asked to drop.
//   - The handler gets whole batches, and only inside poll, is_over, record and commit of this rank: so a
//     store may be changed by a commit, and what points into it must be looked up again. The handler
//     never commits (std::logic_error).
//   - At most `max_in_flight` batches of this rank are on their way. A commit that must wait handles what
//     comes in meanwhile; since handling never sends, somebody always gets on: no deadlock.
//   - When is_over() says true, it does on all ranks, and nothing of the phase is left anywhere: buffers
//     are empty, nothing is under way. So after a pause, what a checkpoint needs is in the engine's own
//     lists.
// Throws RemoteFailure where another rank failed (cluster.hpp).
//
// Merging and suppression: records.hpp. Termination: token_ring.hpp.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "dcheck/comm/cluster.hpp"
#include "dcheck/comm/exchange/figures.hpp"
#include "dcheck/comm/exchange/outbox.hpp"
#include "dcheck/comm/exchange/records.hpp"
#include "dcheck/comm/exchange/sent_lanes.hpp"
#include "dcheck/comm/exchange/token_ring.hpp"

namespace dcheck {

class Packer;

struct ExchangeOptions {
  /// Of records in a buffer, before they are packed; it has room for one record at least.
  std::size_t buffer_bytes = std::size_t{32} << 10;
  /// A buffer older than this is sent by the next poll().
  std::uint64_t flush_after_ms = 10;
  /// For the memory of lanes that were sent.
  std::size_t cache_bytes = std::size_t{256} << 10;
  /// 0: two for every other rank, and four more.
  std::size_t max_in_flight = 0;
  // Not the exchange's own: what the program tells the transport (Transport::set_dead_after) and the cluster
  // (Cluster::set_delay) of each rank.
  /// A rank that is silent for so long ends the job; 0: never.
  double dead_after_seconds = 300;
  /// Every batch is under way so much longer.
  std::uint64_t delay_ms = 0;
};

class Exchange {
 public:
  using Handler = std::function<void(const Records&)>;

  /// The cluster must outlive the exchange.
  Exchange(Cluster& cluster, const ExchangeOptions& options);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  /// Begins the next phase. `plan`: the number of the plan that keys and lanes belong to; batches with
  /// another one are std::logic_error. @pre The phase before is over.
  void begin(const RecordShape& shape, Merging merging, std::uint32_t plan, Handler handler);

  /// Where to write the key of the next record for rank `to`, another rank. Valid until the commit, or
  /// until any other call: a record that is not wanted any more is just not committed.
  std::uint64_t* record(Rank to) {
    const Outbox& box = _boxes[index(to)];
    if (!box.is_open()) [[unlikely]]
      open(to);
    return box.end();
  }

  /// Completes the record written to record(to). `hash`: any hash of the key (linear is good enough; the
  /// key itself where it has one word); `mask`: the lanes, not needed where the phase has none. K, M: key
  /// and mask words where the compiler knows them. For phases without transitions.
  template <int K = any_words, int M = any_words>
  void commit(Rank to, std::uint64_t hash, const std::uint64_t* mask = nullptr);

  /// The same for phases with transitions.
  template <int K = any_words, int M = any_words>
  void commit(Rank to, std::uint64_t hash, std::uint32_t transition, const std::uint64_t* mask);

  /// Records and commits many keys of one word, each for its rank, in an idempotent phase without lanes. What the
  /// handler is given meanwhile must not change the arrays.
  void commit_words(const std::uint64_t* keys, const Rank* to, std::size_t count);

  /// Handles what has come and sends buffers that are too old. Cost: under a microsecond where there is
  /// nothing; but where ranks outnumber cores MPI then gives the core away, so call it every few hundred
  /// microseconds, not after every row. True where records were handled: there may be new work.
  bool poll();

  /// Whether the phase is over on all ranks. `is_passive`: the worklist is empty (or kept back, where the
  /// phase was asked to stop) and nothing waits anywhere else in the engine. Polls; sends all buffers
  /// where passive; takes part in the ring; gives the core away for a moment where nothing happens. So
  /// call it in a loop that looks at the worklist each time.
  bool is_over(bool is_passive);

  /// Asks all ranks to stop the phase early. May be called by any rank, at any time between begin() and
  /// the phase's end, not collectively. Each rank sees it in stop() soon, and should then keep back or
  /// drop its work and call is_over(true).
  void ask_to_stop(Stop stop);
  /// How the phase was asked to stop, as far as this rank knows. After is_over() said true: the same on all
  /// ranks; `none` then means that the phase is complete, whoever asked.
  Stop stop() const { return _stop; }

  const TrafficFigures& figures() const { return _figures; }

 private:
  enum class Cause : std::uint8_t { full, timeout, idle };
  // Odd numbers: products' highest bits depend on everything.
  static constexpr std::uint64_t spread = 0x9E3779B97F4A7C15U, other_spread = 0xD6E8FEB86659FD93U;

  void open(Rank to);
  void flush(Rank to, Cause cause);
  /// Sets the header of these records, and packs them where that makes them smaller.
  Batch seal(Batch batch, std::uint64_t records);
  /// Sends, for the given cause, what was opened at `until` or before.
  void flush_all(std::uint64_t until, Cause cause);
  void wait_for_room();
  /// Handles one batch of the phase, if one has come.
  bool take_one();
  void handle_records(Arrival& arrival);
  Batch unpacked(const Batch& batch);
  /// Handles what has come, but not for ever; true where there were records since the last call.
  bool handle_some();
  void pass_token();
  void send_note(Rank to, BatchKind kind, std::span<const std::uint64_t> words);
  void send_to_others(BatchKind kind, std::uint64_t word);
  void end_phase(Stop stop);
  [[noreturn]] static void refuse_overlap();
  [[noreturn]] static void refuse_commit();

  Cluster& _cluster;
  Transport& _transport;
  ExchangeOptions _options;
  std::uint64_t _flush_after_ns;

  RecordShape _shape;
  Merging _merging = Merging::none;
  std::uint32_t _phase = 0, _plan = 0;
  std::uint64_t _capacity = 1;  // of a buffer, in records
  Handler _handler;
  bool _is_running = false, _is_handling = false, _has_handled = false;
  Stop _stop = Stop::none, _asked = Stop::none;
  TokenRing _ring;
  std::vector<Outbox> _boxes;  // by destination
  SentLanes _sent;
  std::unique_ptr<Packer> _packer;
  std::uint64_t _now = 0;     // as of the last look at the clock
  std::uint64_t _oldest = 0;  // no box was opened before this
  TrafficFigures _figures;
};

template <int K, int M>
void Exchange::commit(Rank to, std::uint64_t hash, const std::uint64_t* mask) {
  Outbox& box = _boxes[index(to)];
  std::uint64_t* const record = box.end();
  const std::size_t masks = words_or<M>(_shape.mask_words);
  const std::uint64_t place = hash * spread;
  bool is_wanted = true;
  if (_merging == Merging::idempotent) {
    if (masks == 0) {
      is_wanted = _sent.add_key<K>(record, place);
      _figures.suppressed += is_wanted ? 0 : 1;
    } else {
      if (!_sent.add<K, M>(record, place, mask, record + words_or<K>(_shape.key_words))) {
        ++_figures.suppressed;
        return;
      }
      if (box.join<K, M>(place) != Outbox::Joined::no) {
        ++_figures.merged;
        return;
      }
    }
  } else {
    if (_shape.has_transition) refuse_commit();
    copy_words(record + words_or<K>(_shape.key_words), mask, masks);
  }
  box.append_if<K, M>(is_wanted, false);
  if (box.count() == _capacity) [[unlikely]]
    flush(to, Cause::full);
}

template <int K, int M>
void Exchange::commit(Rank to, std::uint64_t hash, std::uint32_t transition, const std::uint64_t* mask) {
  if (!_shape.has_transition) refuse_commit();
  Outbox& box = _boxes[index(to)];
  std::uint64_t* const after_key = box.end() + words_or<K>(_shape.key_words);
  *after_key = transition;
  copy_words(after_key + 1, mask, words_or<M>(_shape.mask_words));
  // Without masks there is nothing to join: a key and a transition are one arc.
  if (_merging == Merging::counting && words_or<M>(_shape.mask_words) != 0) {
    const auto joined = box.join < K == any_words ? any_words : K + 1,
               M > ((hash + transition * other_spread) * spread);
    if (joined != Outbox::Joined::no) {
      if (joined == Outbox::Joined::overlapping) refuse_overlap();
      ++_figures.merged;
      return;
    }
  }
  box.append_if<K, M>(true, true);
  if (box.count() == _capacity) [[unlikely]]
    flush(to, Cause::full);
}

}  // namespace dcheck
