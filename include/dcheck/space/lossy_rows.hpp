#pragma once
// The rows of an exploration that keeps hashes alone: what was reached, what waits, and how the row at hand was
// reached.
//
// Nothing is read back from what was reached, since keys that share a hash count as one: a row waits with its key and
// those of its lanes that were found by one firing. So lanes of two keys never meet, and every state that is handled is
// one that can be reached. Rows wait last in, first out, each with its depth and the transition by which it was found:
// then the rows on the way to the one at hand are those that were taken at lesser depths, and their transitions are
// kept until another way is taken. On several ranks each explores by itself, with a seed of its own.

#include <cstdint>
#include <memory>
#include <vector>

#include "dcheck/base/page_array.hpp"
#include "dcheck/base/random.hpp"
#include "dcheck/rows/plan.hpp"
#include "dcheck/store/lossy/lossy_set.hpp"

namespace dcheck {

struct GoalState;

/// The numbers of the net's transitions that are fired one after another from the initial marking on.
using Way = std::vector<std::uint32_t>;

/// How a row was reached in which goals were met: from the initial row on, each step being a transition and the lanes
/// of the next row that it led to. What was fired inside of rows is left out.
struct LossyPath {
  std::vector<std::size_t> targets, sums;  // the goals that were met
  std::vector<std::uint64_t> key;          // stored, of the last row
  std::vector<PlanTransition> transitions;
  std::vector<std::uint64_t> lanes;  // Plan::words() each, of the initial row first: one more than transitions
};

class LossyRows {
 public:
  /// The budget must outlive it.
  LossyRows(const Plan& plan, const StoreChoice& choice, MemoryBudget* budget);

  LossySet& known() const { return *_known; }
  /// Of a key, for the set of what is known. Not the linear hash by which stores find keys: that is cheap, but some
  /// keys which differ in the upper bits of two words have the same, whatever the seed, and here nobody compares them.
  std::uint64_t hash(const std::uint64_t* key) const {
    std::uint64_t hash = _seed;
    for (std::size_t w = 0; w < _key_words; ++w) hash = mixed_bits(hash ^ key[w]);
    return hash;
  }

  std::uint64_t waiting() const { return _waiting; }
  /// The initial row, before all others.
  void push_first(const std::uint64_t* key, const std::uint64_t* lanes) { push(key, lanes, PlanTransition{}, 0); }
  /// A row that a transition leads to from the one at hand. Throws ResourceError where memory ends.
  void push_next(const std::uint64_t* key, const std::uint64_t* lanes, PlanTransition by) {
    push(key, lanes, by, _depth + 1);
  }
  /// Takes the row that was pushed last; false: none waits.
  bool take(std::uint64_t* key, std::uint64_t* lanes);
  /// Puts the rows pushed since there were so many in an order of chance, but for the first seed.
  void shuffle_from(std::uint64_t waiting_before);

  /// Some goals were met in the row taken last, which has this key: keeps the way there for those that have none yet.
  void note_path(const std::uint64_t* key, const GoalState& goals);
  /// No ways are to be kept to what was met so far, here or elsewhere.
  void note_known(const GoalState& goals);
  std::vector<LossyPath>& paths() { return _paths; }

  std::size_t list_bytes() const {
    return (_entries.capacity() + _lanes_of_step.capacity()) * 8 + _steps.capacity() * 4;
  }

 private:
  void push(const std::uint64_t* key, const std::uint64_t* lanes, PlanTransition by, std::uint64_t depth);
  std::uint64_t* entry(std::uint64_t i) const { return _entries.data() + i * _entry_words; }

  std::unique_ptr<LossySet> _known;
  std::size_t _key_words, _words, _entry_words;
  std::uint64_t _seed;
  PageVector<std::uint64_t> _entries;  // key, lanes, transition and depth of each row that waits
  std::uint64_t _waiting = 0;
  // The way to the row at hand.
  PageVector<std::uint32_t> _steps;
  PageVector<std::uint64_t> _lanes_of_step;
  std::uint64_t _depth = 0;
  bool _is_shuffled;
  Random _dice;
  std::vector<LossyPath> _paths;
  std::vector<bool> _has_target, _has_sum;
};

}  // namespace dcheck
