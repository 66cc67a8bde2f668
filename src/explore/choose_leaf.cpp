#include "explore/choose_leaf.hpp"

#include <algorithm>
#include <map>

#include "dcheck/base/error.hpp"
#include "explore/engine.hpp"
#include "explore/relayout.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_lanes = 1024;  // beyond that, masks cost more than they gather
constexpr std::uint64_t trial_rows = 512;
constexpr std::size_t most_pool = 600;
constexpr std::size_t most_companions = 10;
constexpr double enough_gain = 0.97, good_gain = 0.6;  // of the cost so far
constexpr double hopeless = 1.5;                       // times the best cost, half-way through a trial
constexpr std::size_t large_net = 2000;                // places: planning itself would take too long

/// Measured, in units of an arc without lanes; keys of several words cost more without lanes.
constexpr double row_cost = 1.5, operation_cost = 1.8, word_cost = 0.25, wide_arc_cost = 1.2;
constexpr double unusable = 1e300;

std::vector<Place> united(std::vector<Place> a, const std::vector<Place>& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  return a;
}

}  // namespace

LeafChooser::LeafChooser(const Net& net, const Structure& structure, const PlanRequest& base,
                         const std::vector<std::vector<Tokens>>& sample)
    : _net(net), _structure(structure), _base(base), _sample(sample), _touching(net.place_count()) {
  for (std::uint32_t t = 0; t < net.transition_count(); ++t)
    for (const Arc& arc : net.effect(static_cast<Transition>(t))) _touching[index(arc.place)].push_back(t);
  if (net.place_count() > large_net) return;
  offer_singles();
  offer_groups();
}

void LeafChooser::offer(Places places) {
  std::sort(places.begin(), places.end());
  if (_pool.size() < most_pool && std::find(_pool.begin(), _pool.end(), places) == _pool.end())
    _pool.push_back(std::move(places));
}

/// Places that can hold several tokens, the busiest first.
void LeafChooser::offer_singles() {
  std::vector<Place> singles;
  for (std::size_t p = 0; p < _net.place_count(); ++p) {
    const auto& bound = _structure.bounds[p];
    if (bound && *bound > 1 && *bound < static_cast<Tokens>(most_lanes) && !_touching[p].empty())
      singles.push_back(static_cast<Place>(p));
  }
  const auto weight = [&](Place p) { return std::pair(*_structure.bounds[index(p)], _touching[index(p)].size()); };
  std::stable_sort(singles.begin(), singles.end(), [&](Place a, Place b) { return weight(a) > weight(b); });
  for (const Place p : singles) offer({p});
}

/// Places of which an invariant, or the model, says that they belong together; the smallest first.
void LeafChooser::offer_groups() {
  std::vector<Places> groups;
  for (const Invariant& flow : _structure.semiflows) {
    Places places;
    for (const auto& term : flow.terms) places.push_back(term.place);
    groups.push_back(std::move(places));
  }
  for (const Unit& unit : _net.units()) groups.push_back(unit.places);
  std::erase_if(groups, [](const Places& group) { return group.size() < 2; });
  std::stable_sort(groups.begin(), groups.end(), [](const Places& a, const Places& b) { return a.size() < b.size(); });
  for (Places& group : groups) offer(std::move(group));
}

/// Members of the pool that share transitions with the leaf, those that share most first.
std::vector<std::size_t> LeafChooser::neighbours(const Places& leaf) const {
  std::vector<bool> is_around(_net.transition_count(), false);
  for (const Place p : leaf)
    for (const std::uint32_t t : _touching[index(p)]) is_around[t] = true;
  std::vector<std::pair<double, std::size_t>> shared;
  for (std::size_t i = 0; i < _pool.size(); ++i) {
    std::set<std::uint32_t> around;
    std::set<std::uint32_t> beyond;
    for (const Place p : _pool[i])
      for (const std::uint32_t t : _touching[index(p)]) (is_around[t] ? around : beyond).insert(t);
    const bool is_inside = std::includes(leaf.begin(), leaf.end(), _pool[i].begin(), _pool[i].end());
    if (around.empty() || is_inside) continue;
    shared.emplace_back(static_cast<double>(beyond.size()) - 2.0 * static_cast<double>(around.size()), i);
  }
  std::stable_sort(shared.begin(), shared.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> result;
  for (const auto& [score, i] : shared) result.push_back(i);
  return result;
}

/// What to join to a leaf, best guesses first: neighbours, whose transitions then stay inside rows, in turn
/// with what does well alone, since the lanes of independent places multiply.
std::vector<std::size_t> LeafChooser::companions(const Places& leaf) const {
  const std::vector<std::size_t> near = neighbours(leaf);
  std::vector<std::size_t> result;
  const auto add = [&](std::size_t i) {
    const bool is_inside = std::includes(leaf.begin(), leaf.end(), _pool[i].begin(), _pool[i].end());
    if (!is_inside && std::find(result.begin(), result.end(), i) == result.end()) result.push_back(i);
  };
  for (std::size_t k = 0; k < std::max(near.size(), _by_cost.size()) && result.size() < most_companions; ++k) {
    if (k < near.size()) add(near[k]);
    if (k < _by_cost.size()) add(_by_cost[k].second);
  }
  return result;
}

const LeafChooser::Leaf& LeafChooser::look(std::size_t effort) {
  const std::size_t size = _net.place_count() + _net.transition_count();
  _trials_left = std::max<std::size_t>(3, effort / (size + 20));
  // Some trials go to beginnings, the rest to growth.
  for (std::size_t seeds = _trials_left / 2 + 1; seeds != 0 && _next_seed < _pool.size(); --seeds, ++_next_seed)
    _by_cost.emplace_back(consider(_pool[_next_seed]), _next_seed);
  std::stable_sort(_by_cost.begin(), _by_cost.end());
  while (_trials_left != 0 && !_best.places.empty()) {
    const Leaf from = _best;
    for (const std::size_t i : companions(from.places)) {
      consider(united(from.places, _pool[i]));
      if (_best.cost < good_gain * from.cost) break;  // the next step may do as much
    }
    if (_best.cost > enough_gain * from.cost) break;
  }
  return _best;
}

/// The cost of a leaf that was not tried before.
double LeafChooser::consider(const Places& places) {
  if (_trials_left == 0 || !_tried.insert(places).second) return unusable;
  --_trials_left;
  const double cost = trial(places);
  if (cost < _best.cost) _best = {places, cost};
  return cost;
}

double LeafChooser::trial(const Places& leaf) const {
  PlanRequest request = _base;
  request.leaf = leaf;
  request.trial_lanes = most_lanes;
  try {
    const Plan plan = make_plan(_net, _structure, request);
    ExploreState state = fresh_state(plan);
    const auto cost = [&] {
      const double sum =
          static_cast<double>(state.row_visits) * row_cost +
          static_cast<double>(state.row_operations) * (operation_cost + word_cost * static_cast<double>(plan.words()));
      const double arc = plan.layout().stored_words() > 1 ? wide_arc_cost : 1;
      return sum / arc / static_cast<double>(std::max<std::uint64_t>(1, state.arcs));
    };
    // From several places of the state space: near one of them all leaves look alike, or odd.
    for (std::size_t i = 0; i < _sample.size(); ++i) {
      add_marking(plan, state, _sample[i]);
      run(plan, state, {}, {[&] { return state.row_visits >= trial_rows * (i + 1) / _sample.size(); }, 8});
      if (i + 1 == (_sample.size() + 1) / 2 && cost() > hopeless * _best.cost) break;
    }
    return cost();
  } catch (const TooManyLanes&) {
    return unusable;
  } catch (const ResourceError&) {
    return unusable;
  }
}

}  // namespace dcheck
