#include "explore/kept_search.hpp"

#include <boost/serialization/vector.hpp>
#include <utility>

#include "dcheck/explore/explore.hpp"
#include "dcheck/net/serialize.hpp"
#include "dcheck/ranks/share.hpp"
#include "explore/serialize.hpp"

namespace dcheck {

template <typename Archive>
void serialize(Archive& archive, Maxima& maxima, unsigned) {
  archive& maxima.place& maxima.marking;
}
template <typename Archive>
void serialize(Archive& archive, GoalState& goals, unsigned) {
  archive& goals.found& goals.is_known& goals.is_enough;
  serialize_optionals(archive, goals.largest);
}
template <typename Archive>
void serialize(Archive& archive, SearchCounts& counts, unsigned) {
  archive& counts.states& counts.arcs& counts.deadlocks& counts.row_operations& counts.row_visits& counts.cross_arcs;
}
template <typename Archive>
void serialize(Archive& archive, Parked& parked, unsigned) {
  archive& parked.keys& parked.transitions& parked.masks;
}
template <typename Archive>
void serialize(Archive& archive, Undelivered& found, unsigned) {
  archive& found.keys& found.masks;
}
template <typename Archive>
void serialize(Archive& archive, KeptSearch& kept, unsigned) {
  archive& kept.request& kept.layouts& kept.states& kept.is_complete& kept.maxima& kept.goals& kept.counts;
  archive& kept.levels_begun& kept.parked& kept.undelivered;
}

namespace {

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void join(KeptSearch& all, const KeptSearch& other) {
  for (std::size_t p = 0; p < all.maxima.place.size(); ++p)
    all.maxima.place[p] = std::max(all.maxima.place[p], other.maxima.place[p]);
  all.maxima.marking = std::max(all.maxima.marking, other.maxima.marking);
  all.levels_begun = std::max(all.levels_begun, other.levels_begun);
  SearchCounts& counts = all.counts;
  counts.states += other.counts.states;
  counts.arcs += other.counts.arcs;
  counts.deadlocks += other.counts.deadlocks;
  counts.row_operations += other.counts.row_operations;
  counts.row_visits += other.counts.row_visits;
  counts.cross_arcs += other.counts.cross_arcs;
  append(all.parked.keys, other.parked.keys);
  append(all.parked.transitions, other.parked.transitions);
  append(all.parked.masks, other.parked.masks);
  append(all.undelivered.keys, other.undelivered.keys);
  append(all.undelivered.masks, other.undelivered.masks);
}

}  // namespace

std::string kept_search(const StateSpace& space, const PlanRequest& request, std::uint64_t layouts) {
  const ExploreState& state = space.state;
  KeptSearch own{.request = request,
                 .layouts = layouts,
                 .is_complete = space.is_complete,
                 .maxima = state.maxima,
                 .goals = state.goals,
                 .counts = state.counts,
                 .levels_begun = state.levels_begun,
                 .parked = state.parked,
                 .undelivered = state.undelivered};
  const std::vector<KeptSearch> each = gather(space.ranks, own);
  for (std::size_t i = 1; i < each.size(); ++i) join(own, each[i]);
  own.states = own.counts.states;
  return space.ranks.rank() == rank_0 ? to_bytes(own) : std::string();
}

KeptSearch search_of_bytes(const std::string& bytes) {
  KeptSearch kept;
  from_bytes(bytes, kept);
  return kept;
}

void restore_search(const KeptSearch& kept, StateSpace& space) {
  ExploreState& state = space.state;
  state.maxima = kept.maxima;
  state.goals = kept.goals;
  state.levels_begun = kept.levels_begun;
  space.is_complete = kept.is_complete;
  if (space.ranks.rank() != rank_0) return;
  const std::uint64_t own_states = state.counts.states;
  state.counts = kept.counts;
  state.counts.states = own_states;
  state.parked = kept.parked;
  state.undelivered = kept.undelivered;
}

bool has_states(const StateKeeper* keeper) {
  return keeper != nullptr && keeper->has_states();
}

bool is_checkpoint_due(const StateKeeper* keeper) {
  return keeper != nullptr && keeper->is_due();
}

void keep_search(StateKeeper* keeper, const StateSpace& space, const PlanRequest& request, std::uint64_t layouts) {
  if (keeper == nullptr || !keeper->keeps_checkpoints()) return;
  keeper->keep(space, {{search_part, kept_search(space, request, layouts)}}, {});
}

}  // namespace dcheck
