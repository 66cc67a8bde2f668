#include "explore/place_search.hpp"

#include <algorithm>

namespace dcheck {

namespace {

/// Lower is better. Partitions that are as even as a sample can tell are even enough.
double score_of(const OwnerProposal& proposal, int ranks) {
  return proposal.cross + 2 * std::max(0.0, proposal.imbalance - (ranks > few_ranks ? 0.04 : 0.02));
}

/// Adds the place that helps most, again and again; goes on for a while where none helps, because it may take two.
class PlaceSearch {
 public:
  explicit PlaceSearch(const ClassSample& sample) : _sample(sample), _next(sample.candidates().begin()) {}

  /// Trying many places for many ranks takes long: a good cut for a few is the beginning of a good one for many.
  std::vector<Place> places_for(int ranks) {
    grow(std::min(ranks, few_ranks), tried_at_first, tried_later);
    if (ranks > few_ranks) grow(ranks, tried_for_many, tried_for_many);
    return _best_places;
  }

 private:
  void grow(int ranks, std::size_t at_first, std::size_t later) {
    std::vector<Place> places = _best_places;
    double best = places.empty() ? 1e9 : score_of(_sample.propose(places, ranks), ranks);
    std::size_t wanted = at_first;
    for (std::size_t patience = 3; patience != 0 && places.size() < most_places; wanted = later) {
      while (_candidates.size() < wanted && _next != _sample.candidates().end()) _candidates.push_back(*_next++);
      const auto tried = try_all(places, ranks, wanted);
      if (tried.empty()) return;
      places.push_back(tried[0].second);
      --patience;
      if (tried[0].first < best * 0.98) {
        best = tried[0].first;
        _best_places = places;
        patience = 3;
      }
      _candidates.clear();
      for (std::size_t i = 1; i < tried.size(); ++i) _candidates.push_back(tried[i].second);
    }
  }

  std::vector<std::pair<double, Place>> try_all(const std::vector<Place>& places, int ranks, std::size_t most) const {
    std::vector<std::pair<double, Place>> tried;
    for (const Place place : _candidates) {
      std::vector<Place> more = places;
      more.push_back(place);
      const bool is_new = std::find(places.begin(), places.end(), place) == places.end();
      if (tried.size() < most && is_new && _sample.can_propose(more, ranks))
        tried.emplace_back(score_of(_sample.propose(more, ranks), ranks), place);
    }
    std::stable_sort(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return tried;
  }

  static constexpr std::size_t tried_at_first = 16, tried_later = 6, tried_for_many = 3, most_places = 14;

  const ClassSample& _sample;
  std::vector<Place> _best_places;
  std::vector<Place> _candidates;
  std::vector<Place>::const_iterator _next;
};

}  // namespace

std::vector<Place> search_places(const ClassSample& sample, int ranks) {
  return PlaceSearch(sample).places_for(ranks);
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
