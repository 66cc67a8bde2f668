#pragma once
// The states that were explored, as a value: made by explore(), walked by those who label or count states, as often as
// they like. Readers change nothing but caches and what they take from the budget.

#include <memory>

#include "dcheck/ranks/phase.hpp"
#include "dcheck/space/allocation.hpp"
#include "dcheck/space/explore_state.hpp"

namespace dcheck {

/// Rows, and the plan that tells what they mean. On several ranks: this rank's rows; plan and allocation are the same
/// on all.
class StateSpace {
  std::unique_ptr<MemoryBudget> _budget = std::make_unique<MemoryBudget>();  // before all that counts on it

 public:
  /// Nothing yet. Net and ranks must outlive the space.
  StateSpace(const Net& of, Ranks& on) : net(of), ranks(on) {}

  const Net& net;
  Ranks& ranks;
  std::unique_ptr<Plan> plan;  // null until exploration has begun
  Allocation allocation;       // of several ranks
  ExploreState state{_budget.get()};

  bool is_complete = false;  // all states that can be reached are here

  /// What all that belongs to the space may take, and what its readers take beside it.
  MemoryBudget& budget() const { return *_budget; }

  /// From now on rows belong to this plan and are owned by these classes, the same on all ranks.
  void allocate(const Plan& of, const OwnerClasses& classes);
  /// Whether the state's row is this rank's.
  bool owns(const Plan& under, std::span<const Tokens> marking) const;

  /// What a phase with records of this shape is.
  PhaseKind phase(const RecordShape& shape, Merging merging) const { return {shape, merging, _plan_number}; }

 private:
  std::uint32_t _plan_number = 0;  // of the layouts and allocations so far
};

}  // namespace dcheck
