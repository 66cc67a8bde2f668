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

struct ExploreState {
  /// The budget must outlive the state.
  explicit ExploreState(MemoryBudget* memory = nullptr)
      : budget(memory), reached(memory), pending(memory), stack(memory) {}

  MemoryBudget* budget;
  // One lane and a key of one word: the slots know everything.
  std::unique_ptr<SlotStore> slots;
  // Otherwise: dense rows. With one lane, row ids are taken in order up to `cursor`; with more, `stack`
  // holds every row with a pending lane once, the last one is handled first.
  std::unique_ptr<DenseStore> rows;
  PageVector<std::uint64_t> reached, pending;
  PageVector<std::uint32_t> stack;
  std::uint64_t stack_size = 0, cursor = 0;
  std::size_t ring_bytes = 0;  // largest list of open keys beside the slots

  Parked parked;
  Maxima maxima;
  std::uint64_t states = 0, arcs = 0, deadlocks = 0, row_operations = 0, row_visits = 0;

  std::uint64_t row_count() const { return slots ? slots->size() : rows->size(); }
  std::uint64_t waiting() const {
    return slots ? 0 : rows && stack.data() == nullptr ? rows->size() - cursor : stack_size;
  }
  std::size_t store_bytes() const { return slots ? slots->bytes() : rows->bytes(); }
  std::size_t payload_bytes() const { return (reached.capacity() + pending.capacity()) * 8; }
  std::size_t worklist_bytes() const { return stack.capacity() * 4 + ring_bytes; }
};

}  // namespace dcheck
