#include "dcheck/rows/lanes.hpp"

#include <algorithm>
#include <set>

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
}  // namespace

LaneSpace close_lanes(const std::vector<LeafMarking>& seeds, const std::vector<LeafAction>& actions,
                      const std::vector<LeafAction::Test>& cuts, std::size_t limit) {
  std::set<LeafMarking> known(seeds.begin(), seeds.end());
  std::vector<LeafMarking> open(known.begin(), known.end());
  LaneSpace space;
  space.closed = true;
  for (std::size_t at = 0; at < open.size() && space.closed; ++at) {
    for (const LeafAction& action : actions) {
      if (!hold(action.tests, open[at])) continue;
      LeafMarking next = open[at];
      for (std::size_t i = 0; i < next.size(); ++i) next[i] += action.effect[i];
      const bool possible = std::all_of(next.begin(), next.end(), [](Tokens n) { return n >= 0; }) && hold(cuts, next);
      if (!possible || known.contains(next)) continue;
      if (known.size() >= limit) {
        space.closed = false;
        break;
      }
      known.insert(next);
      open.push_back(std::move(next));
    }
  }
  space.lanes.assign(known.begin(), known.end());
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
  for (std::size_t s = 0; s < _sorted.size(); ++s)
    for (std::size_t lane = 0; lane < _values.size(); ++lane)
      if (_values[lane] >= _sorted[s]) _masks[s * words + lane / 64] |= std::uint64_t{1} << (lane % 64);
}

std::size_t LaneQuantity::step(Tokens threshold) const {
  if (threshold <= _sorted.front()) return 0;
  if (threshold > _sorted.back()) return _sorted.size();
  if (_direct) return static_cast<std::size_t>(threshold - _sorted.front());
  return static_cast<std::size_t>(std::lower_bound(_sorted.begin(), _sorted.end(), threshold) - _sorted.begin());
}

}  // namespace dcheck
