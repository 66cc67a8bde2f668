#pragma once
// What EX, EU and distances do with the predecessors that a walk brings (row_walk.hpp). All are idempotent.

#include <utility>

#include "dcheck/label/operators.hpp"
#include "dcheck/walk/walk_job.hpp"

namespace dcheck {

/// The states that join a growing set. `open` holds those that may still join: one set to look at instead of two, and
/// one to change instead of the set itself.
template <typename Walk>
class GrowingSet {
 public:
  using Lanes = typename Walk::Lanes;

  /// `sat` grows by states of `lasts`; once `until` has joined, if this rank has it, nobody needs the rest.
  GrowingSet(Walk& walk, const StateSet& lasts, StateSet& sat, const std::optional<StateRef>& until)
      : _walk(walk), _lasts(lasts), _sat(sat), _until(until), open(walk.sets.some_set()) {
    _left = open.become_difference(lasts, sat);
    if constexpr (!Walk::View::one_lane) {
      _open_rows.assign(walk.rows.row_limit() / 64 + 1, 0);
      for (const Row row : FirstIds<Row>(walk.rows.row_limit()))
        if (walk.ops.any(walk.rows.get(open, row))) mark(row);
    }
  }

  /// These lanes, which were open, join. True where nobody needs the rest.
  bool join(Row row, const Lanes& lanes) {
    _walk.rows.drop(open, row, lanes);
    _left -= _walk.ops.size(lanes);
    if constexpr (!Walk::View::one_lane)
      if (!_walk.ops.any(_walk.rows.get(open, row))) unmark(row);
    return is_done_alone() || (_until && row == _until->row && !_walk.contains(open, *_until));
  }
  /// Whether some lane of a row is open, or some of these lanes in these words.
  bool has_open(Row row) const {
    if constexpr (Walk::View::one_lane)
      return _walk.ops.any(_walk.rows.get(open, row));
    else
      return (_open_rows[index(row) / 64] >> (index(row) % 64) & 1) != 0;
  }
  bool has_open(Row row, const std::uint64_t* lanes, WordRange words) const {
    if constexpr (Walk::View::one_lane) {
      return has_open(row);
    } else {
      const std::uint64_t* const of_row = _walk.rows.words(open, row);
      std::uint64_t some = 0;
      for (std::size_t w = words.begin; w < words.end; ++w) some |= of_row[w] & lanes[w];
      return some != 0;
    }
  }
  /// No state of this rank is open.
  bool is_full() const { return _left == 0; }
  /// The same, where there is no other rank.
  bool is_done_alone() const { return is_full() && _walk.is_alone(); }
  /// Adds all that has joined to the set, once.
  void close() {
    _sat.add_difference(_lasts, open);
    _walk.sets.give_back(std::move(open));
  }

 private:
  Walk& _walk;
  const StateSet& _lasts;
  StateSet& _sat;
  std::optional<StateRef> _until;
  void mark(Row row) { _open_rows[index(row) / 64] |= std::uint64_t{1} << (index(row) % 64); }
  void unmark(Row row) { _open_rows[index(row) / 64] &= ~(std::uint64_t{1} << (index(row) % 64)); }

  std::uint64_t _left = 0;                // states of this rank that are open
  std::vector<std::uint64_t> _open_rows;  // a bit per row with many lanes: some of them are open

 public:
  StateSet open;
};

/// One pass over all rows; it is not interrupted, but may end with a ResourceError.
template <typename Walk>
class ExOperator : public WalkJob<ExOperator<Walk>, Walk> {
 public:
  using Lanes = typename Walk::Lanes;
  static constexpr Merging merging = Merging::idempotent;
  static constexpr bool closes = false;

  ExOperator(Walk& over, const StateSet& reached, const StateSet& target, StateSet& out)
      : WalkJob<ExOperator<Walk>, Walk>(over), _reached(reached), _target(target), _out(out) {}

  bool handle(std::uint64_t) {
    if (!std::exchange(_is_through, true)) {
      const auto enter = [&](Row row) {
        const Lanes lanes = walk.rows.get(_target, row);
        if (walk.ops.any(lanes)) walk.enter(row, lanes, *this);
      };
      walk.for_each_row(enter, [&] { walk.look_around(); });
    }
    return walk.flush(*this);
  }
  Stop wanted(bool) const { return Stop::none; }

  using WalkJob<ExOperator<Walk>, Walk>::wants;
  bool wants(Row row, const std::uint64_t* lanes, WordRange words) const {
    if constexpr (Walk::View::one_lane) {
      return true;
    } else {
      const std::uint64_t* const reached = walk.rows.words(_reached, row);
      const std::uint64_t* const out = walk.rows.words(_out, row);
      std::uint64_t some = 0;
      for (std::size_t w = words.begin; w < words.end; ++w) some |= reached[w] & ~out[w] & lanes[w];
      return some != 0;
    }
  }
  void fetch(Row row) const {
    walk.rows.fetch(_reached, row);
    walk.rows.fetch(_out, row);
  }
  void merge(Row row, Lanes lanes) {
    walk.ops.keep(lanes, walk.rows.get(_reached, row).word.data());
    walk.rows.add(_out, row, lanes);
  }

 private:
  using WalkJob<ExOperator<Walk>, Walk>::walk;
  const StateSet& _reached;
  const StateSet& _target;
  StateSet& _out;
  bool _is_through = false;
};

template <typename Walk>
class EuOperator : public WalkJob<EuOperator<Walk>, Walk> {
 public:
  using Lanes = typename Walk::Lanes;
  static constexpr Merging merging = Merging::idempotent;
  static constexpr bool takes_breaks = true;
  static constexpr bool closes = true;

  EuOperator(Walk& over, const StateSet& lasts, StateSet& sat, const std::optional<StateRef>& until)
      : WalkJob<EuOperator<Walk>, Walk>(over), _work(over.worklist_of(sat)), _set(over, lasts, sat, until) {
    this->is_done = _set.is_done_alone();
  }

  typename Walk::Work& worklist() { return *_work; }
  bool wants(Row row) const { return _set.has_open(row); }
  bool wants(Row row, const std::uint64_t* lanes, WordRange words) const { return _set.has_open(row, lanes, words); }
  bool is_full_here() const { return _set.is_full(); }

  void fetch(Row row) const {
    walk.rows.fetch(_set.open, row);
    _work->fetch(row);
  }
  void merge(Row row, const Lanes& lanes) {
    const Lanes fresh = notify(row, lanes);
    if (!walk.ops.any(fresh)) return;
    join(row, fresh);
    _work->add(row, fresh);
  }
  Lanes open_lanes(Row row) const { return walk.rows.get(_set.open, row); }
  Lanes notify(Row row, Lanes lanes) const {
    walk.ops.keep(lanes, open_lanes(row).word.data());
    return lanes;
  }
  bool notify(Row row, Lane lane) const { return walk.contains(_set.open, {row, lane}); }
  void join(Row row, const Lanes& lanes) {
    if (_set.join(row, lanes)) this->is_done = true;
  }
  /// Adds what has joined to the set, once.
  void close_set() {
    walk.sweeps = _work->sweeps();
    _set.close();
  }

 private:
  using WalkJob<EuOperator<Walk>, Walk>::walk;

  std::unique_ptr<typename Walk::Work> _work;
  GrowingSet<Walk> _set;
};

/// One step backwards from a set: what is found joins `known`, and is looked at in the next step.
template <typename Walk>
class StepOperator : public WalkJob<StepOperator<Walk>, Walk> {
 public:
  using Lanes = typename Walk::Lanes;
  using Work = typename Walk::Work;
  static constexpr Merging merging = Merging::idempotent;
  static constexpr bool closes = false;

  /// `level`: where given, the states that are found are so many steps away.
  struct Distance {
    std::vector<StateSet>* bits = nullptr;
    std::uint64_t level = 0;
  };
  StepOperator(Walk& over, const StateSet& lasts, StateSet& known, Work& work, Work& next, Distance distance)
      : WalkJob<StepOperator<Walk>, Walk>(over),
        _lasts(lasts),
        _known(known),
        _work(work),
        _next(next),
        _distance(distance) {}

  Work& worklist() { return _work; }
  bool has_found() const { return _has_found; }

  void fetch(Row row) const {
    walk.rows.fetch(_lasts, row);
    walk.rows.fetch(_known, row);
    _next.fetch(row);
  }
  /// Keeps the lanes that are new.
  void merge(Row row, Lanes lanes) {
    walk.ops.keep(lanes, walk.rows.get(_lasts, row).word.data());
    walk.ops.drop(lanes, walk.rows.get(_known, row).word.data());
    if (!walk.ops.any(lanes)) return;
    _has_found = true;
    walk.rows.add(_known, row, lanes);
    _next.add(row, lanes);
    if (_distance.bits == nullptr) return;
    for (std::size_t b = 0; b < _distance.bits->size(); ++b)
      if ((_distance.level >> b & 1) != 0) walk.rows.add((*_distance.bits)[b], row, lanes);
  }

 private:
  using WalkJob<StepOperator<Walk>, Walk>::walk;
  const StateSet& _lasts;
  StateSet& _known;
  Work& _work;
  Work& _next;
  Distance _distance;
  bool _has_found = false;
};

}  // namespace dcheck
