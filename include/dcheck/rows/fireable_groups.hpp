#pragma once
// What many predicates ask about transitions, answered together for one row: "is one of these fireable?", "is none?".
// The enabled transitions of a row are few and quickly found; asked one by one, hundreds would have to be tested. For
// plans with one lane.

#include <map>
#include <vector>

#include "dcheck/rows/plan.hpp"

namespace dcheck {

class FireableGroups {
 public:
  /// The plan must outlive the groups.
  explicit FireableGroups(const Plan& plan) : _plan(plan) {}

  /// The number of a group: of the same one where it was added before.
  std::uint32_t add(std::vector<PlanTransition> transitions);
  /// is_deadlock() will be asked.
  void add_deadlock() { _is_asked = true; }
  /// No group is added any more.
  void finish();

  /// Looks at the row with this key; the answers below are about it.
  void read(const std::uint64_t* working);
  bool is_fireable(std::uint32_t group) const { return (_fireable[group / 64] >> (group % 64) & 1) != 0; }
  bool is_deadlock() const { return _is_deadlock; }

 private:
  const Plan& _plan;
  std::map<std::vector<PlanTransition>, std::uint32_t> _numbers;
  std::vector<Range> _groups_of;         // per transition, into _groups
  std::vector<std::uint32_t> _groups;    // that it belongs to
  std::vector<std::uint64_t> _fireable;  // a bit per group
  bool _is_asked = false;
  bool _is_deadlock = false;
};

}  // namespace dcheck
