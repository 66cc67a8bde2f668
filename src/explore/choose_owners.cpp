#include "explore/choose_owners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dcheck/comm/collectives.hpp"
#include "explore/class_sample.hpp"
#include "explore/undirected_walk.hpp"

namespace dcheck {

namespace {

constexpr int few_ranks = 8;
constexpr std::size_t markings_for_few = 4096, markings_for_many = 16'384;
// What an arc to another rank costs beside an arc, about.
constexpr double cross_cost = 0.7;

double cost_of(double cross, double largest) {
  return largest * (1 + cross_cost * cross);
}

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

/// Of the places that the user names, those that can tell an owner.
std::vector<Place> named_places(const Plan& plan, const ClassSample& sample, const std::vector<Place>& named,
                                int ranks) {
  std::vector<Place> places;
  for (const Place place : named) {
    const auto& keys = plan.key_places();
    if (std::find(keys.begin(), keys.end(), place) == keys.end()) continue;
    places.push_back(place);
    if (!sample.can_propose(places, ranks)) places.pop_back();
  }
  return places;
}

/// How often a walk of this rank's own is in each class.
std::vector<std::uint64_t> sampled_weights(const Plan& plan, const OwnerClasses& classes, std::size_t steps, int rank) {
  std::vector<std::uint64_t> weights(classes.owner.size(), 0);
  UndirectedWalk walk(plan.net(), most_tokens(plan), static_cast<std::uint64_t>(rank + 1) << 40);
  const std::size_t gap = std::max<std::size_t>(1, plan.net().transition_count());
  for (std::size_t done = 0; done < steps; done += gap) {
    walk.step(gap);
    ++weights[class_of(classes, walk.marking())];
  }
  return weights;
}

std::string names_of(const Plan& plan, const OwnerClasses& classes) {
  std::string names;
  for (const OwnerClasses::Digit& digit : classes.digits)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", plan.net().name(digit.place));
  return names;
}

/// Rank 0's part of a choice.
class Chooser {
 public:
  Chooser(const Plan& plan, const AllocationChoice& choice, int ranks)
      : _plan(plan),
        _choice(choice),
        _ranks(ranks),
        _sample(plan,
                std::clamp<std::size_t>(choice.steps / (4 * std::max<std::size_t>(1, plan.net().transition_count())),
                                        64, ranks > few_ranks ? markings_for_many : markings_for_few),
                choice.steps / 4) {}

  OwnerClasses places() const {
    const bool is_named = _choice.kind == AllocationChoice::Kind::places;
    const std::vector<Place> places =
        is_named ? named_places(_plan, _sample, _choice.places, _ranks) : PlaceSearch(_sample).places_for(_ranks);
    return places.empty() ? OwnerClasses() : _sample.propose(places, _ranks).classes;
  }

  OwnerChoice share_out(const OwnerClasses& classes, const std::vector<std::uint64_t>& weights) const {
    const double hash_cross = 1 - 1.0 / _ranks;
    if (classes.is_hash())
      return {{},
              _choice.kind == AllocationChoice::Kind::places ? "by hash: no place that was named is in the key"
                                                             : "by hash: no few places tell rows apart"};
    OwnerProposal found = _sample.propose(classes, weights, _ranks, Effort::full);
    const bool is_better = cost_of(found.cross, found.largest) < cost_of(hash_cross, 1);
    const std::string expected = fmt::format("about {:.0f} % of arcs cross, partitions differ by {:.1f} %",
                                             100 * found.cross, 100 * found.imbalance);
    const std::string names = names_of(_plan, classes);
    if (_choice.kind == AllocationChoice::Kind::local && !is_better)
      return {{}, fmt::format("by hash: by {} {} (expected)", names, expected)};
    return {std::move(found.classes),
            fmt::format("by {}: {} (expected; by hash {:.0f} %)", names, expected, 100 * hash_cross)};
  }

 private:
  const Plan& _plan;
  const AllocationChoice& _choice;
  int _ranks;
  ClassSample _sample;
};

}  // namespace

OwnerChoice choose_owners(const Plan& plan, const AllocationChoice& choice, Ranks& ranks) {
  OwnerChoice chosen;
  if (ranks.is_alone()) return chosen;
  if (choice.kind == AllocationChoice::Kind::hash) return {{}, "by hash, as asked"};
  std::optional<Chooser> chooser;
  ranks.together([&] {
    if (ranks.rank() != 0) return;
    chooser.emplace(plan, choice, ranks.size());
    chosen.classes = chooser->places();
  });
  broadcast(ranks.cluster(), chosen.classes);
  std::vector<std::uint64_t> weights;
  ranks.together([&] { weights = sampled_weights(plan, chosen.classes, choice.steps, ranks.rank()); });
  ranks.agree(weights, Combine::sum);
  ranks.together([&] {
    if (ranks.rank() == 0) chosen = chooser->share_out(chosen.classes, weights);
  });
  broadcast(ranks.cluster(), chosen.classes);
  return chosen;
}

}  // namespace dcheck
