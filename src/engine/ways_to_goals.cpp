#include "dcheck/engine/ways_to_goals.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>
#include <utility>

#include "dcheck/net/marking.hpp"
#include "dcheck/rows/mask.hpp"

namespace dcheck {

namespace {

using Meets = std::function<bool(std::span<const Tokens>)>;

Lane lane_of(const Plan& plan, std::span<const Tokens> marking) {
  return plan.leaf().empty() ? Lane{} : *plan.lanes().find(plan.leaf_marking(marking));
}

/// Firings that stay inside of one row.
struct WayInRow {
  Marking from;
  std::vector<Transition> transitions = {};
};

/// From one of these lanes of a row to the next marking that meets something, breadth-first over its lanes.
WayInRow way_in_row(const Plan& plan, const std::uint64_t* key, const std::uint64_t* lanes, const Meets& meets) {
  struct Reached {
    Marking marking;
    std::size_t before;
    Transition by;
  };
  std::vector<Reached> reached;
  std::set<Marking> known;
  for_each_lane(lanes, plan.words(), [&](Lane lane) {
    const auto [at, is_new] = known.insert(plan.marking(key, lane));
    reached.push_back({*at, reached.size(), Transition{}});
  });
  for (std::size_t next = 0; next < reached.size(); ++next) {
    if (meets(reached[next].marking)) {
      WayInRow way;
      for (; reached[next].before != next; next = reached[next].before) way.transitions.push_back(reached[next].by);
      std::ranges::reverse(way.transitions);
      way.from = reached[next].marking;
      return way;
    }
    for (const RowTransition& t : plan.transitions()) {
      if (!t.stays || !plan.net().is_enabled(t.id, reached[next].marking)) continue;
      Marking after = fired(plan.net(), t.id, reached[next].marking);
      if (known.insert(after).second) reached.push_back({std::move(after), next, t.id});
    }
  }
  throw std::logic_error("a row on the way to a goal was not reached as it says");
}

/// Backwards from the last row: what was fired inside of a row, and before that the transition by which it was found.
std::vector<Transition> unfold(const Plan& plan, const LossyPath& path, const Meets& meets) {
  std::vector<Transition> backwards;
  std::vector<std::uint64_t> key = path.key;
  std::size_t step = path.transitions.size();
  WayInRow way = way_in_row(plan, key.data(), path.lanes.data() + step * plan.words(), meets);
  while (true) {
    backwards.insert(backwards.end(), way.transitions.rbegin(), way.transitions.rend());
    if (step == 0) break;
    const Transition by = plan.transition(path.transitions[--step]).id;
    backwards.push_back(by);
    unfire(plan.net(), by, way.from);
    way.transitions.clear();
    const std::uint64_t* const lanes = path.lanes.data() + step * plan.words();
    if (has_lane(lanes, lane_of(plan, way.from))) continue;
    key = plan.stored_key(way.from);
    way = way_in_row(plan, key.data(), lanes, [wanted = way.from](std::span<const Tokens> marking) {
      return std::ranges::equal(marking, wanted);
    });
  }
  std::ranges::reverse(backwards);
  return backwards;
}

Way replayed(const Net& net, const std::vector<Transition>& transitions, const Meets& meets) {
  Way way;
  Marking marking(net.initial().begin(), net.initial().end());
  for (const Transition t : transitions) {
    if (!net.is_enabled(t, marking)) throw std::logic_error("the way to a goal cannot be fired");
    marking = fired(net, t, std::move(marking));
    way.push_back(static_cast<std::uint32_t>(index(t)));
  }
  if (!meets(marking)) throw std::logic_error("the way to a goal ends elsewhere");
  return way;
}

}  // namespace

std::vector<Way> ways_to_goals(StateSpace& space, const SearchGoals& goals) {
  std::vector<Way> ways;
  const Net& net = space.net;
  for (const LossyPath& path : space.state.lossy->paths()) {
    const auto add = [&](const Meets& meets) {
      ways.push_back(replayed(net, unfold(*space.plan, path, meets), meets));
    };
    for (const std::size_t target : path.targets)
      add([&](std::span<const Tokens> marking) { return evaluate(goals.targets[target], net, marking); });
    for (const std::size_t sum : path.sums)
      add([&](std::span<const Tokens> marking) {
        return evaluate_number(goals.sums[sum], marking) >= *goals.sum_limits[sum];
      });
  }
  space.state.lossy->paths().clear();
  return ways;
}

}  // namespace dcheck
