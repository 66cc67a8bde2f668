#include "dcheck/engine/goals.hpp"

#include <algorithm>
#include <limits>

#include "dcheck/space/row_stream.hpp"
#include "engine/goal_watch.hpp"

namespace dcheck {

std::vector<Truth> Decision::truths(const GoalState& found, bool is_complete) const {
  std::vector<Truth> truth;
  truth.reserve(nodes.size());
  const auto of_child = [&](std::size_t child) { return truth[child]; };
  for (const Node& node : nodes) switch (node.kind) {
      case Kind::known:
        truth.push_back(node.known);
        break;
      case Kind::target: {
        const bool is_found = node.target < found.found.size() && found.found[node.target];
        truth.push_back(is_found ? Truth::yes : is_complete ? Truth::no : Truth::unknown);
        break;
      }
      case Kind::negation:
        truth.push_back(opposite(truth[node.children[0]]));
        break;
      case Kind::conjunction:
        truth.push_back(all_of(node.children, of_child));
        break;
      case Kind::disjunction:
        truth.push_back(any_of(node.children, of_child));
        break;
    }
  return truth;
}

void join_goals(const Ranks& ranks, GoalState& found) {
  if (ranks.is_alone()) return;
  // A rank that was stopped at once may have looked for nothing yet.
  std::uint64_t sizes[] = {found.found.size(), found.largest.size()};
  ranks.agree(sizes, Combine::max);
  found.found.resize(sizes[0], false);
  found.largest.resize(sizes[1]);
  found.is_known.resize(sizes[1], false);
  constexpr std::uint64_t offset = std::uint64_t{1} << 63;  // keeps the order of numbers, negative ones too
  std::vector<std::uint64_t> all(found.found.begin(), found.found.end());
  for (std::size_t i = 0; i < sizes[1]; ++i) {
    all.push_back(found.is_known[i] ? 1 : 0);
    all.push_back(found.largest[i] ? 1 : 0);
    all.push_back(static_cast<std::uint64_t>(found.largest[i].value_or(std::numeric_limits<Tokens>::min())) + offset);
  }
  if (all.empty()) return;
  ranks.agree(all, Combine::max);
  for (std::size_t i = 0; i < sizes[0]; ++i) found.found[i] = all[i] != 0;
  for (std::size_t i = 0; i < sizes[1]; ++i) {
    const std::uint64_t* const sum = all.data() + sizes[0] + 3 * i;
    found.is_known[i] = sum[0] != 0;
    if (sum[1] != 0) found.largest[i] = static_cast<Tokens>(sum[2] - offset);
  }
}

GoalState look_for_goals(const StateSpace& space, const SearchGoals& goals) {
  GoalState found;
  space.ranks.together([&] {
    const Plan& plan = *space.plan;
    GoalWatch watch(goals, plan, found, GoalWatch::Deadlocks::by_row);
    std::vector<std::uint64_t> working(plan.layout().working_words());
    RowSource(plan, space.state).for_each(Which::all, [&](const StreamedRow& row) {
      if (!watch.is_open()) return;
      plan.layout().decode(row.key, working.data());
      watch.see(working.data(), row.masks);
    });
  });
  join_goals(space.ranks, found);
  return found;
}

bool SearchGoals::is_enough(const GoalState& found) const {
  if (!may_end_early) return false;
  if (std::ranges::count(found.is_known, true) != static_cast<std::ptrdiff_t>(sums.size())) return false;
  const std::vector<Truth> truths = decision.truths(found, false);
  return std::ranges::all_of(questions, [&](std::size_t node) { return truths[node] != Truth::unknown; });
}

}  // namespace dcheck
