#pragma once
// The state of an exploration as plain data: what is known, what waits, what was parked. It can be
// looked at, converted to another plan, or saved, between any two batches of work.

#include <memory>
#include <vector>

#include "dcheck/base/page_array.hpp"
#include "dcheck/rows/plan.hpp"
#include "dcheck/store/dense_store.hpp"
#include "dcheck/store/slot_store.hpp"

namespace dcheck {

/// Firings that the plan cannot express: a field would overflow, or the leaf would leave the lanes.
/// Never dropped: done again after the plan was widened.
struct Parked {
  std::vector<std::uint64_t> keys;         // stored words, one row after another
  std::vector<std::uint32_t> transitions;  // indices into Plan::transitions()
  std::vector<std::uint64_t> masks;        // the source lanes, Plan::words() each
  bool empty() const { return transitions.empty(); }
};

/// Largest numbers of tokens seen so far.
struct Maxima {
  std::vector<Tokens> place;
  Tokens marking = 0;

  /// Begins with the initial marking, once. Throws ResourceError where its tokens together leave 63 bits.
  void begin(const Net& net);
};

/// What was found of the goals so far.
struct GoalState {
  std::vector<bool> found;                     // per target
  std::vector<std::optional<Tokens>> largest;  // per sum: the largest value seen
  std::vector<bool> is_known;                  // per sum: it cannot get larger
  bool is_enough = false;
};

struct ExploreState {
  /// The budget must outlive the state.
  explicit ExploreState(MemoryBudget* memory = nullptr)
      : budget(memory), reached(memory), pending(memory), next(memory), stack(memory), next_stack(memory) {}

  MemoryBudget* budget;
  // One lane and a key of one word: the slots know everything.
  std::unique_ptr<SlotStore> slots;
  // Otherwise: dense rows. With one lane, row ids are taken in order up to `cursor`; with more, `stack`
  // holds every row with a pending lane once, the last one is handled first.
  std::unique_ptr<DenseStore> rows;
  PageVector<std::uint64_t> reached, pending, next;
  PageVector<std::uint32_t> stack, next_stack;
  std::uint64_t stack_size = 0, next_stack_size = 0, cursor = 0;
  // Breadth-first in step: what is found on a level waits in `next`, or after `level_end`, until the
  // level is done. Rows are always dense then.
  bool by_level = false;
  std::uint64_t levels_begun = 0, level_end = 0;
  std::size_t ring_bytes = 0;  // largest list of open keys beside the slots

  Parked parked;
  Maxima maxima;
  GoalState goals;
  std::uint64_t states = 0, arcs = 0, deadlocks = 0, row_operations = 0, row_visits = 0;

  /// Many lanes: where found lanes wait, and the row's entry on the worklist that goes with them.
  PageVector<std::uint64_t>& open_lanes() { return by_level ? next : pending; }
  void push(DenseStore::Row row) {
    if (by_level)
      next_stack[next_stack_size++] = row;
    else
      stack[stack_size++] = row;
  }
  /// Makes masks of `words` words and worklists usable for so many rows.
  void ensure_rows(std::size_t count, std::size_t words) {
    reached.ensure(count * words);
    pending.ensure(count * words);
    stack.ensure(count);
    if (!by_level) return;
    next.ensure(count * words);
    next_stack.ensure(count);
  }

  std::uint64_t row_count() const { return slots ? slots->size() : rows->size(); }
  std::uint64_t waiting() const {
    return slots ? 0 : rows && stack.data() == nullptr ? rows->size() - cursor : stack_size + next_stack_size;
  }
  std::size_t store_bytes() const { return slots ? slots->bytes() : rows->bytes(); }
  std::size_t payload_bytes() const { return (reached.capacity() + pending.capacity() + next.capacity()) * 8; }
  std::size_t worklist_bytes() const { return (stack.capacity() + next_stack.capacity()) * 4 + ring_bytes; }
};

}  // namespace dcheck
