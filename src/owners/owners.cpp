#include "dcheck/owners/owners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/serialization/vector.hpp>

#include "dcheck/ranks/share.hpp"
#include "dcheck/space/row_stream.hpp"
#include "owners/place_search.hpp"
#include "owners/undirected_walk.hpp"

namespace dcheck {

namespace {

using Weights = std::vector<std::uint64_t>;

constexpr std::size_t markings_for_few = 4096, markings_for_many = 16'384;
// What an arc to another rank costs beside an arc, about.
constexpr double cross_cost = 0.7;
// Partitions are left alone where they differ less, in parts of their mean: while exploring, where memory gets short,
// and at the end.
constexpr double uneven_meanwhile = 0.5, uneven_in_shortage = 0.1, uneven_at_end = 0.05;
// Where no classes are better than hash, those there are stay while the largest partition is at most so many means.
constexpr double even_enough = 1.3;

double cost_of(double cross, double largest) {
  return largest * (1 + cross_cost * cross);
}

std::size_t markings_for(int ranks) {
  return ranks > few_ranks ? markings_for_many : markings_for_few;
}

// Tokens in all places of all markings of a sample, before and while rows are explored.
constexpr std::size_t numbers_of_walks = std::size_t{1} << 22, numbers_of_states = std::size_t{1} << 24;

/// Markings are kept whole: of a large net only a few, whatever else is wanted.
std::size_t fewer_of_large(std::size_t markings, const Net& net, std::size_t most_numbers) {
  constexpr std::size_t least_markings = 16;
  return std::min(markings, std::max(least_markings, most_numbers / std::max<std::size_t>(1, net.place_count())));
}

/// How often walks of this rank's own are in each class.
Weights sampled_weights(const Plan& plan, const OwnerClasses& classes, std::size_t steps, Rank rank,
                        Patience& patience) {
  Weights weights(classes.owner.size(), 0);
  const std::size_t markings = steps / std::max<std::size_t>(1, plan.net().transition_count());
  walk_often(
      plan.net(), most_tokens(plan, patience), std::uint64_t{index(rank) + 1} << 40, {steps, markings},
      [&](const std::vector<Tokens>& marking) { ++weights[class_of(classes, marking)]; }, patience);
  return weights;
}

/// This rank's states, by class.
Weights counted_states(const StateSpace& space, const OwnerClasses& classes, Patience& patience) {
  constexpr std::size_t steps_of_row = 16;
  const Plan& plan = *space.plan;
  const Allocation allocation(plan, space.ranks.size(), classes);
  Weights weights(classes.owner.size(), 0);
  RowSource(plan, space.state).for_each(Which::all, [&](const StreamedRow& row) {
    patience.spend(steps_of_row);
    weights[allocation.sum(row.key) & (weights.size() - 1)] += lanes_in(row.masks, plan.words());
  });
  return weights;
}

/// Some of this rank's states, one of each row after a gap: as many of a row on all ranks.
std::vector<Tokens> some_markings(const StateSpace& space, std::uint64_t gap) {
  const Plan& plan = *space.plan;
  std::vector<Tokens> markings;
  std::uint64_t seen = 0;
  RowSource(plan, space.state).for_each(Which::all, [&](const StreamedRow& row) {
    if (seen++ % gap != 0) return;
    const std::optional<Lane> lane = first_lane(row.masks, plan.words());
    if (!lane) return;
    const std::vector<Tokens> marking = plan.marking(row.key, *lane);
    markings.insert(markings.end(), marking.begin(), marking.end());
  });
  return markings;
}

/// The first states of a search lie close together, so partitions are uneven for a while. That is as it should be
/// unless many states are in classes that should have far fewer.
bool is_expected(const Weights& counted, const Weights& expected) {
  constexpr double far_more = 1000;
  if (expected.empty()) return false;
  double all_counted = 0, all_expected = 0, surprising = 0;
  for (std::size_t c = 0; c < counted.size(); ++c) {
    all_counted += static_cast<double>(counted[c]);
    all_expected += static_cast<double>(expected[c]);
  }
  for (std::size_t c = 0; c < counted.size(); ++c) {
    const auto states = static_cast<double>(counted[c]);
    if (states * all_expected > far_more * static_cast<double>(expected[c]) * all_counted) surprising += states;
  }
  return surprising <= 0.1 * all_counted;
}

std::string names_of(const Net& net, const OwnerClasses& classes) {
  std::string names;
  for (const OwnerClasses::Digit& digit : classes.digits)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", net.name(digit.place));
  return names;
}

}  // namespace

std::string Owners::why() const {
  return _evened_out == 0 ? _why : fmt::format("{}; evened out {} times", _why, _evened_out);
}

void Owners::choose(const Plan& plan, bool can_move) {
  _classes = {};
  _can_move = false;
  if (_ranks.is_alone()) return;
  if (_choice.kind == AllocationChoice::Kind::hash || (_choice.kind == AllocationChoice::Kind::local && !can_move)) {
    _why = can_move ? "by hash, as asked" : "by hash: level by level rows cannot be moved";
    return;
  }
  if (plan.layout().stored_bits() < _choice.least_key_bits) {
    _why = "by hash: there are few rows";
    return;
  }
  _ranks.together([&] {
    if (_ranks.rank() != rank_0) return;
    const std::size_t transitions = std::max<std::size_t>(1, plan.net().transition_count());
    const std::size_t markings =
        fewer_of_large(std::clamp<std::size_t>(_choice.steps / (4 * transitions), 64, markings_for(_ranks.size())),
                       plan.net(), numbers_of_walks);
    _sample.emplace(plan, walk_markings(plan, markings, _choice.steps / 4, _patience), _patience);
    choose_places(plan);
  });
  share(_ranks, _classes);
  if (_classes.is_hash()) return;
  Weights weights;
  _ranks.together([&] { weights = sampled_weights(plan, _classes, _choice.steps, _ranks.rank(), _patience); });
  _ranks.agree(weights, Combine::sum);
  _ranks.together([&] { share_out(plan, weights); });
  share(_ranks, _classes);
  _can_move = can_move && !_classes.is_hash();
}

void Owners::choose_places(const Plan& plan) {
  const bool is_named = _choice.kind == AllocationChoice::Kind::places;
  const std::vector<Place> places =
      is_named ? usable_places(*_sample, _choice.places, _ranks.size()) : search_places(*_sample, _ranks.size());
  _classes = places.empty() ? OwnerClasses() : _sample->propose(places, _ranks.size()).classes;
  _why = is_named ? "by hash: no place that was named is in the key" : "by hash: no few places tell rows apart";
  if (!places.empty()) _why = "by " + names_of(plan.net(), _classes);
}

void Owners::share_out(const Plan& plan, const Weights& weights) {
  if (_ranks.rank() != rank_0) return;
  const double hash_cross = 1 - 1.0 / _ranks.size();
  OwnerProposal found = _sample->propose(_classes, weights, _ranks.size(), Effort::full);
  const std::string expected = fmt::format("about {:.0f} % of arcs cross, partitions differ by {:.1f} %",
                                           100 * found.cross, 100 * found.imbalance);
  const bool is_better = cost_of(found.cross, found.largest) < cost_of(hash_cross, 1);
  const std::string names = names_of(plan.net(), _classes);
  if (_choice.kind == AllocationChoice::Kind::local && !is_better) {
    _why = fmt::format("by hash: by {} {} (expected)", names, expected);
    _classes = {};
    return;
  }
  _why = fmt::format("by {}: {} (expected; by hash {:.0f} %)", names, expected, 100 * hash_cross);
  _classes = std::move(found.classes);
  _expected = weights;
}

double Owners::tolerance_of(Moment moment) {
  if (moment == Moment::end) return uneven_at_end;
  return moment == Moment::shortage ? uneven_in_shortage : uneven_meanwhile;
}

Owners::Moment Owners::moment_for(const ExploreState& state, bool is_end) {
  if (is_end) return Moment::end;
  const bool is_short = state.row_count() >= _next_shortage && state.is_short_of_memory();
  return _ranks.any(is_short) ? Moment::shortage : Moment::meanwhile;
}

bool Owners::are_uneven(const ExploreState& state, Moment moment) {
  const auto ranks = static_cast<std::size_t>(_ranks.size());
  Weights shares(ranks, 0);
  shares[index(_ranks.rank())] = state.counts.states;
  _ranks.agree(shares, Combine::sum);
  const std::uint64_t all_rows = _ranks.sum(state.row_count());
  const std::uint64_t most_rows = _ranks.max(state.row_count());
  _next_look = std::max(_choice.look_after_rows, 4 * most_rows);
  // Asked again when this rank has more rows than now, whether some of them move or not.
  if (moment == Moment::shortage) _next_shortage = state.row_count() + state.row_count() / 64 + 1;
  // Moving takes the memory of the rows a second time where they are dense, and of those that come in any case.
  constexpr std::uint64_t bytes_of_coming_row = 16;
  const std::uint64_t mean_rows = all_rows / ranks;
  const std::uint64_t needed = state.slots ? bytes_of_coming_row * (mean_rows - std::min(mean_rows, state.row_count()))
                                           : 2 * state.store_bytes() + 2 * state.payload_bytes();
  const bool has_room = state.budget == nullptr || state.budget->has_room_for(needed);
  if (_ranks.any(!has_room)) return false;
  return most_rows >= _choice.look_after_rows / 2048 && imbalance(shares) > tolerance_of(moment);
}

bool Owners::even_out(const StateSpace& space, bool is_end) {
  if (!_can_move) return false;
  const Moment moment = moment_for(space.state, is_end);
  if (!are_uneven(space.state, moment)) return false;
  const double tolerance = tolerance_of(moment);
  Weights weights;
  _ranks.together([&] { weights = counted_states(space, _classes, _patience); });
  _ranks.agree(weights, Combine::sum);
  bool goes_as_expected = moment == Moment::meanwhile && is_expected(weights, _expected);
  share(_ranks, goes_as_expected);
  if (goes_as_expected) return false;
  bool is_enough = true;
  OwnerProposal better;
  _ranks.together([&] {
    if (_ranks.rank() != rank_0) return;
    better = _sample->improve(_classes, weights, _ranks.size(), tolerance / 2);
    is_enough = better.imbalance <= tolerance;
    _classes = better.classes;
    ++_evened_out;
  });
  share(_ranks, is_enough);
  if (!is_enough && _choice.kind == AllocationChoice::Kind::local) return choose_again(space, std::move(better));
  share(_ranks, _classes);
  return true;
}

/// The sample was no good: on the states themselves. `otherwise`: what the old classes would give, on rank 0.
bool Owners::choose_again(const StateSpace& space, OwnerProposal otherwise) {
  const Plan& plan = *space.plan;
  // States are cheaper to come by than markings of walks: with more of them, fewer classes only look even.
  const std::uint64_t gap =
      _ranks.sum(space.state.row_count()) / fewer_of_large(markings_for_many, plan.net(), numbers_of_states) + 1;
  std::vector<Tokens> own;
  _ranks.together([&] { own = some_markings(space, gap); });
  const auto all = gather(_ranks, own);
  const std::string why_before = _why;
  _ranks.together([&] {
    if (_ranks.rank() != rank_0) return;
    std::vector<Tokens> markings;
    for (const std::vector<Tokens>& some : all) markings.insert(markings.end(), some.begin(), some.end());
    _sample.emplace(plan, std::move(markings), _patience);
    choose_places(plan);
  });
  share(_ranks, _classes);
  if (!_classes.is_hash()) {
    Weights weights;
    _ranks.together([&] { weights = counted_states(space, _classes, _patience); });
    _ranks.agree(weights, Combine::sum);
    _ranks.together([&] { share_out(plan, weights); });
  }
  _ranks.together([&] {
    // Rows that hashing scatters lose their parents in stores with chains, and most arcs cross.
    if (_ranks.rank() != rank_0 || !_classes.is_hash() || otherwise.largest > even_enough) return;
    _classes = std::move(otherwise.classes);
    _why = why_before;
  });
  _expected.clear();
  share(_ranks, _classes);
  _can_move = !_classes.is_hash();
  return true;
}

}  // namespace dcheck
