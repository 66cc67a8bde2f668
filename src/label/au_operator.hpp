#pragma once
// What AU does with the predecessors that a walk brings (row_walk.hpp): it counts.
//
// A counter starts as the number of the state's enabled transitions. Each arc into a state that joins takes one off
// its source, once; at zero the source joins as well. So a deadlock, which no arc leaves, never joins.

#include "label/counters.hpp"
#include "label/exists_operators.hpp"

namespace dcheck {

/// The number of successors of states.
template <typename Walk>
class SuccessorCounts {
 public:
  static constexpr int width = Walk::width;
  using Lanes = typename Walk::Lanes;
  using Counters = std::conditional_t<Walk::View::one_lane, PlainCounters, SlicedCounters<width>>;

  explicit SuccessorCounts(Walk& walk) : _walk(walk) {}

  /// Per open state: its enabled transitions. Where the graph is kept, or once there have been two, another is likely:
  /// then all states are counted, and the numbers kept.
  Counters count(const StateSet& open, const StateSet& reached) {
    const std::size_t bits = bits_of(reached);
    if (!_all && (++_times > 1 || _walk.graph() != nullptr) &&
        _walk.budget->has_room_for(8 * Counters::bytes(row_limit(), words(), bits)))
      _all = counted(reached, bits);
    if (!_all) return counted(open, bits);
    Counters counters = _spare ? std::move(*_spare) : Counters(row_limit(), words(), bits, _walk.budget);
    _spare.reset();
    counters.assign(*_all);
    return counters;
  }
  /// Those that nobody needs any more: their memory is used again.
  void give_back(Counters&& counters) {
    if (_all) _spare = std::move(counters);
  }

 private:
  std::uint64_t row_limit() const { return _walk.rows.row_limit(); }
  std::size_t words() const { return _walk.plan.words(); }

  Counters counted(const StateSet& states, std::size_t bits) {
    Counters counters(row_limit(), words(), bits, _walk.budget);
    std::vector<Lanes> planes;
    _walk.for_each_row([&](Row row) {
      const Lanes lanes = _walk.rows.get(states, row);
      if (!_walk.ops.any(lanes)) return;
      count_row(row, lanes, planes);
      counters.set(row, planes);
    });
    return counters;
  }

  void count_row(Row row, const Lanes& lanes, std::vector<Lanes>& planes) {
    planes.clear();
    _walk.read(row);
    _walk.for_each_left([&](const RowTransition& t) {
      Lanes enabled = lanes;
      keep_enabled(_walk.plan, t, _walk.working(), _walk.ops, enabled);
      count_up(_walk.ops, planes, enabled);
    });
  }

  /// Bits that hold the largest number of successors of any state of this rank. Looked up once, where guessing it
  /// from the number of transitions would waste memory.
  std::size_t bits_of(const StateSet& reached) {
    if (_bits != 0) return _bits;
    const std::size_t most = bit_width_of(_walk.plan.transitions().size());
    if (most <= (Walk::View::one_lane ? 8 : 3)) return _bits = most;
    std::size_t largest = 1;
    std::vector<Lanes> planes;
    _walk.for_each_row([&](Row row) {
      count_row(row, _walk.rows.get(reached, row), planes);
      largest = std::max(largest, planes.size());
    });
    return _bits = largest;
  }

  Walk& _walk;
  std::size_t _bits = 0;
  unsigned _times = 0;                   // that states were counted
  std::optional<Counters> _all, _spare;  // of all reachable states, and to be used again
};

template <typename Walk>
class AuOperator : public WalkJob<AuOperator<Walk>, Walk> {
 public:
  using Lanes = typename Walk::Lanes;
  static constexpr Merging merging = Merging::counting;
  static constexpr bool takes_breaks = true;
  static constexpr bool closes = true;

  AuOperator(Walk& over, SuccessorCounts<Walk>& successors, const StateSet& reached, const StateSet& lasts,
             StateSet& sat, const std::optional<StateRef>& until)
      : WalkJob<AuOperator<Walk>, Walk>(over),
        _successors(successors),
        _set(over, lasts, sat, until),
        _counters(successors.count(_set.open, reached)),
        _work(over.worklist_of(sat)) {
    this->is_done = _set.is_done_alone();
  }

  typename Walk::Work& worklist() { return *_work; }
  bool wants(Row row) const { return _set.has_open(row); }
  bool wants(Row row, const std::uint64_t* lanes, WordRange words) const { return _set.has_open(row, lanes, words); }
  bool is_full_here() const { return _set.is_full(); }

  void fetch(Row row) const {
    walk.rows.fetch(_set.open, row);
    _counters.fetch(row);
    _work->fetch(row);
  }
  void merge(Row row, const Lanes& lanes) {
    const Lanes fresh = notify(row, lanes);
    if (!walk.ops.any(fresh)) return;
    join(row, fresh);
    _work->add(row, fresh);
  }
  Lanes open_lanes(Row row) const { return walk.rows.get(_set.open, row); }
  /// Takes one off the counters of the open ones; returns those that are zero now.
  Lanes notify(Row row, Lanes lanes) {
    walk.ops.keep(lanes, open_lanes(row).word.data());
    return walk.ops.any(lanes) ? _counters.count_down(row, lanes) : lanes;
  }
  bool notify(Row row, Lane lane) { return walk.contains(_set.open, {row, lane}) && _counters.count_down(row, lane); }
  void join(Row row, const Lanes& lanes) {
    if (_set.join(row, lanes)) this->is_done = true;
  }
  /// Adds what has joined to the set, once.
  void close_set() {
    walk.sweeps = _work->sweeps();
    _set.close();
    _successors.give_back(std::move(_counters));
  }

 private:
  using WalkJob<AuOperator<Walk>, Walk>::walk;

  SuccessorCounts<Walk>& _successors;
  GrowingSet<Walk> _set;
  typename SuccessorCounts<Walk>::Counters _counters;
  std::unique_ptr<typename Walk::Work> _work;
};

}  // namespace dcheck
