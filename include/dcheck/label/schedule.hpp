#pragma once
// Labelling as a list of steps, one after another. Each step makes one column: the set of the states that satisfy a
// node of a formula, from the columns of the node's children. So a labelling can be paused between any two steps, or
// within one, and its position is a number.
//
// The list is made beforehand and has every step that may be needed. When its turn comes, a step is passed over where
// its column is there already, or where what it is for has been decided meanwhile.

#include <span>
#include <unordered_map>
#include <vector>

#include "dcheck/ctl/core.hpp"

namespace dcheck {

/// EX, EU, AU: their steps walk over arcs.
bool is_path(CoreKind kind);

/// What is asked about a formula: whether the initial state satisfies it, or all states that do.
struct LabelWish {
  CoreId root = CorePool::always;
  bool as_set = false;
};

struct LabelStep {
  enum class Aim : std::uint8_t {
    set,      // the column of the node
    initial,  // whether the initial state is in it, working no further than that takes
    done      // the wish is fulfilled: columns that no later one needs can go
  };
  Aim aim = Aim::set;
  CoreId node = CorePool::always;
  std::size_t wish = 0;  // for which it is done
};

struct LabelSchedule {
  std::vector<LabelStep> steps;
  std::unordered_map<CoreId, std::size_t> last_use;  // of a column: the last step that reads it
};

/// How many steps walk over arcs: EX, EU and AU.
std::size_t path_steps(const CorePool& pool, const LabelSchedule& schedule);

/// The steps for all wishes, in their order.
LabelSchedule make_schedule(const CorePool& pool, std::span<const LabelWish> wishes);

}  // namespace dcheck
