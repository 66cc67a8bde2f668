#pragma once
// Looks out for the goals of a search while rows go by. Goals that are met are no longer looked at, so
// on most runs this soon costs little.

#include "dcheck/engine/goals.hpp"
#include "dcheck/rows/row_sum.hpp"

namespace dcheck {

class GoalWatch {
 public:
  /// Where deadlocks are seen: whoever fires all transitions of a row knows, and calls see_deadlock(); or they are
  /// looked for in every row, as other predicates are.
  enum class Deadlocks : std::uint8_t { by_firing, by_row };

  /// Continues with what `state` has found before; all must outlive the watch.
  GoalWatch(const SearchGoals& goals, const Plan& plan, GoalState& state, Deadlocks deadlocks);
  /// From now on everything that is found is enough to ask others.
  void ask_others() { _asks_others = true; }

  bool is_open() const { return !_targets.empty() || !_sums.empty(); }
  bool is_enough() const { return _state.is_enough; }
  /// How many goals were met, by this watch.
  std::uint64_t met() const { return _met; }

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
  bool _asks_others = false;
  std::uint64_t _met = 0;
  std::vector<Target> _targets;
  std::vector<Sum> _sums;
  std::vector<std::size_t> _deadlocks;  // targets that ask for a deadlock and nothing else
};

}  // namespace dcheck
