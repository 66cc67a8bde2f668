#pragma once
// What is known about the initial marking without labelling any state: by looking at it, at its successors,
// and at what a search has found.

#include <functional>
#include <map>

#include "dcheck/ctl/core.hpp"
#include "dcheck/explore/explore.hpp"

namespace dcheck {

enum class Truth : std::uint8_t { no, yes, unknown };

inline Truth truth_of(bool value) {
  return value ? Truth::yes : Truth::no;
}

class InitialTruth {
 public:
  InitialTruth(const CorePool& pool, const Net& net) : _pool(pool), _net(net) {}

  /// Has every EF of a predicate that decides the property looked for; goals keep their order.
  void look_for(CoreId root, SearchGoals& goals);

  /// What the search has found; `is_complete`: there is nothing else to be found.
  Truth of(CoreId id, const GoalState& found, bool is_complete) const;

 private:
  Truth at(CoreId id, std::span<const Tokens> marking, int steps_left) const;
  Truth some_successor(CoreId child, std::span<const Tokens> marking, int steps_left) const;

  const CorePool& _pool;
  const Net& _net;
  std::map<CoreId, std::size_t> _goals;      // by the node of the EF
  mutable std::map<CoreId, Truth> _initial;  // what looking at the initial marking told
  mutable std::size_t _firings_left = 0;
};

/// The truth of a boolean combination that its parts, as they are written, tell: simplification may know
/// more without being able to show it. leaf(formula) gives the truth of what is no combination.
Truth truth_of_parts(const Formula& formula, const std::function<Truth(const Formula&)>& leaf);

/// The marking after firing an enabled transition.
std::vector<Tokens> fire(const Net& net, Transition t, std::span<const Tokens> marking);

}  // namespace dcheck
