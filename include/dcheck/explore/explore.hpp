#pragma once
// The exploration of a net's reachable states as one call: what goes in, what comes out.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dcheck/base/stop_request.hpp"
#include "dcheck/explore/state.hpp"
#include "dcheck/net/structure.hpp"
#include "dcheck/ranks/ranks.hpp"

namespace dcheck {

/// Which places form the leaf.
struct LaneChoice {
  enum class Kind : std::uint8_t { automatic, off, places };
  Kind kind = Kind::automatic;
  std::vector<Place> places;  // where kind == places
  // Small state spaces are done before a leaf could pay. Tests choose less, to try on small nets what large ones meet.
  std::size_t sample_steps = 150'000;    // of the walk that tells how wide fields should be
  std::uint64_t look_after_rows = 8192;  // a leaf is looked for then, and again each time the rows have doubled
};

struct Limits {
  std::optional<std::uint64_t> max_states;
  std::optional<std::uint64_t> max_memory_bytes;
  bool is_machines_memory = false;  // max_memory_bytes is what the machine allows; nobody asked for it
  std::optional<double> max_seconds;
  /// Whether somebody has asked to stop, on this rank; null: nobody can. Must outlive the run.
  const StopRequest* stop = nullptr;
};

/// What labelling is at: a part of a formula, by its operator.
struct LabellingStep {
  std::uint64_t number = 0;     // how many there were before; the same on all ranks
  const char* name = "";        // "EU"
  std::uint64_t rows_done = 0;  // so far; more than there are where rows are handled again
  std::uint64_t rows = 0;       // all that there are to do; 0: nobody knows
  std::uint64_t round = 0;      // through all rows, or steps away from where it began; 0: they are not counted
};

/// A snapshot of how a rank is getting on, or all of them together.
struct Progress {
  enum class Phase : std::uint8_t { planning, exploring, checking, showing };
  Phase phase = Phase::exploring;
  std::uint64_t states = 0, arcs = 0, rows = 0;
  std::uint64_t waiting_rows = 0;  // of one rank modulo 2^64: sums are right (ExploreState::waiting)
  std::uint64_t memory_bytes = 0;  // of all ranks: what the fullest has
  double seconds = 0;
  int ranks = 1;
  // Where checking or showing:
  std::size_t property = 0, properties = 0;  // from 1; 0: no property
  LabellingStep step = {};
};

/// What to look out for while exploring.
struct SearchGoals {
  std::vector<Expression> targets;  // state predicates: is some reachable state one of theirs?
  std::vector<Expression> sums;     // arithmetic: what is the largest reachable value?
  /// Per sum, what it cannot exceed: once it is met, the sum is known.
  std::vector<std::optional<Tokens>> sum_limits;
  /// Asked when a target was found or a sum became known: whether that is all that was wanted.
  /// Empty: never enough.
  std::function<bool(const GoalState&)> is_enough;
};

struct ExploreOptions {
  LaneChoice lanes;
  AllocationChoice allocation;
  Limits limits;
  /// Of the run: its time counts from here on, with all that was done before exploring.
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  SearchGoals goals;
  bool levels = false;  // breadth-first, in step
  StoreChoice store;
  Order order = Order::automatic;
  Waiting waiting = Waiting::number;
  RowChoice row_choice() const { return {store, order, waiting, levels}; }
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

  std::uint64_t states = 0;
  std::uint64_t arcs = 0;  // (source, transition, target) triples
  std::uint64_t deadlocks = 0;
  std::vector<Tokens> max_tokens;  // largest count seen, one entry a place
  Tokens max_tokens_in_marking = 0;

  std::uint64_t rows = 0;
  std::uint64_t lanes = 1;
  std::uint64_t row_operations = 0;     // one transition applied to the pending lanes of one row
  std::uint64_t row_visits = 0;         // one row taken from the worklist
  std::optional<std::uint64_t> levels;  // the deepest level, the initial state's being 0; in level mode only
  std::uint64_t layouts = 1;            // times the layout was made: 1 + re-layouts for wider fields or more lanes

  std::string allocation;      // how rows are shared out among ranks, and why so; on rank 0 of several
  std::string remark;          // one line about what was asked for, where something of it has no effect; else empty
  std::string plan;            // a short explanation of basis, leaf, lanes and widths; one line a fact
  std::uint64_t key_bits = 0;  // stored form
  StoreChoice store;           // nothing of it is left open
  StoreFigures store_figures;  // of stores with chains
  std::uint64_t store_bytes = 0;
  std::uint64_t payload_bytes = 0;
  std::uint64_t worklist_bytes = 0;
  std::uint64_t plan_bytes = 0;
  double plan_seconds = 0;
  double explore_seconds = 0;
};

/// The explored states as rows, with the plan that tells what they mean. On several ranks: this rank's rows; the plan
/// is the same on all.
struct StateSpace {
  explicit StateSpace(Ranks& of) : ranks(of) {}

  Ranks& ranks;
  MemoryBudget budget;
  std::unique_ptr<Plan> plan;
  ExploreState state{&budget};
};

struct Explored {
  Exploration figures;
  std::unique_ptr<StateSpace> space;
};

/// Collective. Explores everything reachable from the initial marking, up to a limit or until the goals are met. Net,
/// structure and options are the same on all ranks. So are afterwards the figures, which are those of all ranks
/// together (times: the longest), and what was found of the goals. Net and ranks must outlive the result. Throws
/// InputError where the places of the lane choice make more lanes than there may be.
Explored explore(const Net& net, const Structure& structure, const ExploreOptions& options, Ranks& ranks = alone());

}  // namespace dcheck
