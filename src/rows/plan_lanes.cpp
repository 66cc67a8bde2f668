// The middle part of planning: the lanes, which are the markings of the leaf.

#include <algorithm>
#include <map>

#include "rows/plan_builder.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_flows = 128, most_cuts = 200;

}  // namespace

std::optional<PlanBuilder::LeafView> PlanBuilder::leaf_view(Place place) const {
  LeafView view;
  if (_role[index(place)] == Role::leaf) {
    view.weights.terms.emplace_back(_position[index(place)], 1);
    return view;
  }
  const Dependent* d = dependent(place);
  if (d == nullptr || d->terms.empty()) return std::nullopt;
  for (const auto& term : d->terms) {
    if (_role[index(term.place)] != Role::leaf) return std::nullopt;
    view.weights.terms.emplace_back(_position[index(term.place)], term.coefficient);
  }
  view.weights.at_least = d->constant;
  view.scale = d->scale;
  return view;
}

void PlanBuilder::make_leaf_rules() {
  // What every reachable marking obeys on the leaf alone: partial sums of semiflows, dependents >= 0, bounds.
  // Thousands of semiflows may share a few partial sums; of equal ones the tightest stays.
  using Terms = std::vector<std::pair<std::uint32_t, Tokens>>;
  std::map<Terms, Tokens> cuts;
  const auto add = [&](const Terms& terms, Tokens at_least) {
    const auto [cut, is_new] = cuts.try_emplace(terms, at_least);
    if (!is_new) cut->second = std::max(cut->second, at_least);
  };
  std::vector<std::uint32_t> flows;
  for (const Place p : _plan._leaf)
    flows.insert(flows.end(), _structure.semiflows_of[index(p)].begin(), _structure.semiflows_of[index(p)].end());
  std::sort(flows.begin(), flows.end());
  flows.erase(std::unique(flows.begin(), flows.end()), flows.end());
  if (flows.size() > most_flows) {  // small ones say most
    const auto size = [&](std::uint32_t i) { return _structure.semiflows[i].terms.size(); };
    std::stable_sort(flows.begin(), flows.end(), [&](std::uint32_t a, std::uint32_t b) { return size(a) < size(b); });
    flows.resize(most_flows);
  }
  Terms partial;
  for (const std::uint32_t i : flows) {
    const Invariant& flow = _structure.semiflows[i];
    partial.clear();
    for (const auto& term : flow.terms)
      if (_role[index(term.place)] == Role::leaf) partial.emplace_back(_position[index(term.place)], -term.coefficient);
    add(partial, -flow.constant);
  }
  for (const Dependent& d : _plan._dependents)
    if (const auto view = leaf_view(d.place)) add(view->weights.terms, -view->weights.at_least);
  for (std::uint32_t i = 0; i < _plan._leaf.size(); ++i)
    if (const auto& bound = _structure.bounds[index(_plan._leaf[i])]) add({{i, -1}}, -*bound);
  for (auto& [terms, at_least] : cuts) _cuts.push_back({terms, at_least});
  drop_implied_cuts();
}

/// A sum of some places is small enough where that of more places is. Many semiflows share places, so most
/// cuts go.
void PlanBuilder::drop_implied_cuts() {
  // Terms are sorted by position and, in cuts from semiflows, negative: `wide` is at most `narrow` in any marking.
  const auto implies = [](const LeafAction::Test& wide, const LeafAction::Test& narrow) {
    if (wide.at_least < narrow.at_least) return false;
    auto at = wide.terms.begin();
    for (const auto& [position, weight] : narrow.terms) {
      for (; at != wide.terms.end() && at->first < position; ++at)
        if (at->second > 0) return false;
      if (at == wide.terms.end() || at->first != position || at->second > weight) return false;
      ++at;
    }
    return std::all_of(at, wide.terms.end(), [](const auto& term) { return term.second <= 0; });
  };
  if (_cuts.size() > most_cuts) {  // any of them may go; the tightest over many places say most
    const auto strength = [](const LeafAction::Test& cut) { return std::pair(cut.at_least, cut.terms.size()); };
    std::stable_sort(_cuts.begin(), _cuts.end(),
                     [&](const auto& a, const auto& b) { return strength(a) > strength(b); });
    _cuts.resize(most_cuts);
  }
  std::vector<LeafAction::Test> kept;
  for (std::size_t i = 0; i < _cuts.size(); ++i) {
    const auto is_better = [&](const LeafAction::Test& other) {
      return &other != &_cuts[i] && implies(other, _cuts[i]);
    };
    if (std::none_of(_cuts.begin(), _cuts.end(), is_better)) kept.push_back(_cuts[i]);
  }
  _cuts = std::move(kept);
}

std::vector<LeafAction> PlanBuilder::leaf_actions() const {
  std::map<LeafAction, std::size_t> known;  // in the order of transitions
  for (std::size_t i = 0; i < _net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    if (can_never_fire(t)) continue;
    LeafAction action = leaf_action(t);
    if (!action.effect.empty()) known.try_emplace(std::move(action), known.size());
    _patience.spend(10);
  }
  std::vector<LeafAction> actions(known.size());
  while (!known.empty()) {
    auto action = known.extract(known.begin());
    actions[action.mapped()] = std::move(action.key());
  }
  return actions;
}

std::size_t PlanBuilder::count_lanes(std::size_t most) {
  assign_roles();
  if (_plan._leaf.empty()) return 1;
  make_leaf_rules();
  return close_lanes({_plan.leaf_marking(_net.initial())}, leaf_actions(), _cuts, most + 1).lanes.size();
}

void PlanBuilder::make_lanes() {
  if (_plan._leaf.empty()) {
    _plan._lanes = {{LeafMarking{}}, true};
    return;
  }
  make_leaf_rules();
  const std::vector<LeafAction> actions = leaf_actions();
  std::vector<LeafMarking> seeds = _request.known_lanes;
  seeds.push_back(_plan.leaf_marking(_net.initial()));
  const bool is_trial = _request.trial_lanes != 0;
  LaneSpace lanes = close_lanes(seeds, actions, _cuts, is_trial ? _request.trial_lanes : max_lanes, _patience);
  if (!lanes.closed && is_trial) throw TooManyLanes{};
  if (!lanes.closed) {
    const std::size_t wanted = std::max(_request.open_lanes, seeds.size() * 2);
    lanes = close_lanes(seeds, actions, _cuts, std::min(wanted, max_lanes), _patience);
  }
  if (lanes.lanes.size() > max_lanes) throw TooManyLanes{};
  _plan._lanes = std::move(lanes);
}

std::size_t count_lanes(const Net& net, const Structure& structure, const std::vector<Place>& leaf, std::size_t most) {
  PlanRequest request;
  request.leaf = leaf;
  return PlanBuilder(net, structure, request, endless_patience()).count_lanes(most);
}

}  // namespace dcheck
