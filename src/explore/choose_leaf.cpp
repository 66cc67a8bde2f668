// Leaves are tried, each for a few hundred rows of real exploration: single places that hold several
// tokens, supports of semiflows, NUPN units. The best ones are joined with others as long as that pays.

#include "explore/choose_leaf.hpp"

#include <algorithm>
#include <set>

#include "dcheck/base/error.hpp"
#include "explore/engine.hpp"
#include "explore/relayout.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_lanes = 512;  // beyond that, masks cost more than they gather
constexpr std::uint64_t small_state_space = 4096;
constexpr std::uint64_t trial_rows = 512;
constexpr std::size_t most_singles = 30, most_groups = 12;
constexpr std::size_t beam_width = 2;
constexpr std::size_t most_trials = 120;
constexpr double enough_gain = 0.97;     // of the cost so far
constexpr double worthwhile = 0.7;       // of the cost without lanes
constexpr std::size_t large_net = 2000;  // places: planning itself would take too long

/// Rough costs, in units of one firing on one lane.
constexpr double row_cost = 2, operation_cost = 1.5, word_cost = 0.25;

class LeafChooser {
 public:
  LeafChooser(const Net& net, const Structure& structure, const PlanRequest& base,
              const std::vector<std::vector<Tokens>>& sample)
      : _net(net), _structure(structure), _base(base), _sample(sample) {}

  std::vector<Place> choose() {
    const double without = trial({}, small_state_space);
    if (_finished || _net.place_count() > large_net) return {};
    gather_candidates();
    std::vector<Leaf> best;  // cheapest first
    for (const std::vector<Place>& candidate : _pool) consider(candidate, best);
    while (!best.empty() && _trials < most_trials) {
      std::vector<Leaf> joined = best;
      for (const Leaf& leaf : best)
        for (const std::vector<Place>& candidate : _pool)
          if (_trials < most_trials && are_neighbours(leaf.places, candidate))
            consider(united(leaf.places, candidate), joined);
      if (joined.front().cost > enough_gain * best.front().cost) break;
      best = std::move(joined);
    }
    return !best.empty() && best.front().cost < worthwhile * without ? best.front().places : std::vector<Place>{};
  }

 private:
  struct Leaf {
    std::vector<Place> places;
    double cost = 1e300;
  };

  static std::vector<Place> united(std::vector<Place> a, const std::vector<Place>& b) {
    a.insert(a.end(), b.begin(), b.end());
    std::sort(a.begin(), a.end());
    a.erase(std::unique(a.begin(), a.end()), a.end());
    return a;
  }

  void gather_candidates() {
    std::set<std::vector<Place>> seen;
    const auto offer = [&](std::vector<Place> places, std::size_t limit) {
      std::sort(places.begin(), places.end());
      if (_pool.size() < limit && seen.insert(places).second) _pool.push_back(std::move(places));
    };
    _touching.resize(_net.place_count());
    for (std::size_t i = 0; i < _net.transition_count(); ++i)
      for (const Arc& arc : _net.effect(static_cast<Transition>(i))) _touching[index(arc.place)].push_back(i);
    for (std::size_t p = 0; p < _net.place_count(); ++p) {
      const auto& bound = _structure.bounds[p];
      if (bound && *bound > 1 && *bound < static_cast<Tokens>(most_lanes) && !_touching[p].empty())
        offer({static_cast<Place>(p)}, most_singles);
    }
    const std::size_t most = _pool.size() + most_groups;
    for (const Invariant& flow : _structure.semiflows) {
      std::vector<Place> places;
      for (const auto& term : flow.terms) places.push_back(term.place);
      if (places.size() > 1) offer(std::move(places), most);
    }
    for (const Unit& unit : _net.units())
      if (unit.places.size() > 1) offer(unit.places, most);
  }

  /// Some transition changes places of both.
  bool are_neighbours(const std::vector<Place>& a, const std::vector<Place>& b) const {
    std::set<std::size_t> around;
    for (const Place p : a) around.insert(_touching[index(p)].begin(), _touching[index(p)].end());
    return std::any_of(b.begin(), b.end(), [&](Place p) {
      const auto& near = _touching[index(p)];
      return std::any_of(near.begin(), near.end(), [&](std::size_t t) { return around.contains(t); });
    });
  }

  void consider(const std::vector<Place>& places, std::vector<Leaf>& best) {
    if (!_tried.insert(places).second) return;
    const Leaf leaf{places, trial(places, trial_rows)};
    if (leaf.cost >= 1e300) return;
    const auto cheaper = [](const Leaf& x, const Leaf& y) { return x.cost < y.cost; };
    best.insert(std::upper_bound(best.begin(), best.end(), leaf, cheaper), leaf);
    if (best.size() > beam_width) best.pop_back();
  }

  /// Cost per arc of exploring the first rows with this leaf; huge where it cannot be used.
  double trial(const std::vector<Place>& leaf, std::uint64_t rows) {
    ++_trials;
    PlanRequest request = _base;
    request.leaf = leaf;
    request.trial_lanes = most_lanes;
    try {
      const Plan plan = make_plan(_net, _structure, request);
      ExploreState state = fresh_state(plan);
      EngineEnd end = EngineEnd::complete;
      const auto explore_until = [&](std::uint64_t visits) {
        end = run(plan, state, {}, {[&] { return state.row_visits >= visits; }, 8});
      };
      if (leaf.empty()) {
        add_marking(plan, state, _net.initial());
        explore_until(rows);
      } else {
        // From several places of the state space: near one of them all leaves look alike, or odd.
        for (std::size_t i = 0; i < _sample.size(); ++i) {
          add_marking(plan, state, _sample[i]);
          explore_until(rows * (i + 1) / _sample.size());
        }
      }
      _finished = end == EngineEnd::complete;
      const double operations = static_cast<double>(state.row_operations);
      const double cost = static_cast<double>(state.row_visits) * row_cost +
                          operations * (operation_cost + word_cost * static_cast<double>(plan.words()));
      return cost / static_cast<double>(std::max<std::uint64_t>(1, state.arcs));
    } catch (const TooManyLanes&) {
      return 1e300;
    } catch (const ResourceError&) {
      return 1e300;
    }
  }

  const Net& _net;
  const Structure& _structure;
  const PlanRequest& _base;
  const std::vector<std::vector<Tokens>>& _sample;
  std::vector<std::vector<Place>> _pool;
  std::vector<std::vector<std::size_t>> _touching;  // per place: transitions that change it
  std::set<std::vector<Place>> _tried;
  std::size_t _trials = 0;
  bool _finished = false;  // the last trial saw every state
};

}  // namespace

std::vector<Place> choose_leaf(const Net& net, const Structure& structure, const PlanRequest& base,
                               const std::vector<std::vector<Tokens>>& sample) {
  return LeafChooser(net, structure, base, sample).choose();
}

}  // namespace dcheck
