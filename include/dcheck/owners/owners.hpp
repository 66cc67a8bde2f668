#pragma once
// Who owns which rows in a run. It begins by hash, which is even and costs no thought. When the run has taken a while,
// owners by classes of a few places are looked for on the states that were found, and taken where they promise to be
// faster; where they turn out to leave ranks idle, finer ones are, and in the end hash again. All calls but is_due()
// are collective, and what they return is the same on all ranks. Alone they do nothing. See docs/decisions/0017.

#include <optional>
#include <string>

#include "dcheck/owners/class_sample.hpp"
#include "dcheck/owners/run_meter.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

class Owners {
 public:
  /// All must outlive it.
  Owners(const AllocationChoice& choice, Ranks& ranks, Patience& patience)
      : _choice(choice), _ranks(ranks), _patience(patience) {}

  const OwnerClasses& classes() const { return _classes; }
  /// One line for the user, on rank 0.
  std::string why() const;

  /// Owners for a plan with nothing explored yet. `can_move`: rows can be moved later.
  void begin(const Plan& plan, bool can_move);
  /// The exploration begins, or goes on, now.
  void note_start(const StateSpace& space) {
    if (!_ranks.is_alone()) _meter.begin(space);
  }

  /// This rank has worked for so long, or has so little room for more rows, that all should have a look. Not
  /// collective.
  bool is_due(const StateSpace& space) const;
  /// At a quiescent point. True: classes() have changed, and rows must move.
  bool look(const StateSpace& space);
  /// All is explored: what is done with the states from now on takes as long as the rank with most of them. True as
  /// above.
  bool look_at_end(const StateSpace& space);

 private:
  /// The share of arcs that cross by hash.
  double hash_cross() const { return 1 - 1.0 / _ranks.size(); }
  bool is_short(const ExploreState& state) const {
    return state.row_count() >= _next_shortage && state.is_short_of_memory();
  }
  void set_next_look(std::uint64_t elapsed_ns, std::uint64_t rows);
  bool has_room_to_move(const ExploreState& state);
  /// Even partitions of the classes there are.
  bool even_out(const StateSpace& space, double tolerance);
  /// Chooses classes, or hash, on what was found.
  bool choose(const StateSpace& space);
  void choose_classes(const Plan& plan, const ReachedMarkings& markings);
  /// Of all ranks.
  std::vector<std::uint64_t> rows_of_classes(const StateSpace& space);
  void take_hash(const std::string& why);

  const AllocationChoice& _choice;
  Ranks& _ranks;
  Patience& _patience;
  OwnerClasses _classes;
  bool _can_move = false;
  RunMeter _meter{_ranks};
  double _cross_cost = 0.5;                    // of an arc to another rank beside an arc, as measured at last
  std::uint64_t _next_rows = 0, _next_ns = 0;  // of this rank, and of exploring: when the next look is due
  std::uint64_t _next_shortage = 0;            // rows of this rank before which a want of memory is no news
  std::size_t _first_rung = 0, _rung = 0;      // the coarsest classes that may be tried, those in use
  // On rank 0.
  std::optional<ClassSample> _sample;
  std::string _why;
  std::size_t _moves = 0;
};

}  // namespace dcheck
