#include "dcheck/leaf/leaf_candidates.hpp"

#include <algorithm>
#include <cmath>

#include "dcheck/base/bits.hpp"
#include "dcheck/rows/lanes.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_groups = 300, most_flows = 128;
constexpr int signature_rounds = 3;  // of looking at the neighbours: far away everything looks alike
constexpr Tokens most_counted = 4096;

/// In how many ways the places of a semiflow can share its tokens; a large number where that is not counted.
double ways_to_share(const Invariant& flow) {
  if (flow.constant > most_counted) return 1e9;
  std::vector<double> ways(static_cast<std::size_t>(flow.constant) + 1, 0);
  ways[0] = 1;
  for (const auto& term : flow.terms)
    for (auto sum = static_cast<std::size_t>(term.coefficient); sum < ways.size(); ++sum)
      ways[sum] += ways[sum - static_cast<std::size_t>(term.coefficient)];
  return ways.back();
}

bool is_inside(const std::vector<Place>& part, const std::vector<Place>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

bool overlap(const std::vector<Place>& a, const std::vector<Place>& b) {
  return std::any_of(a.begin(), a.end(), [&](Place p) { return std::binary_search(b.begin(), b.end(), p); });
}

}  // namespace

LeafCandidates::LeafCandidates(const Net& net, const Structure& structure, double most_lanes)
    : _net(net), _structure(structure), _touching(net.place_count()), _flows(net.place_count()) {
  for (std::uint32_t t = 0; t < net.transition_count(); ++t)
    for (const Arc& arc : net.effect(static_cast<Transition>(t))) _touching[index(arc.place)].push_back(t);
  for (const Invariant& flow : structure.semiflows) _small_flows.push_back(&flow);
  std::stable_sort(_small_flows.begin(), _small_flows.end(),
                   [](const Invariant* a, const Invariant* b) { return a->terms.size() < b->terms.size(); });
  if (_small_flows.size() > most_flows) _small_flows.resize(most_flows);
  for (std::uint32_t i = 0; i < _small_flows.size(); ++i)
    for (const auto& term : _small_flows[i]->terms) _flows[index(term.place)].push_back(i);
  add_places(most_lanes);
  add_sets(most_lanes);
  std::sort(_groups.begin(), _groups.end(), [](const Group& a, const Group& b) {
    return a.promise != b.promise ? a.promise > b.promise : a.places < b.places;
  });
  for (const Group& group : _groups) {
    std::vector<std::uint32_t> touched;
    for (const Place p : group.places)
      touched.insert(touched.end(), _touching[index(p)].begin(), _touching[index(p)].end());
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    _touched_by_group.push_back(std::move(touched));
  }
}

void LeafCandidates::add(Places places, double lanes) {
  std::sort(places.begin(), places.end());
  const auto is_same = [&](const Group& group) { return group.places == places; };
  if (_groups.size() == most_groups || std::any_of(_groups.begin(), _groups.end(), is_same)) return;
  const double gain = promise(places, lanes);
  _groups.push_back({std::move(places), lanes, gain});
}

void LeafCandidates::add_large(Places places) {
  std::sort(places.begin(), places.end());
  const bool is_known = std::find(_large.begin(), _large.end(), places) != _large.end();
  if (_large.size() < most_groups && !is_known) _large.push_back(std::move(places));
}

void LeafCandidates::add_places(double most_lanes) {
  for (std::size_t p = 0; p < _net.place_count(); ++p) {
    const auto& bound = _structure.bounds[p];
    if (bound && *bound > 1 && static_cast<double>(*bound) < most_lanes && !_touching[p].empty())
      add({static_cast<Place>(p)}, static_cast<double>(*bound) + 1);
  }
}

void LeafCandidates::add_sets(double most_lanes) {
  for (const Invariant* flow : _small_flows) {
    const double lanes = ways_to_share(*flow);
    if (flow->terms.size() < 2 || lanes > static_cast<double>(max_lanes)) continue;
    Places places;
    for (const auto& term : flow->terms) places.push_back(term.place);
    if (lanes > most_lanes)
      add_large(std::move(places));
    else
      add(std::move(places), lanes);
  }
  for (const Unit& unit : _net.units())
    if (unit.places.size() > 1) add(unit.places, static_cast<double>(unit.places.size()) + 1);
}

/// Many lanes, and transitions that stay inside.
double LeafCandidates::promise(const Places& places, double lanes) const {
  std::size_t inside = 0;
  std::size_t touching = 0;
  for (const Place p : places)
    for (const std::uint32_t t : _touching[index(p)]) {
      const auto effect = _net.effect(static_cast<Transition>(t));
      ++touching;
      inside += std::all_of(effect.begin(), effect.end(),
                            [&](const Arc& arc) { return std::binary_search(places.begin(), places.end(), arc.place); })
                    ? 1
                    : 0;
    }
  return std::log2(lanes) * (1 + static_cast<double>(inside) / static_cast<double>(touching + 1));
}

LeafCandidates::Places LeafCandidates::joined(const Places& a, const Places& b) const {
  std::vector<bool> is_in(_net.place_count(), false);
  std::vector<std::size_t> missing;
  for (const Invariant* flow : _small_flows) missing.push_back(flow->terms.size());
  Places found;
  const auto add_place = [&](Place p) {
    if (is_in[index(p)]) return;
    is_in[index(p)] = true;
    found.push_back(p);
  };
  for (const Place p : a) add_place(p);
  for (const Place p : b) add_place(p);
  for (std::size_t at = 0; at < found.size(); ++at)
    for (const std::uint32_t flow : _flows[index(found[at])])
      if (--missing[flow] == 1)
        for (const auto& term : _small_flows[flow]->terms) add_place(term.place);
  std::sort(found.begin(), found.end());
  return found;
}

std::uint64_t LeafCandidates::signature(const Places& leaf) const {
  std::vector<std::uint64_t> place(_net.place_count());
  for (std::size_t p = 0; p < place.size(); ++p)
    place[p] = mixed_bits(static_cast<std::uint64_t>(_structure.bounds[p].value_or(-1)) + 2);
  for (const Place p : leaf) place[index(p)] = mixed_bits(place[index(p)] + 1);
  std::vector<std::uint64_t> next(place.size());
  for (int round = 0; round < signature_rounds; ++round) {
    next = place;
    for (std::size_t i = 0; i < _net.transition_count(); ++i) {
      const auto t = static_cast<Transition>(i);
      std::uint64_t transition = 0;
      const auto see = [&](std::span<const Arc> arcs, std::uint64_t kind) {
        for (const Arc& arc : arcs)
          transition += mixed_bits(place[index(arc.place)] + static_cast<std::uint64_t>(arc.weight) * 4 + kind);
      };
      see(_net.pre(t), 0);
      see(_net.post(t), 1);
      see(_net.inhibitors(t), 2);
      const auto tell = [&](std::span<const Arc> arcs, std::uint64_t kind) {
        for (const Arc& arc : arcs)
          next[index(arc.place)] += mixed_bits(transition + static_cast<std::uint64_t>(arc.weight) * 4 + kind);
      };
      tell(_net.pre(t), 0);
      tell(_net.post(t), 1);
      tell(_net.inhibitors(t), 2);
    }
    place.swap(next);
  }
  std::uint64_t sum = leaf.size();
  for (const Place p : leaf) sum += mixed_bits(place[index(p)]);
  return sum;
}

std::vector<std::size_t> LeafCandidates::near(const Places& leaf, Reach reach) const {
  std::vector<bool> is_around(_net.transition_count(), false);
  for (const Place p : leaf)
    for (const std::uint32_t t : _touching[index(p)]) is_around[t] = true;
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t i = 0; i < _groups.size(); ++i) {
    const auto& touched = _touched_by_group[i];
    const auto shared = std::count_if(touched.begin(), touched.end(), [&](std::uint32_t t) { return is_around[t]; });
    if ((shared == 0) != (reach == Reach::apart) || is_inside(_groups[i].places, leaf)) continue;
    if (reach == Reach::touching && overlap(_groups[i].places, leaf)) continue;
    ranked.emplace_back(
        reach == Reach::apart ? 0 : static_cast<double>(touched.size()) - 3.0 * static_cast<double>(shared), i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::size_t> result;
  for (const auto& [score, i] : ranked) result.push_back(i);
  return result;
}

}  // namespace dcheck
