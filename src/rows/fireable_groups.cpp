#include "dcheck/rows/fireable_groups.hpp"

#include <algorithm>

#include "dcheck/base/narrow.hpp"
#include "dcheck/rows/firing.hpp"

namespace dcheck {

std::uint32_t FireableGroups::add(std::vector<PlanTransition> transitions) {
  _is_asked = true;
  std::ranges::sort(transitions);
  transitions.erase(std::unique(transitions.begin(), transitions.end()), transitions.end());
  return _numbers.emplace(std::move(transitions), narrow<std::uint32_t>(_numbers.size())).first->second;
}

void FireableGroups::finish() {
  std::vector<std::vector<std::uint32_t>> groups_of(_plan.transitions().size());
  for (const auto& [transitions, number] : _numbers)
    for (const PlanTransition t : transitions) groups_of[index(t)].push_back(number);
  for (const std::vector<std::uint32_t>& groups : groups_of) {
    const auto begin = narrow<std::uint32_t>(_groups.size());
    _groups.insert(_groups.end(), groups.begin(), groups.end());
    _groups_of.push_back({begin, narrow<std::uint32_t>(_groups.size())});
  }
  _fireable.assign(_numbers.size() / 64 + 1, 0);
}

void FireableGroups::read(const std::uint64_t* working) {
  if (!_is_asked) return;
  const MaskOps<1> ops(1);
  std::ranges::fill(_fireable, 0);
  _is_deadlock = true;
  const auto groups_of = [&](const RowTransition& t) { return _groups_of[index(_plan.number_of(t))]; };
  const auto is_asked = [&](const RowTransition& t) { return _is_deadlock || groups_of(t).begin != groups_of(t).end; };
  for_each_left(_plan, working, is_asked, [&](const RowTransition& t) {
    const Range groups = groups_of(t);
    Mask<1> lane{{1}};
    keep_enabled(_plan, t, working, ops, lane);
    if (!ops.any(lane)) return;
    _is_deadlock = false;
    for (std::uint32_t i = groups.begin; i < groups.end; ++i)
      _fireable[_groups[i] / 64] |= std::uint64_t{1} << (_groups[i] % 64);
  });
}

}  // namespace dcheck
