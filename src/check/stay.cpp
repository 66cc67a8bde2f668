// Paths that stay inside a set for ever: a lasso, or a path to a deadlock.

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "check/witness.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_searched = 5000;  // states, before any path will do

struct MarkingHash {
  std::size_t operator()(const std::vector<Tokens>& marking) const {
    std::uint64_t hash = 0;
    for (const Tokens tokens : marking) hash = (hash ^ static_cast<std::uint64_t>(tokens)) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32);
  }
};
using Numbers = std::unordered_map<std::vector<Tokens>, std::size_t, MarkingHash>;

}  // namespace

/// Breadth-first, so that what is found is short; a tree of states, each with the step that led there.
std::optional<WitnessFinder::Walk> WitnessFinder::search_stay(const Marking& from, const MarkingTest& stays,
                                                              const MarkingTest& may_end) {
  struct Found {
    Marking marking;
    std::size_t parent = 0, depth = 0;
    Transition step{};
  };
  std::vector<Found> tree{{from}};
  Numbers number{{from, 0}};
  const auto walk_to = [&](std::size_t at) {
    Walk walk;
    for (; at != 0; at = tree[at].parent) {
      walk.steps.push_back(tree[at].step);
      walk.markings.push_back(tree[at].marking);
    }
    walk.markings.push_back(from);
    std::reverse(walk.steps.begin(), walk.steps.end());
    std::reverse(walk.markings.begin(), walk.markings.end());
    return walk;
  };
  for (std::size_t at = 0; at < tree.size() && at < most_searched; ++at) {
    const auto next = successors(tree[at].marking);
    if (next.empty() || may_end(tree[at].marking)) return walk_to(at);
    for (const auto& [t, marking] : next) {
      if (!stays(marking)) continue;
      const auto [known, is_new] = number.emplace(marking, tree.size());
      if (is_new) {
        tree.push_back({marking, at, tree[at].depth + 1, t});
        continue;
      }
      std::size_t above = at;
      while (tree[above].depth > tree[known->second].depth) above = tree[above].parent;
      if (above != known->second) continue;
      Walk walk = walk_to(at);
      walk.steps.push_back(t);
      walk.markings.push_back(marking);
      walk.is_lasso = true;
      walk.loop = tree[above].depth;
      return walk;
    }
  }
  return std::nullopt;
}

WitnessFinder::Walk WitnessFinder::stay(const Marking& from, const MarkingTest& stays, const MarkingTest& may_end) {
  if (auto short_one = search_stay(from, stays, may_end)) return std::move(*short_one);
  Walk walk{{}, {from}};
  Numbers position{{from, 0}};
  while (true) {
    const auto next = successors(walk.markings.back());
    if (next.empty() || may_end(walk.markings.back())) return walk;
    const auto step = std::find_if(next.begin(), next.end(), [&](const auto& s) { return stays(s.second); });
    if (step == next.end()) throw std::logic_error("a state cannot stay where it is known to be able to");
    walk.steps.push_back(step->first);
    walk.markings.push_back(step->second);
    const auto [known, is_new] = position.emplace(step->second, walk.steps.size());
    if (is_new) continue;
    walk.is_lasso = true;
    walk.loop = known->second;
    return walk;
  }
}

}  // namespace dcheck
