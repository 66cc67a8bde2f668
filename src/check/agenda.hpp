#pragma once
// What is asked about a net, made ready: formulas as nodes, what the initial marking and its successors tell by
// themselves, and the goals of a search that may decide the rest. The same on all ranks.

#include <map>
#include <vector>

#include "dcheck/base/truth.hpp"
#include "dcheck/ctl/core.hpp"
#include "dcheck/explore/explore.hpp"
#include "dcheck/net/marking.hpp"

namespace dcheck {

class Agenda {
 public:
  /// `is_shown`: verdicts are to be shown by paths. All must outlive the agenda.
  Agenda(const Net& net, const Structure& structure, const std::vector<Property>& properties, bool is_shown);

  CorePool& pool() { return _pool; }
  /// The node of a property that is no upper bound.
  CoreId root(std::size_t property) const { return _roots[property]; }
  /// The number of an upper bound among the sums of the goals.
  std::size_t sum(std::size_t property) const { return _sums[property]; }

  /// What to look out for. They never say that it is enough unless the caller allows it.
  const SearchGoals& goals() const { return _goals; }

  /// What a search tells about a node in the initial marking; `is_complete`: there is nothing else to be found.
  Truth truth(CoreId id, const GoalState& found, bool is_complete);
  /// Whether what was found decides a property, in a way that can be shown if that is asked for.
  bool is_decided(std::size_t property, const GoalState& found, bool is_complete) const;

  /// Whether the states that a search has met before it stopped are enough to show the verdict.
  static bool is_shown_by_search(const Formula& formula);

 private:
  void look_for(CoreId id);
  void look_for_parts(const Formula& formula);
  std::size_t add(Decision::Node node);
  /// The node of the decision that tells about a node of the pool, or about a formula as it is written.
  std::size_t question(CoreId id);
  std::size_t question(const Formula& formula);

  Truth at(CoreId id, std::span<const Tokens> marking, int steps_left);
  Truth some_successor(CoreId child, std::span<const Tokens> marking, int steps_left);

  const Net& _net;
  CorePool _pool;
  std::vector<CoreId> _roots;           // per property
  std::vector<std::size_t> _sums;       // per property
  std::vector<std::size_t> _questions;  // per property that is no upper bound: its node of the decision
  SearchGoals _goals;
  std::map<CoreId, std::size_t> _targets;  // of the goals, by the node of the EF
  std::map<CoreId, std::size_t> _asked;    // nodes of the decision, by nodes of the pool
  std::size_t _firings_left = 0;
};

}  // namespace dcheck
