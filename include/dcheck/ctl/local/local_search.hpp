#pragma once
// Decides a formula in the initial marking by looking at no more states than that takes: forwards from the initial
// marking, and only where the formula leads. Many formulas are decided after a few states, and need no labels.
//
// A verdict is proven, whether the states are explored or not. Where the steps run out, nothing is said.

#include "dcheck/base/patience.hpp"
#include "dcheck/base/truth.hpp"
#include "dcheck/ctl/core.hpp"
#include "dcheck/ctl/local/local_graph.hpp"

namespace dcheck {

class LocalSearch {
 public:
  /// Takes about `most_bytes` of memory at most. Net and pool must outlive it; nodes may be added to the pool
  /// meanwhile.
  LocalSearch(const Net& net, const CorePool& pool, std::uint64_t most_bytes = std::uint64_t{64} << 20)
      : _pool(pool), _net(net), _graph(net), _most_bytes(most_bytes) {}

  /// Takes about so many steps (local_graph.hpp), some nanoseconds each. What was found out is kept for the next
  /// formula.
  Truth decide(CoreId id, std::uint64_t steps, Patience& patience = endless_patience());
  /// All that were taken.
  std::uint64_t steps() const { return _graph.steps(); }
  std::uint64_t bytes() const { return _graph.bytes() + _memo_bytes; }

 private:
  using State = LocalGraph::State;
  /// What is known of a node in a state. From `given_up` on: the round in which it was given up.
  using Memo = std::uint8_t;
  static constexpr Memo nothing = 0, is_false = 1, is_true = 2, given_up = 3;

  /// States that a search has met: one such array for each search that is under way inside another.
  struct Visited {
    std::vector<std::uint32_t> stamp;  // per state
    std::uint32_t current = 0;
  };
  class Scope;
  struct Until;
  class ExistsUntil;
  class AlwaysUntil;

  Truth at(CoreId id, State state, std::uint64_t allowance);
  Truth atom(const Expression& predicate, State state);
  Truth combined(CoreId id, State state, std::uint64_t allowance);
  Truth some_successor(CoreId child, State state, std::uint64_t allowance);

  Memo& memo(CoreId id, State state);
  Truth known(CoreId id, State state);
  bool is_given_up(CoreId id, State state) { return memo(id, state) == given_up + _round; }
  Truth remember(CoreId id, State state, Truth truth);
  const std::vector<CoreId>& cheapest_first(CoreId id);
  std::uint32_t height(CoreId id) const;
  bool is_out_of_steps();

  const CorePool& _pool;
  const Net& _net;
  LocalGraph _graph;
  std::uint64_t _most_bytes;
  std::uint64_t _memo_bytes = 0;
  Patience* _patience = nullptr;
  std::vector<std::vector<Memo>> _memos;      // per node, per state
  std::vector<std::vector<CoreId>> _ordered;  // per node: its children, those with fewer path operators first
  std::vector<Visited> _visited;
  std::size_t _depth = 0;  // of searches inside each other
  std::uint8_t _round = 0;
  std::uint64_t _last_step = 0, _steps_spent = 0;
  bool _was_cut = false;  // by its allowance, in this round
};

}  // namespace dcheck
