#include "owners/place_search.hpp"

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
  explicit PlaceSearch(const ClassSample& sample) : _sample(sample) {}

  /// From nothing, and from the places that promise most together: parts of a state space that are joined by few arcs
  /// may be told apart by many places, none of which helps much alone. Trying many places for many ranks takes long: a
  /// good cut for a few is the beginning of a good one for many.
  std::vector<Place> places_for(int ranks) const {
    const int few = std::min(ranks, few_ranks);
    Found best{{}, 1e9, {}, _sample.candidates().begin()};
    Found other = best;
    other.places = most_promising(few);
    grow(best, few, tried_at_first, tried_later);
    if (!other.places.empty()) {
      grow(other, few, tried_at_first, tried_later);
      if (other.score < best.score * clearly_better) best = std::move(other);
    }
    if (ranks > few_ranks) grow(best, ranks, tried_for_many, tried_for_many);
    return best.places;
  }

 private:
  struct Found {
    std::vector<Place> places;
    double score;
    // What may be added: those tried before, best first, and then the others.
    std::vector<Place> candidates;
    std::vector<Place>::const_iterator next;
  };

  /// As many as are best of those that promise most, two or more; none where they cannot be two.
  std::vector<Place> most_promising(int ranks) const {
    std::vector<Place> places, best;
    double least = 1e9;
    for (const Place place : _sample.seldom_changing()) {
      places.push_back(place);
      if (places.size() > most_places || !_sample.can_propose(places, ranks)) break;
      if (places.size() < 2) continue;
      const double score = score_of(_sample.propose(places, ranks), ranks);
      if (score >= least) continue;
      least = score;
      best = places;
    }
    return best;
  }

  void grow(Found& found, int ranks, std::size_t at_first, std::size_t later) const {
    std::vector<Place> places = found.places;
    found.score = places.empty() ? 1e9 : score_of(_sample.propose(places, ranks), ranks);
    std::size_t wanted = at_first;
    for (std::size_t patience = 3; patience != 0 && places.size() < most_places; wanted = later) {
      for (; found.candidates.size() < wanted && found.next != _sample.candidates().end(); ++found.next)
        if (std::find(places.begin(), places.end(), *found.next) == places.end())
          found.candidates.push_back(*found.next);
      const auto tried = try_all(places, found.candidates, ranks, wanted);
      if (tried.empty()) return;
      places.push_back(tried[0].second);
      --patience;
      if (tried[0].first < found.score * clearly_better) {
        found.score = tried[0].first;
        found.places = places;
        patience = 3;
      }
      found.candidates.clear();
      for (std::size_t i = 1; i < tried.size(); ++i) found.candidates.push_back(tried[i].second);
    }
  }

  std::vector<std::pair<double, Place>> try_all(const std::vector<Place>& places, const std::vector<Place>& candidates,
                                                int ranks, std::size_t most) const {
    std::vector<std::pair<double, Place>> tried;
    for (const Place place : candidates) {
      std::vector<Place> more = places;
      more.push_back(place);
      if (tried.size() < most && _sample.can_propose(more, ranks))
        tried.emplace_back(score_of(_sample.propose(more, ranks), ranks), place);
    }
    std::stable_sort(tried.begin(), tried.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return tried;
  }

  static constexpr std::size_t tried_at_first = 16, tried_later = 6, tried_for_many = 3, most_places = 14;
  static constexpr double clearly_better = 0.98;

  const ClassSample& _sample;
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
