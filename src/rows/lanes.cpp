#include "dcheck/rows/lanes.hpp"

#include <algorithm>
#include <unordered_set>

namespace dcheck {

std::optional<std::uint32_t> LaneSpace::find(const LeafMarking& marking) const {
  const auto at = std::lower_bound(lanes.begin(), lanes.end(), marking);
  if (at == lanes.end() || *at != marking) return std::nullopt;
  return static_cast<std::uint32_t>(at - lanes.begin());
}

bool holds(const LeafAction::Test& test, const LeafMarking& leaf) {
  __int128 sum = 0;
  for (const auto& [position, weight] : test.terms) sum += static_cast<__int128>(weight) * leaf[position];
  return sum >= test.at_least;
}

namespace {

bool hold(const std::vector<LeafAction::Test>& tests, const LeafMarking& leaf) {
  return std::all_of(tests.begin(), tests.end(), [&](const auto& test) { return holds(test, leaf); });
}

struct LeafHash {
  std::size_t operator()(const LeafMarking& leaf) const {
    std::uint64_t hash = 0;
    for (const Tokens tokens : leaf) hash = (hash ^ static_cast<std::uint64_t>(tokens)) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32);
  }
};

/// An action with the cuts that it alone could break: those whose sum it makes smaller.
struct CutAction {
  const LeafAction* action;
  std::vector<const LeafAction::Test*> cuts;
};

std::vector<CutAction> with_cuts(const std::vector<LeafAction>& actions, const std::vector<LeafAction::Test>& cuts) {
  std::vector<CutAction> result;
  for (const LeafAction& action : actions) {
    result.push_back({&action, {}});
    for (const LeafAction::Test& cut : cuts) {
      __int128 change = 0;
      for (const auto& [position, weight] : cut.terms)
        change += static_cast<__int128>(weight) * action.effect[position];
      if (change < 0) result.back().cuts.push_back(&cut);
    }
  }
  return result;
}

/// The leaf after the action; none where it is not enabled, or no reachable marking looks like that.
std::optional<LeafMarking> after(const CutAction& move, const LeafMarking& from) {
  if (!hold(move.action->tests, from)) return std::nullopt;
  LeafMarking next = from;
  for (std::size_t i = 0; i < next.size(); ++i)
    if ((next[i] += move.action->effect[i]) < 0) return std::nullopt;
  for (const LeafAction::Test* cut : move.cuts)
    if (!holds(*cut, next)) return std::nullopt;
  return next;
}

}  // namespace

LaneSpace close_lanes(const std::vector<LeafMarking>& seeds, const std::vector<LeafAction>& actions,
                      const std::vector<LeafAction::Test>& cuts, std::size_t limit) {
  const std::vector<CutAction> moves = with_cuts(actions, cuts);
  std::unordered_set<LeafMarking, LeafHash> known(seeds.begin(), seeds.end());
  LaneSpace space;
  space.lanes.assign(known.begin(), known.end());
  space.closed = true;
  for (std::size_t at = 0; at < space.lanes.size() && space.closed; ++at) {
    for (const CutAction& move : moves) {
      auto next = after(move, space.lanes[at]);
      if (!next || known.contains(*next)) continue;
      if (known.size() >= limit) {
        space.closed = false;
        break;
      }
      known.insert(*next);
      space.lanes.push_back(std::move(*next));
    }
  }
  std::sort(space.lanes.begin(), space.lanes.end());
  return space;
}

LaneQuantity::LaneQuantity(std::vector<Tokens> values, std::size_t words)
    : _values(std::move(values)), _sorted(_values), _words(words) {
  std::sort(_sorted.begin(), _sorted.end());
  _sorted.erase(std::unique(_sorted.begin(), _sorted.end()), _sorted.end());
  const auto span = static_cast<std::uint64_t>(_sorted.back()) - static_cast<std::uint64_t>(_sorted.front());
  _direct = span < 4 * max_lanes;
  if (_direct) {
    const Tokens first = _sorted.front();
    _sorted.resize(static_cast<std::size_t>(span) + 1);
    for (std::size_t i = 0; i < _sorted.size(); ++i) _sorted[i] = first + static_cast<Tokens>(i);
  }
  _masks.assign((_sorted.size() + 1) * words, 0);
  for (std::size_t lane = 0; lane < _values.size(); ++lane)
    _masks[step(_values[lane]) * words + lane / 64] |= std::uint64_t{1} << (lane % 64);
  for (std::size_t s = _sorted.size(); s-- > 0;)  // who reaches a step reaches those below
    for (std::size_t w = 0; w < words; ++w) _masks[s * words + w] |= _masks[(s + 1) * words + w];
}

std::size_t LaneQuantity::step(Tokens threshold) const {
  if (threshold <= _sorted.front()) return 0;
  if (threshold > _sorted.back()) return _sorted.size();
  if (_direct) return static_cast<std::size_t>(threshold - _sorted.front());
  return static_cast<std::size_t>(std::lower_bound(_sorted.begin(), _sorted.end(), threshold) - _sorted.begin());
}

}  // namespace dcheck
