#pragma once
// Who owns which rows in a run: chosen before it begins, and evened out where the partitions turn out otherwise than
// expected. All calls are collective, and what they return is the same on all ranks. Alone they do nothing.
// See docs/decisions/0011.

#include <optional>
#include <string>

#include "dcheck/owners/class_sample.hpp"
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

  /// Chooses for a plan with nothing explored yet: rank 0 chooses the places on a sample of its own, all ranks sample
  /// the weights of the classes, rank 0 shares the classes out. `can_move`: rows can be moved later.
  void choose(const Plan& plan, bool can_move);

  /// This rank has so many rows, or so little room for more, that all should have a look at the partitions. Not
  /// collective.
  bool is_due(const StateSpace& space) const {
    const ExploreState& state = space.state;
    return _can_move &&
           (state.row_count() >= _next_look || (state.row_count() >= _next_shortage && state.is_short_of_memory()));
  }
  /// At a quiescent point, when there are many rows, or at the end. True: classes() have changed, and rows must move.
  bool even_out(const StateSpace& space, bool is_end);

 private:
  void choose_places(const Plan& plan);
  void share_out(const Plan& plan, const std::vector<std::uint64_t>& weights);
  /// When partitions are looked at: how far they may differ, in parts of their mean, depends on it.
  enum class Moment : std::uint8_t { meanwhile, shortage, end };
  static double tolerance_of(Moment moment);
  Moment moment_for(const ExploreState& state, bool is_end);
  bool are_uneven(const ExploreState& state, Moment moment);
  bool choose_again(const StateSpace& space, OwnerProposal otherwise);

  const AllocationChoice& _choice;
  Ranks& _ranks;
  Patience& _patience;
  OwnerClasses _classes;
  bool _can_move = false;
  std::uint64_t _next_look = _choice.look_after_rows;
  std::uint64_t _next_shortage = 0;  // rows of this rank before which a want of memory is no news
  // On rank 0.
  std::optional<ClassSample> _sample;
  std::vector<std::uint64_t> _expected;  // weights of classes; empty: nothing is expected
  std::string _why;
  std::size_t _evened_out = 0;
};

}  // namespace dcheck
