#include "owners/place_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "dcheck/base/bits.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_candidates = 64, most_places = 16;
constexpr std::size_t markings_for_a_glance = 512;
// Two markings are hardly ever told apart by such a place.
constexpr double most_alike = 0.98;
// Beside the share of arcs that change a place: nothing is free.
constexpr double least_change = 0.02;
// Classes for each rank, were they all of one size.
constexpr double wanted_classes = 64;

/// A place whose tokens may become a digit of the class.
struct Candidate {
  Place place;
  std::vector<std::uint32_t> value;  // per marking, numbered as they are met
  std::uint32_t values = 0;
  std::vector<std::uint32_t> transitions;  // that were seen to change it
  double promise = 0;
};

/// The share of pairs of markings that are in one class, where so many of each class were seen.
template <typename Counts>
double alike(const Counts& counts, std::size_t markings) {
  double pairs = 0;
  for (const auto& count : counts) pairs += static_cast<double>(count) * static_cast<double>(count);
  return pairs / static_cast<double>(markings) / static_cast<double>(markings);
}

class PlaceSearch {
 public:
  PlaceSearch(const ClassSample& sample, int ranks, Patience& patience)
      : _sample(sample),
        _ranks(ranks),
        _patience(patience),
        _class(sample.size(), 0),
        _is_changing(sample.net().transition_count(), false) {}

  std::vector<Place> places() {
    if (_sample.size() == 0 || _sample.arc_count() == 0) return {};
    find_candidates();
    std::vector<Place> found;
    double alike_before = 1;
    while (found.size() < most_places && alike_before * wanted_classes * _ranks > 1) {
      const auto [best, alike_then] = best_addition(found, alike_before);
      if (best == _candidates.size()) break;
      take(_candidates[best]);
      found.push_back(_candidates[best].place);
      _candidates.erase(_candidates.begin() + static_cast<std::ptrdiff_t>(best));
      alike_before = alike_then;
    }
    return found;
  }

 private:
  /// Places that change, best first, each of which tells something that none before it tells.
  void find_candidates() {
    const auto transitions = changing_transitions();
    for (const Place place : _sample.usable_places()) {
      Candidate candidate{place, {}, 0, transitions[index(place)], 0};
      const double share = alike_at_a_glance(place);
      if (share > most_alike) continue;
      candidate.promise = -std::log(share) / (least_change + share_of(candidate, false));
      _candidates.push_back(std::move(candidate));
    }
    std::stable_sort(_candidates.begin(), _candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.promise > b.promise; });
    if (_candidates.size() > 2 * most_candidates) _candidates.resize(2 * most_candidates);
    std::set<std::uint64_t> told;
    std::erase_if(_candidates, [&](Candidate& c) { return !told.insert(number_values(c)).second; });
    if (_candidates.size() > most_candidates) _candidates.resize(most_candidates);
  }

  /// Per place, the transitions that were seen and change it.
  std::vector<std::vector<std::uint32_t>> changing_transitions() const {
    std::vector<std::vector<std::uint32_t>> of_place(_sample.net().place_count());
    for (std::uint32_t t = 0; t < _is_changing.size(); ++t) {
      if (_sample.arcs_of_transitions()[t] == 0) continue;
      for (const Arc& arc : _sample.net().effect(static_cast<Transition>(t))) of_place[index(arc.place)].push_back(t);
    }
    return of_place;
  }

  double alike_at_a_glance(Place place) const {
    const std::size_t gap = _sample.size() / markings_for_a_glance + 1;
    std::vector<Tokens> seen;
    for (std::size_t i = 0; i < _sample.size(); i += gap) seen.push_back(_sample.tokens(i, place));
    _patience.spend(4 * seen.size());
    std::sort(seen.begin(), seen.end());
    std::vector<std::size_t> counts;
    for (std::size_t i = 0, begin = 0; i < seen.size(); ++i)
      if (i + 1 == seen.size() || seen[i + 1] != seen[i]) {
        counts.push_back(i + 1 - begin);
        begin = i + 1;
      }
    return alike(counts, seen.size());
  }

  /// The share of arcs that change the place, or that change it and no place taken before.
  double share_of(const Candidate& candidate, bool is_first) const {
    double arcs = 0;
    for (const std::uint32_t t : candidate.transitions)
      if (!is_first || !_is_changing[t]) arcs += _sample.arcs_of_transitions()[t];
    return arcs / static_cast<double>(_sample.arc_count());
  }

  /// Returns a hash of the numbers: the same where two places tell the same apart.
  std::uint64_t number_values(Candidate& candidate) const {
    std::map<Tokens, std::uint32_t> number;
    std::uint64_t hash = 0;
    _patience.spend(4 * _sample.size());
    candidate.value.reserve(_sample.size());
    Tokens last = -1;
    for (std::size_t i = 0; i < _sample.size(); ++i) {
      const Tokens tokens = _sample.tokens(i, candidate.place);
      if (tokens != last)
        candidate.value.push_back(number.try_emplace(tokens, static_cast<std::uint32_t>(number.size())).first->second);
      else
        candidate.value.push_back(candidate.value.back());
      last = tokens;
      hash = mixed_bits(hash + candidate.value.back() + 1);
    }
    candidate.values = static_cast<std::uint32_t>(number.size());
    return hash;
  }

  /// The candidate that tells most for the arcs it makes change a class, and how alike markings are with it; as many as
  /// there are candidates: none.
  std::pair<std::size_t, double> best_addition(const std::vector<Place>& found, double alike_before) const {
    std::pair<std::size_t, double> best{_candidates.size(), alike_before};
    double best_score = 0;
    std::vector<Place> more = found;
    more.push_back({});
    for (std::size_t i = 0; i < _candidates.size(); ++i) {
      more.back() = _candidates[i].place;
      if (!_sample.can_propose(more, _ranks)) continue;
      const double then = alike_with(_candidates[i]);
      const double score = std::log(alike_before / then) / (least_change + share_of(_candidates[i], true));
      if (score <= best_score || then > most_alike * alike_before) continue;
      best_score = score;
      best = {i, then};
    }
    return best;
  }

  double alike_with(const Candidate& candidate) const {
    _patience.spend(_class.size());
    _counts.assign(std::size_t{_classes} * candidate.values, 0);
    for (std::size_t i = 0; i < _class.size(); ++i) ++_counts[_class[i] * candidate.values + candidate.value[i]];
    return alike(_counts, _class.size());
  }

  void take(const Candidate& candidate) {
    std::map<std::uint64_t, std::uint32_t> number;
    for (std::size_t i = 0; i < _class.size(); ++i) {
      const std::uint64_t both = std::uint64_t{_class[i]} * candidate.values + candidate.value[i];
      _class[i] = number.try_emplace(both, static_cast<std::uint32_t>(number.size())).first->second;
    }
    _classes = static_cast<std::uint32_t>(number.size());
    for (const std::uint32_t t : candidate.transitions) _is_changing[t] = true;
  }

  const ClassSample& _sample;
  int _ranks;
  Patience& _patience;
  std::vector<Candidate> _candidates;
  std::vector<std::uint32_t> _class;  // per marking, by the places taken
  std::uint32_t _classes = 1;
  std::vector<bool> _is_changing;              // per transition: changes a place taken
  mutable std::vector<std::uint32_t> _counts;  // per class and value
};

}  // namespace

std::vector<Place> search_places(const ClassSample& sample, int ranks, Patience& patience) {
  return PlaceSearch(sample, ranks, patience).places();
}

std::vector<Place> usable_places(const ClassSample& sample, const std::vector<Place>& named, int ranks) {
  std::vector<Place> places;
  for (const Place place : named) {
    if (std::find(places.begin(), places.end(), place) != places.end()) continue;
    places.push_back(place);
    if (!sample.can_propose(places, ranks)) places.pop_back();
  }
  return places;
}

}  // namespace dcheck
