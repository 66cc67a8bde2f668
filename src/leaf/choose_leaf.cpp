#include "dcheck/leaf/choose_leaf.hpp"

#include <algorithm>
#include <set>

namespace dcheck {

namespace {

constexpr std::size_t first_beginnings = 6, grown_beginnings = 2;
constexpr std::size_t most_companions = 10;
constexpr double enough_gain = 0.97, good_gain = 0.6;  // of the cost so far
constexpr double chain_factor = 8, lanes_of_beginning = 100;
constexpr std::size_t large_net = 2000;  // places: planning itself would take too long

}  // namespace

LeafChooser::LeafChooser(const Net& net, const Structure& structure, const PlanRequest& base,
                         const std::vector<std::vector<Tokens>>& sample, Patience& patience)
    : _net(net),
      _structure(structure),
      _request(base),
      _sample(sample),
      _patience(patience),
      _candidates(net, structure, static_cast<double>(most_trial_lanes)),
      _is_done(net.place_count() > large_net) {
  _request.trial_lanes = most_trial_lanes;
}

const LeafChooser::Leaf& LeafChooser::look(const std::function<bool(double, double)>& may_go_on) {
  _may_go_on = may_go_on;
  if (!_is_done) search();
  _may_go_on = nullptr;
  return _best;
}

void LeafChooser::search() {
  _is_spent = false;
  grow_beginnings();
  improve();
  for (std::size_t beginnings = first_beginnings; !_is_spent; beginnings *= 2) {
    try_beginnings(beginnings);
    improve();
    if (beginnings >= _candidates.groups().size()) break;
  }
  try_large();
  _is_done = !_is_spent;
}

/// The numbers of the first groups, of each kind one.
std::vector<std::size_t> LeafChooser::beginnings(std::size_t count) {
  std::vector<std::size_t> result;
  std::set<std::uint64_t> kinds;
  for (std::size_t i = 0; i < _candidates.groups().size() && result.size() < count; ++i) {
    if (_kinds.size() == i) _kinds.push_back(_candidates.signature(_candidates.groups()[i].places));
    if (kinds.insert(_kinds[i]).second) result.push_back(i);
  }
  return result;
}

/// Small groups say little alone: what they could become is tried first.
void LeafChooser::grow_beginnings() {
  for (const std::size_t i : beginnings(grown_beginnings)) {
    const LeafCandidates::Group& group = _candidates.groups()[i];
    for (const Reach reach : {Reach::touching, Reach::overlapping})
      consider(chain(_candidates.joined(group.places, {}), group.lanes, {lanes_of_beginning, most_trial_lanes}, reach));
  }
}

void LeafChooser::try_beginnings(std::size_t count) {
  _by_cost.clear();
  for (const std::size_t i : beginnings(count)) {
    if (_is_spent) break;
    _by_cost.emplace_back(consider(_candidates.joined(_candidates.groups()[i].places, {})), i);
  }
  std::stable_sort(_by_cost.begin(), _by_cost.end());
  // The lanes of independent places multiply: the best together.
  Places leaf;
  double lanes = 1;
  for (const auto& [cost, i] : _by_cost) {
    const LeafCandidates::Group& group = _candidates.groups()[i];
    if (lanes * group.lanes > most_trial_lanes) continue;
    lanes *= group.lanes;
    leaf = _candidates.joined(leaf, group.places);
    if (lanes >= lanes_of_beginning) consider(leaf);
  }
}

/// They cost the most to try, so they come last.
void LeafChooser::try_large() {
  _request.trial_lanes = max_lanes;
  for (const Places& places : _candidates.large())
    if (!_is_spent) consider(_candidates.joined(places, {}));
  _request.trial_lanes = most_trial_lanes;
}

void LeafChooser::improve() {
  while (!_is_spent && !_best.places.empty() && improve_once(Leaf(_best))) {
  }
}

/// Joins groups to a leaf; true where that is worth going on from there.
bool LeafChooser::improve_once(const Leaf& from) {
  const auto is_good = [&] { return _best.cost < good_gain * from.cost; };  // the next step may do as much
  const auto lanes = static_cast<double>(from.lanes);
  for (const Reach reach : {Reach::touching, Reach::overlapping, Reach::apart}) {
    consider(chain(from.places, lanes, {chain_factor * lanes, 2.0 * most_trial_lanes}, reach));
    if (is_good()) return true;
  }
  for (const std::size_t i : companions(from.places)) {
    if (_candidates.groups()[i].lanes * lanes > 1.5 * most_trial_lanes) continue;
    consider(_candidates.joined(from.places, _candidates.groups()[i].places));
    if (is_good()) return true;
    if (_is_spent) return false;
  }
  return _best.cost <= enough_gain * from.cost;
}

/// What to join to a leaf, best guesses first: neighbours, whose transitions then stay inside rows, in turn
/// with what does well alone, since the lanes of independent places multiply.
std::vector<std::size_t> LeafChooser::companions(const Places& leaf) const {
  const std::vector<std::size_t> near = _candidates.near(leaf, Reach::overlapping);
  std::vector<std::size_t> result;
  const auto add = [&](std::size_t i) {
    if (std::find(result.begin(), result.end(), i) == result.end()) result.push_back(i);
  };
  for (std::size_t k = 0; k < std::max(near.size(), _by_cost.size()) && result.size() < most_companions; ++k) {
    if (k < near.size()) add(near[k]);
    if (k < _by_cost.size()) add(_by_cost[k].second);
  }
  return result;
}

/// Joins several groups at once, until there are about as many lanes as wanted.
LeafChooser::Places LeafChooser::chain(Places leaf, double lanes, LaneRange wanted, Reach reach) const {
  while (lanes < wanted.least) {
    const std::vector<std::size_t> order = _candidates.near(leaf, reach);
    const auto next = std::find_if(order.begin(), order.end(),
                                   [&](std::size_t i) { return lanes * _candidates.groups()[i].lanes <= wanted.most; });
    if (next == order.end()) break;
    lanes *= _candidates.groups()[*next].lanes;
    leaf = _candidates.joined(leaf, _candidates.groups()[*next].places);
  }
  return leaf;
}

/// The cost of a leaf; tried if none like it was.
double LeafChooser::consider(const Places& places) {
  _patience.look();
  const std::uint64_t signature = _candidates.signature(places);
  const auto known = _tried.find(signature);
  if (known != _tried.end()) return known->second.cost;
  _is_spent = _is_spent || !_may_go_on(_best.cost, _steps + least_steps(_net, _structure));
  if (_is_spent) return Leaf{}.cost;
  _request.ask_for_leaf(places);
  const Trial trial = try_leaf(_net, _structure, _request, _sample, _best.cost, _patience);
  _steps += trial.steps;
  const Leaf& leaf = _tried.emplace(signature, Leaf{places, trial.cost, trial.lanes}).first->second;
  if (leaf.cost < _best.cost) _best = leaf;
  return trial.cost;
}

void LeafChooser::correct(const Leaf& leaf) {
  _tried[_candidates.signature(leaf.places)] = _best = leaf;
  for (const auto& [signature, other] : _tried)
    if (other.cost < _best.cost) _best = other;
}

}  // namespace dcheck
