#pragma once
// Which states satisfy which part of a formula: goes through a schedule, and keeps columns while something still needs
// them. Everything is collective, as in operators.hpp.
//
// All that is going on is data: the position in the schedule, the columns, the set that is growing in the step under
// way, what was decided. Where a limit ends a call, the same call can be made again and goes on from there.

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "dcheck/base/truth.hpp"
#include "dcheck/label/operators.hpp"
#include "dcheck/label/schedule.hpp"

namespace dcheck {

/// What is known about nodes of formulas.
struct LabelsSoFar {
  std::map<CoreId, bool> constants;  // all states satisfy the node, or none does
  std::map<CoreId, bool> decided;    // at the initial state
  std::map<CoreId, StateSet> columns;
  std::map<CoreId, StateSet> growing;  // states that satisfy an EU or AU, not all of them
  Truth all_return = Truth::unknown;   // whether every state leads back to the initial one
};

class Labelling {
 public:
  /// `keep_all`: every column of a wish stays until the wish is done. What is given must outlive the labelling.
  Labelling(const CorePool& pool, Operators& operators, const Net& net, std::span<const LabelWish> wishes,
            bool keep_all);

  /// Goes through the steps of a wish; those of all before it are done.
  void fulfil(std::size_t wish);
  /// The same for the wishes from `first` up to `last`, side by side: steps of one kind that do not depend on each
  /// other are one call of the operators. All their columns are there at once. Afterwards fulfil() finds nothing left
  /// to do.
  void fulfil_together(std::size_t first, std::size_t last);
  /// About how many columns that takes at most.
  std::size_t columns_for(std::size_t first, std::size_t last);

  /// After fulfil(): whether the initial state satisfies the wish's formula.
  bool holds_initially(CoreId root);

  /// The states that satisfy a node, which need not be part of any wish; valid until another set is asked for or, with
  /// `keep_all`, until the wish is done.
  const StateSet& sat(CoreId id);

  /// The wish is done: columns that no later one needs are given back.
  void finish(std::size_t wish);

  /// All that was worked out so far, and what grows in the step under way. It is true whatever else is asked about the
  /// same states, so a labelling that is given it does only the rest: between any two calls, and after one that a limit
  /// has ended.
  LabelsSoFar so_far() const;
  /// @pre Nothing was asked yet. The sets are those of the operators.
  void begin_with(LabelsSoFar&& known);

 private:
  /// Whether the step at hand may use up the columns that nobody reads after it.
  enum class Inputs : std::uint8_t { taken, copied };

  bool is_needed(const LabelStep& step);
  bool is_read(CoreId id) const;
  std::vector<LabelStep> next_atoms();
  bool is_fulfilled(const LabelWish& wish);
  // side_by_side.cpp
  std::vector<LabelStep> steps_left(std::size_t first, std::size_t last);
  void add_open_paths(CoreId id, std::set<CoreId>& paths);
  bool is_ready(const LabelStep& step) const;
  void give_back_unread(std::span<const LabelStep> left, std::size_t first);
  void make_some(std::span<const LabelStep> ready);
  void make_atoms(std::span<const LabelStep> steps);
  void make_nexts(std::span<const LabelStep> steps);
  void grow_together(std::span<const LabelStep> steps, CoreKind kind);

  void make_column(CoreId id, Inputs inputs);
  /// Keeps a set as the column of a node; only its name, where it has all states or none.
  void keep(CoreId id, StateSet&& set);
  bool is_there(CoreId id) const;
  /// Whether all states satisfy a node or none does, as far as that follows from what is known of its children.
  Truth known_of_all(CoreId id) const;
  Truth known_from_children(const CoreNode& node) const;
  StateSet with_successor();
  void decide(CoreId id);
  StateSet combined(const CoreNode& node, Inputs inputs);
  StateSet grown(CoreId id, Operators::Until until, Inputs inputs);
  StateSet taken_from_growing(CoreId id);
  bool leads_everywhere(CoreId id);
  bool some_successor(CoreId child);
  /// By what was worked out so far.
  Truth known_initially(CoreId id);

  const StateSet& column(CoreId id) const;
  StateSet start_with(CoreId child, Inputs inputs);
  void give_back(CoreId id);

  const CorePool& _pool;
  Operators& _operators;
  const Net& _net;
  std::vector<LabelWish> _wishes;
  LabelSchedule _schedule;
  bool _keep_all;
  StateSet _nothing;

  std::size_t _position = 0;            // in the schedule
  std::map<CoreId, StateSet> _columns;  // that were made
  std::map<CoreId, bool> _constants;    // instead of a column: all states satisfy the node, or none does
  std::map<CoreId, StateSet> _growing;  // in the step under way
  std::map<CoreId, bool> _decided;      // at the initial state
  std::size_t _searches_met = 0;        // EF whose sets were needed
  Truth _all_return = Truth::unknown;   // whether every state leads back to the initial one
};

}  // namespace dcheck
