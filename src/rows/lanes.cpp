#include "dcheck/rows/lanes.hpp"

#include <algorithm>

#include "dcheck/rows/mask.hpp"

namespace dcheck {

std::optional<Lane> LaneSpace::find(const LeafMarking& marking) const {
  const auto at = std::lower_bound(lanes.begin(), lanes.end(), marking);
  if (at == lanes.end() || *at != marking) return std::nullopt;
  return static_cast<Lane>(at - lanes.begin());
}

bool holds(const LeafAction::Test& test, std::span<const Tokens> leaf) {
  __int128 sum = 0;
  for (const auto& [position, weight] : test.terms) sum += static_cast<__int128>(weight) * leaf[position];
  return sum >= test.at_least;
}

bool take_effect(const LeafAction& action, std::span<const Tokens> from, std::span<Tokens> to) {
  std::copy(from.begin(), from.end(), to.begin());
  for (const auto& [position, change] : action.effect)
    if (__builtin_add_overflow(to[position], change, &to[position])) return false;
  return true;
}

namespace {

/// An action, with the cuts that it alone could break: those whose sum it makes smaller.
struct Move {
  const LeafAction* action;
  std::vector<const LeafAction::Test*> cuts;
  std::uint64_t hash_change = 0;
};

/// Leaf markings of one size, one after another, each once. Their hash is linear: a move changes it by a constant.
class LeafSet {
 public:
  explicit LeafSet(std::size_t places) : _places(places), _slots(256, 0) {}

  std::size_t size() const { return _hashes.size(); }
  std::span<const Tokens> operator[](std::size_t i) const { return {_tokens.data() + i * _places, _places}; }
  std::uint64_t hash(std::size_t i) const { return _hashes[i]; }

  static std::uint64_t factor(std::size_t place) { return (2 * place + 1) * 0x9E3779B97F4A7C15U ^ (place << 32); }
  static std::uint64_t hash(std::span<const Tokens> leaf) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < leaf.size(); ++i) sum += static_cast<std::uint64_t>(leaf[i]) * factor(i);
    return sum;
  }

  bool contains(std::span<const Tokens> leaf, std::uint64_t hash) const { return _slots[slot_of(leaf, hash)] != 0; }
  void insert(std::span<const Tokens> leaf, std::uint64_t hash) {
    std::uint32_t& slot = _slots[slot_of(leaf, hash)];
    if (slot != 0) return;
    _tokens.insert(_tokens.end(), leaf.begin(), leaf.end());
    _hashes.push_back(hash);
    slot = static_cast<std::uint32_t>(_hashes.size());
    if (2 * _hashes.size() > _slots.size()) grow();
  }

 private:
  std::size_t home(std::uint64_t hash) const {
    return (hash ^ (hash >> 29)) * 0xBF58476D1CE4E5B9U >> 32 & (_slots.size() - 1);
  }
  std::size_t slot_of(std::span<const Tokens> leaf, std::uint64_t hash) const {
    std::size_t at = home(hash);
    while (_slots[at] != 0) {
      const std::size_t i = _slots[at] - 1;
      if (_hashes[i] == hash && std::equal(leaf.begin(), leaf.end(), (*this)[i].begin())) break;
      at = (at + 1) & (_slots.size() - 1);
    }
    return at;
  }
  void grow() {
    _slots.assign(2 * _slots.size(), 0);
    for (std::size_t i = 0; i < _hashes.size(); ++i) {
      std::size_t at = home(_hashes[i]);
      while (_slots[at] != 0) at = (at + 1) & (_slots.size() - 1);
      _slots[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::size_t _places;
  std::vector<Tokens> _tokens;
  std::vector<std::uint64_t> _hashes;
  std::vector<std::uint32_t> _slots;  // a marking's number + 1; 0 is a hole
};

std::vector<Move> moves_of(std::size_t places, const std::vector<LeafAction>& actions,
                           const std::vector<LeafAction::Test>& cuts, Patience& patience) {
  std::vector<Move> moves;
  LeafMarking effect(places, 0);  // of one action, between two of them 0
  for (const LeafAction& action : actions) {
    Move& move = moves.emplace_back(Move{&action, {}});
    for (const auto& [position, change] : action.effect) {
      effect[position] = change;
      move.hash_change += static_cast<std::uint64_t>(change) * LeafSet::factor(position);
    }
    for (const LeafAction::Test& cut : cuts) {
      __int128 change = 0;
      patience.spend(1 + cut.terms.size());
      for (const auto& [position, weight] : cut.terms) change += static_cast<__int128>(weight) * effect[position];
      if (change < 0) move.cuts.push_back(&cut);
    }
    for (const auto& [position, change] : action.effect) effect[position] = 0;
  }
  return moves;
}

/// Writes the leaf after the move; false where it is not enabled, or no reachable marking of 63 bits looks like that.
bool take(const Move& move, std::span<const Tokens> from, std::span<Tokens> next) {
  for (const LeafAction::Test& test : move.action->tests)
    if (!holds(test, from)) return false;
  if (!take_effect(*move.action, from, next)) return false;
  for (const auto& [position, change] : move.action->effect)
    if (next[position] < 0) return false;
  return std::all_of(move.cuts.begin(), move.cuts.end(),
                     [&](const LeafAction::Test* cut) { return holds(*cut, next); });
}

}  // namespace

LaneSpace close_lanes(const std::vector<LeafMarking>& seeds, const std::vector<LeafAction>& actions,
                      const std::vector<LeafAction::Test>& cuts, std::size_t limit, Patience& patience) {
  const std::vector<Move> moves = moves_of(seeds.front().size(), actions, cuts, patience);
  LeafSet known(seeds.front().size());
  for (const LeafMarking& seed : seeds) known.insert(seed, LeafSet::hash(seed));
  LaneSpace space;
  space.closed = true;
  LeafMarking from(seeds.front());
  LeafMarking next(from);
  for (std::size_t at = 0; at < known.size() && space.closed; ++at) {
    std::copy(known[at].begin(), known[at].end(), from.begin());
    for (const Move& move : moves) {
      patience.spend(from.size() + move.cuts.size());
      const std::uint64_t hash = known.hash(at) + move.hash_change;
      if (!take(move, from, next) || known.contains(next, hash)) continue;
      if (known.size() >= limit) {
        space.closed = false;
        break;
      }
      known.insert(next, hash);
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i) space.lanes.emplace_back(known[i].begin(), known[i].end());
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
  for (const Lane lane : FirstIds<Lane>(_values.size())) add_lane(_masks.data() + step(value(lane)) * words, lane);
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
