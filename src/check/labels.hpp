#pragma once
// Which states satisfy which subformula: sets made on demand, kept while something still needs them. Everything is
// collective, as in phases.hpp.

#include <map>
#include <span>
#include <vector>

#include "check/phases.hpp"
#include "dcheck/ctl/core.hpp"

namespace dcheck {

class Labels {
 public:
  /// `roots`: the properties' formulas in the order in which they will be decided. With `keep_all`, every
  /// set of a property stays until the property is done. What is given must outlive the labels.
  Labels(const Net& net, const CorePool& pool, Phases& phases, std::vector<CoreId> roots, bool keep_all);

  /// The states that satisfy the formula; valid until another set is asked for or, with `keep_all`, until
  /// the property is done.
  const StateSet& sat(CoreId id);

  /// Whether the initial state satisfies it; works no further than that takes.
  bool holds_initially(CoreId id);

  /// The first property of those not yet done is done: sets that no later one needs are given back.
  void property_done();

 private:
  struct Use {
    std::vector<CoreId> parents;        // among the nodes below the roots
    std::size_t last_property_end = 0;  // 1 + the last property below which it stands; 0: none
  };

  void note_uses(CoreId id, std::size_t property);
  bool is_needed_later(CoreId id) const;  // by the property at hand or one after it
  bool is_still_needed(CoreId id) const;  // by something that has not been worked out yet
  bool is_needed_as_set(CoreId id) const;
  StateSet compute(CoreId id);
  StateSet take_or_copy(CoreId id);
  void give_back_unneeded(CoreId id);
  bool some_successor(CoreId id);
  bool decide_path(CoreId id);

  const Net& _net;
  const CorePool& _pool;
  Phases& _phases;
  std::vector<CoreId> _roots;
  bool _keep_all;
  std::size_t _done = 0;  // properties
  StateSet _nothing;
  std::map<CoreId, Use> _uses;
  std::map<CoreId, StateSet> _sets;
  std::map<CoreId, bool> _decided;  // at the initial state
  std::vector<bool> _is_finished;   // per node: it needs its children's sets no more
};

}  // namespace dcheck
