#pragma once
// What a search knows beside its rows, as bytes: with the rows in a file it can go on, on any number of ranks.

#include <string>

#include "dcheck/space/state_keeper.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

struct KeptSearch {
  PlanRequest request;  // that the rows' plan was made from
  std::uint64_t layouts = 1;
  std::uint64_t states = 0;
  bool is_complete = false;
  Maxima maxima;
  GoalState goals;
  SearchCounts counts;  // of all ranks together
  std::uint64_t levels_begun = 0;
  Parked parked;
  Undelivered undelivered;
};

/// Collective. Rank 0's bytes tell of all ranks. At a quiescent point.
std::string kept_search(const StateSpace& space, const PlanRequest& request, std::uint64_t layouts);
KeptSearch search_of_bytes(const std::string& bytes);

/// The rows are there: adds what else is known. Counts, and firings to be done again, are rank 0's from now on.
void restore_search(const KeptSearch& kept, StateSpace& space);

// Of a run's keeper; null: it has none.
bool has_states(const StateKeeper* keeper);
bool is_checkpoint_due(const StateKeeper* keeper);
/// Collective: a checkpoint, where the run keeps any.
void keep_search(StateKeeper* keeper, const StateSpace& space, const PlanRequest& request, std::uint64_t layouts);

}  // namespace dcheck
