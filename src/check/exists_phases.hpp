#pragma once
// What EX, EU and distances do with the predecessors that a walk brings (row_walk.hpp). All are idempotent.

#include "check/phases.hpp"
#include "check/row_walk.hpp"

namespace dcheck {

/// Whether a phase's stop has joined: this rank's state, if it has one, is not among those that may join any more.
template <typename Walk>
bool has_joined(const Walk& walk, const std::optional<StateRef>& until, std::uint64_t row, const StateSet& open) {
  return until && row == until->row && !walk.contains(open, *until);
}

/// States that may still join: one set to look at instead of two, and one to change instead of `sat`.
template <typename Walk>
StateSet open_states(Walk& walk, const StateSet& lasts, const StateSet& sat) {
  StateSet open = walk.sets.copy_of(lasts);
  open.drop(sat);
  return open;
}
template <typename Walk>
void add_joined(Walk& walk, const StateSet& lasts, StateSet&& open, StateSet& sat) {
  open.complement(lasts);
  sat.add(open);
  walk.sets.give_back(std::move(open));
}

template <typename Walk>
struct ExPhase {
  using Lanes = typename Walk::Lanes;
  static constexpr Merging merging = Merging::idempotent;
  static constexpr bool closes = false, is_done = false;

  Walk& walk;
  const StateSet& reached;
  StateSet& out;

  void fetch(std::uint64_t row) const {
    walk.rows.fetch(reached, row);
    walk.rows.fetch(out, row);
  }
  void merge(std::uint64_t row, Lanes lanes) {
    walk.ops.keep(lanes, walk.rows.get(reached, row).word.data());
    walk.rows.add(out, row, lanes);
  }
};

template <typename Walk>
struct EuPhase {
  using Lanes = typename Walk::Lanes;
  static constexpr Merging merging = Merging::idempotent;
  static constexpr bool closes = true;

  Walk& walk;
  std::optional<StateRef> until;
  std::unique_ptr<typename Walk::Work> waiting;
  StateSet open;
  typename Walk::Work& work = *waiting;
  bool is_done = false;

  void fetch(std::uint64_t row) const {
    walk.rows.fetch(open, row);
    work.fetch(row);
  }
  void merge(std::uint64_t row, const Lanes& lanes) {
    const Lanes fresh = join(row, lanes);
    if (walk.ops.any(fresh)) work.add(row, fresh);
  }
  void close(std::uint64_t row, Lanes& lanes) {
    Lanes frontier = lanes;
    while (walk.ops.any(frontier)) {
      Lanes found = walk.ops.zero();
      for (const RowTransition* t : walk.inside()) walk.ops.join(found, walk.before(*t, frontier));
      frontier = join(row, found);
      walk.ops.join(lanes, frontier);
    }
  }

 private:
  Lanes join(std::uint64_t row, Lanes lanes) {
    walk.ops.keep(lanes, walk.rows.get(open, row).word.data());
    walk.rows.drop(open, row, lanes);
    if (has_joined(walk, until, row, open)) is_done = true;
    return lanes;
  }
};

/// One step backwards from a set: what is found joins `known`, and is looked at in the next step.
template <typename Walk>
struct StepPhase {
  using Lanes = typename Walk::Lanes;
  static constexpr Merging merging = Merging::idempotent;
  static constexpr bool closes = false, is_done = false;

  Walk& walk;
  const StateSet& lasts;
  StateSet& known;
  typename Walk::Work& next;
  bool& found;

  void fetch(std::uint64_t row) const {
    walk.rows.fetch(lasts, row);
    walk.rows.fetch(known, row);
    next.fetch(row);
  }
  void merge(std::uint64_t row, Lanes lanes) { join(row, lanes); }

 protected:
  /// Keeps the lanes that are new; false where there are none.
  bool join(std::uint64_t row, Lanes& lanes) {
    walk.ops.keep(lanes, walk.rows.get(lasts, row).word.data());
    walk.ops.drop(lanes, walk.rows.get(known, row).word.data());
    if (!walk.ops.any(lanes)) return false;
    found = true;
    walk.rows.add(known, row, lanes);
    next.add(row, lanes);
    return true;
  }
};

/// The same, and the states that are found are `level` steps away.
template <typename Walk>
struct LevelPhase : StepPhase<Walk> {
  using Lanes = typename Walk::Lanes;

  std::vector<StateSet>& bits;  // of distances
  std::uint64_t level;

  void merge(std::uint64_t row, Lanes lanes) {
    if (!this->join(row, lanes)) return;
    for (std::size_t b = 0; b < bits.size(); ++b)
      if ((level >> b & 1) != 0) this->walk.rows.add(bits[b], row, lanes);
  }
};

}  // namespace dcheck
