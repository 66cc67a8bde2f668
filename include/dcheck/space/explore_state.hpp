#pragma once
// The rows of an exploration as plain data: what is known, what waits, what was parked. Whole between any two phases:
// then it can be looked at, converted to another plan, moved to other ranks, or saved.

#include <memory>
#include <vector>

#include "dcheck/base/page_array.hpp"
#include "dcheck/rows/lane_masks.hpp"
#include "dcheck/rows/plan.hpp"
#include "dcheck/space/lossy_rows.hpp"
#include "dcheck/space/open_rows.hpp"
#include "dcheck/space/row_queue.hpp"
#include "dcheck/store/row_store.hpp"
#include "dcheck/store/slot_store.hpp"

namespace dcheck {

/// Firings that the plan cannot express: a field would overflow, or the leaf would leave the lanes.
/// Never dropped: done again after the plan was widened.
struct Parked {
  std::vector<std::uint64_t> keys;  // stored words, one row after another
  std::vector<PlanTransition> transitions;
  std::vector<std::uint64_t> masks;  // the source lanes, Plan::words() each
  bool empty() const { return transitions.empty(); }
};

/// Rows with lanes that were found and are neither inserted nor sent to their owner yet: the next phase does that.
struct Undelivered {
  std::vector<std::uint64_t> keys;   // stored words, one row after another
  std::vector<std::uint64_t> masks;  // Plan::words() each
};

/// Largest numbers of tokens seen so far.
struct Maxima {
  std::vector<Tokens> place;
  Tokens marking = 0;

  /// Begins with the initial marking, once. Throws ResourceError where its tokens together leave 63 bits.
  void begin(const Net& net);
  /// One more marking. Throws as begin() does.
  void see(std::span<const Tokens> tokens);
};

/// What was found of the goals of a search so far (engine/goals.hpp).
struct GoalState {
  std::vector<bool> found;                     // per target
  std::vector<std::optional<Tokens>> largest;  // per sum: the largest value seen
  std::vector<bool> is_known;                  // per sum: it cannot get larger
  bool is_enough = false;
};

/// What was counted so far, on this rank.
struct SearchCounts {
  std::uint64_t states = 0, arcs = 0, deadlocks = 0;
  std::uint64_t row_operations = 0;  // one transition applied to the waiting lanes of one row
  std::uint64_t row_visits = 0;      // one row taken from where it waits
  std::uint64_t cross_arcs = 0;      // of the arcs: to states of other ranks
};

struct ExploreState {
  /// The budget must outlive the state.
  explicit ExploreState(MemoryBudget* memory = nullptr)
      : budget(memory), queue(memory), reached(memory), open(memory), next(memory) {}

  MemoryBudget* budget;
  RowChoice choice;
  // One lane and a key of one word, packed and breadth-first: the slots know everything.
  std::unique_ptr<SlotStore> slots;
  // Otherwise: dense rows. With one lane, `queue` knows which of them wait; with more, `open` holds the rows with lanes
  // that wait.
  std::unique_ptr<RowStore> rows;
  // Where hashes alone are kept: neither slots nor dense rows.
  std::unique_ptr<LossyRows> lossy;
  RowQueue queue;
  LaneMasks reached;
  OpenRows open, next;
  // Breadth-first in step: what is found on a level waits in `next`, or in `queue`, until the level is done. Rows are
  // always dense then.
  std::uint64_t levels_begun = 0;
  std::size_t ring_bytes = 0;  // largest list of open keys beside the slots

  Parked parked;
  Undelivered undelivered;
  Maxima maxima;
  GoalState goals;
  SearchCounts counts;

  /// Many lanes: where found lanes wait.
  OpenRows& found() { return choice.by_level ? next : open; }
  /// Makes room for rows below `row_limit`, `more` of them new or open.
  void ensure_rows(std::size_t row_limit, std::size_t more, std::size_t words) {
    reached.ensure(row_limit, static_cast<std::uint32_t>(more));
    open.ensure(row_limit, choice.by_level ? 0 : more, words);
    if (choice.by_level) next.ensure(row_limit, more, words);
  }

  /// Whether this rank should give rows away before it gets more of them. A table of slots shrinks where it is: it may
  /// be nearly full. Others are made a second time to move rows, so that they must ask while they are small.
  bool is_short_of_memory() const;

  std::uint64_t row_count() const {
    return slots ? slots->size() : rows ? rows->size() : lossy ? lossy->known().rows() : 0;
  }
  /// Rows that wait. Those in slots are handled once each; but rows move between ranks and visits do not, so that
  /// this is right modulo 2^64 in the sum over all ranks only.
  std::uint64_t waiting() const {
    if (lossy) return lossy->waiting();
    return slots ? slots->size() - counts.row_visits : queue.size() + open.size() + next.size();
  }
  std::size_t store_bytes() const { return slots ? slots->bytes() : lossy ? lossy->known().bytes() : rows->bytes(); }
  std::size_t payload_bytes() const { return reached.bytes() + open.mask_bytes() + next.mask_bytes(); }
  std::size_t worklist_bytes() const {
    return queue.bytes() + open.list_bytes() + next.list_bytes() + ring_bytes + (lossy ? lossy->list_bytes() : 0);
  }

  /// Nothing waits any more and nothing will: gives back the memory of the lists of waiting rows.
  void drop_lists();
};

}  // namespace dcheck
