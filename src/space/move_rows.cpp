#include "dcheck/space/move_rows.hpp"

#include <algorithm>

#include "dcheck/space/fresh_state.hpp"
#include "dcheck/space/row_stream.hpp"

namespace dcheck {

namespace {

/// Rows that came, kept until all of this rank's own were sent.
class ReceivedRows {
 public:
  ReceivedRows(std::size_t key_words, std::size_t mask_words, bool has_lanes)
      : _key_words(key_words), _mask_words(mask_words), _has_lanes(has_lanes) {}

  void add(const Records& records) {
    if (_has_lanes) {
      _words.insert(_words.end(), records.words, records.words + records.count * records.shape.words());
      return;
    }
    for (std::size_t i = 0; i < records.count; ++i) {
      _words.insert(_words.end(), records.key(i), records.key(i) + _key_words);
      _is_waiting.push_back(records.mask(i)[1] != 0);
    }
  }
  std::uint64_t size() const {
    return _has_lanes ? _words.size() / (_key_words + _mask_words) : _words.size() / _key_words;
  }
  /// visit(row) for those that wait, or for those that do not.
  template <typename Visit>
  void for_each(bool is_waiting, Visit&& visit) const {
    for (std::size_t i = 0; i < size(); ++i) {
      if (!_has_lanes) {
        const std::uint64_t masks[] = {1, _is_waiting[i] ? 1U : 0U};
        if (_is_waiting[i] == is_waiting) visit(StreamedRow{_words.data() + i * _key_words, masks});
        continue;
      }
      const std::uint64_t* const key = _words.data() + i * (_key_words + _mask_words);
      const std::uint64_t* const masks = key + _key_words;
      if ((lanes_in(masks + _mask_words / 2, _mask_words / 2) != 0) == is_waiting) visit(StreamedRow{key, masks});
    }
  }

 private:
  std::size_t _key_words, _mask_words;
  bool _has_lanes;                    // otherwise a bit is all there is to keep beside the key
  std::vector<std::uint64_t> _words;  // keys, with lanes as they came
  std::vector<bool> _is_waiting;      // one lane: by key
};

/// The job of a phase: this rank's part in the move.
class Move {
 public:
  Move(StateSpace& space, const RecordShape& shape)
      : _space(space), _shape(shape), _received(shape.key_words, shape.mask_words, !space.plan->leaf().empty()) {}

  /// Sends what is no longer this rank's. A table of slots shrinks where it is.
  void begin() {
    if (_space.state.slots)
      take_out_slots();
    else
      RowSource(*_space.plan, _space.state).for_each(Which::all, [&](const StreamedRow& row) { is_own(row, true); });
  }
  static bool handle(std::uint64_t) { return false; }
  static Stop wanted(bool) { return Stop::none; }
  void receive(const Records& records) { _received.add(records); }
  void hand_over(Stop) {}

  void finish(Stop) {
    if (_space.state.slots) return add_received(_space.state);
    ExploreState& old = _space.state;
    ExploreState next = fresh_state(*_space.plan, old.choice, old.budget);
    carry_knowledge(old, next);
    add_received(next);
    old = std::move(next);
  }

 private:
  /// Whether the row stays here; sends it where it does not and `is_sending` says so.
  bool is_own(const StreamedRow& row, bool is_sending) {
    const Allocation& allocation = _space.allocation;
    const Rank owner = allocation.owner(allocation.sum(row.key));
    if (owner == _space.ranks.rank()) return true;
    if (!is_sending) return false;
    Exchange& exchange = _space.ranks.exchange();
    std::copy_n(row.key, _shape.key_words, exchange.record(owner));
    exchange.commit(owner, 0, row.masks);
    return false;
  }

  void take_out_slots() {
    _space.state.slots->keep_if([&](std::uint64_t key, bool is_waiting) {
      const std::uint64_t masks[] = {1, is_waiting ? 1U : 0U};
      const bool is_kept = is_own({&key, masks}, true);
      if (!is_kept) --_space.state.counts.states;
      return is_kept;
    });
  }

  /// Rows that wait come after all others, as they must in a queue.
  void add_received(ExploreState& to) {
    RowSink sink(*_space.plan, to);
    sink.expect(_received.size());
    const auto add = [&](const StreamedRow& row) { sink.add(row); };
    for (const Which which : {Which::handled, Which::waiting}) {
      if (!_space.state.slots)
        RowSource(*_space.plan, _space.state).for_each(which, [&](const StreamedRow& row) {
          if (is_own(row, false)) sink.add(row);
        });
      _received.for_each(which == Which::waiting, add);
    }
    sink.finish();
  }

  StateSpace& _space;
  RecordShape _shape;
  ReceivedRows _received;
};

}  // namespace

void move_rows(StateSpace& space) {
  const RecordShape shape{space.plan->layout().stored_words(), 2 * space.plan->words(), false};
  run_phase(space.ranks, space.phase(shape, Merging::none), 1, [&] { return Move(space, shape); });
}

}  // namespace dcheck
