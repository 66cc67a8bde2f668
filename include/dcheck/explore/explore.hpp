#pragma once
// The exploration of a net's reachable states as one call: what goes in, what comes out.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcheck/base/progress.hpp"
#include "dcheck/base/run_clock.hpp"
#include "dcheck/base/stop_request.hpp"
#include "dcheck/engine/goals.hpp"
#include "dcheck/leaf/lane_choice.hpp"
#include "dcheck/net/structure.hpp"
#include "dcheck/ranks/figures.hpp"
#include "dcheck/space/state_keeper.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

struct Limits {
  std::optional<std::uint64_t> max_states;
  std::optional<std::uint64_t> max_memory_bytes;
  bool is_machines_memory = false;  // max_memory_bytes is what the machine allows; nobody asked for it
  std::optional<double> max_seconds;
  /// Whether somebody has asked to stop, on this rank; null: nobody can. Must outlive the run.
  const StopRequest* stop = nullptr;
  /// What the run goes on from, and where it keeps its states; null: nothing, and nowhere. Must outlive the run.
  StateKeeper* keeper = nullptr;
};

struct ExploreOptions {
  LaneChoice lanes;
  AllocationChoice allocation;
  Limits limits;
  /// Of the run: its time counts from here on, with all that was done before exploring.
  RunClock::time_point start = RunClock::now();
  SearchGoals goals;
  bool levels = false;       // breadth-first, in step
  bool is_labelled = false;  // formulas will be decided on all the states
  StoreChoice store;
  Order order = Order::automatic;
  Waiting waiting = Waiting::number;
  MaskForm masks = MaskForm::automatic;
  RowChoice row_choice() const { return {store, order, waiting, levels, masks}; }
  /// Called every few milliseconds of work at most; empty: never.
  std::function<void(const Progress&)> progress;
};

/// What an exploration found. Counts are exact; where `complete` is false they are what was reached.
struct Exploration {
  bool complete = false;
  bool is_enough = false;                      // stopped because the goals were met
  std::string stop_reason;                     // one line, where not complete
  int stop_signal = 0;                         // that asked for it; 0: none did
  std::optional<UnboundedEvidence> unbounded;  // the proof, where that is the reason

  std::optional<std::uint64_t> resumed;  // how many states were there already, left by an earlier run

  std::uint64_t states = 0;
  std::uint64_t arcs = 0;  // (source, transition, target) triples
  std::uint64_t deadlocks = 0;
  std::vector<Tokens> max_tokens;  // largest count seen, one entry per place
  Tokens max_tokens_in_marking = 0;

  std::uint64_t rows = 0;
  std::uint64_t lanes = 1;
  std::uint64_t row_operations = 0;     // one transition applied to the waiting lanes of one row
  std::uint64_t row_visits = 0;         // one row taken from where it waits
  std::optional<std::uint64_t> levels;  // the deepest level, the initial state's being 0; level by level only
  std::uint64_t layouts = 1;            // times the layout was made: 1 + re-layouts for wider fields or more lanes

  std::string allocation;      // how rows are shared out among ranks, and why so; on rank 0 of several
  std::string remark;          // one line about what was asked for, where something of it has no effect; else empty
  std::string plan;            // a short explanation of basis, leaf, lanes and widths; one line per fact
  std::uint64_t key_bits = 0;  // stored form
  StoreChoice store;           // as it was used: stores with chains have their k
  StoreFigures store_figures;  // of stores with chains
  std::uint64_t store_bytes = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t worklist_bytes = 0;
  std::uint64_t plan_bytes = 0;
  double plan_seconds = 0;
  double load_seconds = 0;  // of the states of an earlier run
  double explore_seconds = 0;
};

/// What `kept` is called among the parts that are kept.
inline constexpr const char* search_part = "search";

struct Explored {
  Exploration figures;
  std::string kept;  // on rank 0: what goes on from these states needs beside them (StateKeeper::parts)
  RankFigures own;   // what this rank did of it
  std::unique_ptr<StateSpace> space;
};

/// Collective. Explores everything reachable from the initial marking, up to a limit or until the goals are met. Net,
/// structure and options are the same on all ranks. So are afterwards the figures, which are those of all ranks
/// together (times: the longest), and what was found of the goals. Net and ranks must outlive the result. Throws
/// InputError where the places of the lane choice make more lanes than there may be, and ResourceError where a limit is
/// met before the first plan is made.
Explored explore(const Net& net, const Structure& structure, const ExploreOptions& options, Ranks& ranks = alone());

}  // namespace dcheck
