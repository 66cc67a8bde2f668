#pragma once
// Looks out for the goals of a search while rows go by. Goals that are met are no longer looked at, so
// on most runs this soon costs little.

#include "dcheck/explore/explore.hpp"
#include "dcheck/rows/row_sum.hpp"

namespace dcheck {

class GoalWatch {
 public:
  /// Continues with what `state` has found before. All three must outlive the watch.
  GoalWatch(const SearchGoals& goals, const Plan& plan, GoalState& state);

  bool is_open() const { return !_targets.empty() || !_sums.empty(); }
  bool is_enough() const { return _state.is_enough; }

  /// A row's key with the lanes that are handled now.
  void see(const std::uint64_t* working, const std::uint64_t* lanes);
  /// Some state without an enabled transition was met.
  void see_deadlock();

 private:
  struct Target {
    std::size_t goal;
    RowPredicate predicate;
  };
  struct Sum {
    std::size_t goal;
    std::optional<RowSum> linear;  // none: evaluated lane by lane
  };

  void look_at_sum(const Sum& sum, const std::uint64_t* working, const std::uint64_t* lanes);
  void raise(const Sum& sum, Tokens value);
  void ask();

  const SearchGoals& _goals;
  const Plan& _plan;
  GoalState& _state;
  std::vector<Target> _targets;
  std::vector<Sum> _sums;
  std::vector<std::size_t> _deadlocks;  // targets that ask for a deadlock and nothing else
};

}  // namespace dcheck
