// The plain form of the choice: the supports of semiflows and the NUPN units are tried as leaves, each
// for a few hundred rows of real exploration; the best one is joined with others as long as that pays.

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
constexpr std::size_t most_candidates = 12;
constexpr int most_joins = 3;
constexpr double worthwhile = 0.7;       // of the cost without lanes
constexpr std::size_t large_net = 2000;  // places: planning itself would take too long

/// Rough costs, in units of one firing on one lane.
constexpr double row_cost = 2, operation_cost = 1.5, word_cost = 0.25;

class LeafChooser {
 public:
  LeafChooser(const Net& net, const Structure& structure, const PlanRequest& base)
      : _net(net), _structure(structure), _base(base) {}

  std::vector<Place> choose() {
    const double without = trial({}, small_state_space);
    if (_finished || _net.place_count() > large_net) return {};
    Leaf best;
    for (const std::vector<Place>& candidate : candidates()) consider(candidate, best);
    for (int join = 0; join < most_joins && !best.places.empty(); ++join) {
      Leaf joined = best;
      for (const std::vector<Place>& candidate : _pool) consider(united(best.places, candidate), joined);
      if (joined.cost >= best.cost) break;
      best = joined;
    }
    return best.cost < worthwhile * without ? best.places : std::vector<Place>{};
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

  const std::vector<std::vector<Place>>& candidates() {
    std::set<std::vector<Place>> seen;
    const auto offer = [&](std::vector<Place> places) {
      std::sort(places.begin(), places.end());
      if (places.size() > 1 && _pool.size() < most_candidates && seen.insert(places).second)
        _pool.push_back(std::move(places));
    };
    for (const Invariant& flow : _structure.semiflows) {
      std::vector<Place> places;
      for (const auto& term : flow.terms) places.push_back(term.place);
      offer(std::move(places));
    }
    for (const Unit& unit : _net.units()) offer(unit.places);
    return _pool;
  }

  void consider(const std::vector<Place>& places, Leaf& best) {
    const double cost = trial(places, trial_rows);
    if (cost < best.cost) best = {places, cost};
  }

  /// Cost per arc of exploring the first rows with this leaf; huge where it cannot be used.
  double trial(const std::vector<Place>& leaf, std::uint64_t rows) {
    PlanRequest request = _base;
    request.leaf = leaf;
    request.trial_lanes = most_lanes;
    try {
      const Plan plan = make_plan(_net, _structure, request);
      ExploreState state = fresh_state(plan);
      add_marking(plan, state, _net.initial());
      const EngineEnd end = run(plan, state, {}, {[&] { return state.row_visits >= rows; }, 64});
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
  std::vector<std::vector<Place>> _pool;
  bool _finished = false;  // the last trial saw every state
};

}  // namespace

std::vector<Place> choose_leaf(const Net& net, const Structure& structure, const PlanRequest& base) {
  return LeafChooser(net, structure, base).choose();
}

}  // namespace dcheck
