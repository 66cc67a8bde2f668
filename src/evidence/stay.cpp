// Paths that stay inside a set for ever: a lasso, or a path to a deadlock.

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <unordered_map>

#include "dcheck/evidence/witness.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_searched = 5000;  // states, before any path will do
constexpr std::size_t enough_to_ask = 256;   // successors, before it is asked which of them stay

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
std::optional<WitnessFinder::Walk> WitnessFinder::search_stay(const Marking& from, const StayTest& test) {
  struct Found {
    Marking marking;
    bool may_end = false;
    std::size_t parent = 0, depth = 0;
    Transition step{};
  };
  std::vector<Found> tree{{from, test({&from, 1})[0].may_end}};
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
  for (std::size_t at = 0; at < tree.size() && at < most_searched;) {
    // The successors of several states, of the first ones first: ends[i] is where those of the i-th end.
    Successors next;
    std::vector<std::size_t> ends;
    while (at + ends.size() < tree.size() && next.steps.size() < enough_to_ask) {
      Successors some = successors(tree[at + ends.size()].marking);
      next.steps.insert(next.steps.end(), some.steps.begin(), some.steps.end());
      std::move(some.markings.begin(), some.markings.end(), std::back_inserter(next.markings));
      ends.push_back(next.steps.size());
    }
    const std::vector<Stay> stays = test(next.markings);
    std::size_t i = 0;
    for (const std::size_t end : ends) {
      if (i == end || tree[at].may_end) return walk_to(at);
      for (; i < end; ++i) {
        if (!stays[i].stays) continue;
        const auto [known, is_new] = number.emplace(next.markings[i], tree.size());
        if (is_new) {
          tree.push_back({next.markings[i], stays[i].may_end, at, tree[at].depth + 1, next.steps[i]});
          continue;
        }
        std::size_t above = at;
        while (tree[above].depth > tree[known->second].depth) above = tree[above].parent;
        if (above != known->second) continue;
        Walk walk = walk_to(at);
        walk.steps.push_back(next.steps[i]);
        walk.markings.push_back(next.markings[i]);
        walk.is_lasso = true;
        walk.loop = tree[above].depth;
        return walk;
      }
      ++at;
    }
  }
  return std::nullopt;
}

WitnessFinder::Walk WitnessFinder::stay(const Marking& from, const StayTest& test) {
  if (auto short_one = search_stay(from, test)) return std::move(*short_one);
  Walk walk{{}, {from}};
  Numbers position{{from, 0}};
  bool may_end = false;  // not where it begins: the search would have seen that
  while (true) {
    const Successors next = successors(walk.markings.back());
    if (next.steps.empty() || may_end) return walk;
    const std::vector<Stay> stays = test(next.markings);
    const auto step = std::find_if(stays.begin(), stays.end(), [](const Stay& to) { return to.stays; });
    if (step == stays.end()) throw std::logic_error("a state cannot stay where it is known to be able to");
    const auto i = static_cast<std::size_t>(step - stays.begin());
    may_end = step->may_end;
    walk.steps.push_back(next.steps[i]);
    walk.markings.push_back(next.markings[i]);
    const auto [known, is_new] = position.emplace(next.markings[i], walk.steps.size());
    if (is_new) continue;
    walk.is_lasso = true;
    walk.loop = known->second;
    return walk;
  }
}

}  // namespace dcheck
