#include "estimate/recapture.hpp"

#include <algorithm>
#include <unordered_set>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/random.hpp"
#include "dcheck/net/marking.hpp"

namespace dcheck {

namespace {

constexpr std::size_t first_length = 64, most_tokens_on_path = std::size_t{1} << 22;

class Walker {
 public:
  Walker(const StateSpace& space, Patience& patience) : _space(space), _net(space.net), _patience(patience) {}

  Recapture walk() {
    try {
      const std::size_t longest = first_length + most_tokens_on_path / (_net.place_count() + 1);
      for (std::size_t length = first_length;; length = std::min(longest, length + length / 8)) walk_once(length);
    } catch (const ResourceError&) {
      return _result;
    }
  }

 private:
  /// Of a walk that does not end by itself only the second half counts: its beginning is near the initial state.
  void walk_once(std::size_t length) {
    Marking marking(_net.initial().begin(), _net.initial().end());
    _path.clear();
    while (_path.size() < length && step(marking)) _path.push_back(marking);
    const std::size_t begin = _path.size() == length ? length / 2 : 0;
    for (std::size_t i = begin; i < _path.size(); ++i) see(_path[i]);
    _patience.spend(1000);
  }

  /// Fires any transition that is enabled; false: there is none.
  bool step(Marking& marking) {
    const std::vector<Transition> enabled = enabled_in(_net, marking);
    _patience.spend(_net.transition_count() + 20);
    if (enabled.empty()) return false;
    return fire(_net, enabled[_random.next() % enabled.size()], marking);
  }

  void see(const Marking& marking) {
    std::uint64_t hash = 0;
    for (const Tokens tokens : marking) hash = mixed_bits(hash + static_cast<std::uint64_t>(tokens)) + 1;
    if (!_seen.insert(hash).second) return;
    ++_result.met;
    _result.known += is_known(marking) ? 1 : 0;
    _patience.spend(200);
  }

  bool is_known(const Marking& marking) const {
    const Plan& plan = *_space.plan;
    const Layout& layout = plan.layout();
    for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
      const auto tokens = static_cast<std::uint64_t>(marking[index(plan.key_places()[i])]);
      if (tokens > low_bits(layout.stored_field(i).width)) return false;
    }
    const std::vector<std::uint64_t> key = plan.stored_key(marking);
    const ExploreState& state = _space.state;
    if (state.slots) return state.slots->find(key.front()).has_value();
    const auto row = state.rows->find(key.data());
    if (!row || plan.leaf().empty()) return row.has_value();
    const auto lane = plan.lanes().find(plan.leaf_marking(marking));
    return lane && has_lane(state.reached[*row], *lane);
  }

  const StateSpace& _space;
  const Net& _net;
  Patience& _patience;
  Random _random{1};
  std::vector<Marking> _path;
  std::unordered_set<std::uint64_t> _seen;  // hashes of states
  Recapture _result;
};

}  // namespace

Recapture recapture(const StateSpace& space, Patience& patience) {
  return Walker(space, patience).walk();
}

}  // namespace dcheck
