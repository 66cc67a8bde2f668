#pragma once
// What to look out for while exploring, and when enough of it was found: plain data.

#include <optional>
#include <vector>

#include "dcheck/base/truth.hpp"
#include "dcheck/net/expression.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

/// How what a search finds decides questions: boolean combinations of its targets and of what is known beforehand.
struct Decision {
  enum class Kind : std::uint8_t { known, target, negation, conjunction, disjunction };
  struct Node {
    Kind kind = Kind::known;
    Truth known = Truth::unknown;            // where it is known
    std::size_t target = 0;                  // where it is one
    std::vector<std::size_t> children = {};  // nodes that stand before this one
  };
  std::vector<Node> nodes;

  /// Per node, by what was found so far. Once the search is complete, what was not found is not there.
  std::vector<Truth> truths(const GoalState& found, bool is_complete) const;
};

struct SearchGoals {
  std::vector<Expression> targets;  // state predicates: is some reachable state one of theirs?
  std::vector<Expression> sums;     // arithmetic: what is the largest reachable value?
  /// Per sum, what it cannot exceed: once it is met, the sum is known.
  std::vector<std::optional<Tokens>> sum_limits;

  /// Whether the search may end before all states are there: when all questions are decided and all sums are known.
  bool may_end_early = false;
  Decision decision;
  std::vector<std::size_t> questions;  // nodes of the decision

  /// Whether the search may end now.
  bool is_enough(const GoalState& found) const;
};

/// Collective: what all ranks have found together, the same on all.
void join_goals(const Ranks& ranks, GoalState& found);

/// Collective: what there is of the goals in a space that was explored without them.
GoalState look_for_goals(const StateSpace& space, const SearchGoals& goals);

}  // namespace dcheck
