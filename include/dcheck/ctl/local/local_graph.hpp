#pragma once
// The part of a net's state graph around the initial marking that somebody has looked at: states get numbers as they
// are met, and their successors are worked out when they are asked for. Markings, not rows: it needs no plan and no
// exploration, and is the same on every rank that asks the same.

#include <cstdint>
#include <span>
#include <vector>

#include "dcheck/net/marking.hpp"

namespace dcheck {

/// Thrown where a number of tokens would leave 63 bits.
struct TokensLeaveRange {};

class LocalGraph {
 public:
  using State = std::uint32_t;
  static constexpr State initial = 0;
  static constexpr State most_states = 1U << 31;

  /// The net must outlive the graph.
  explicit LocalGraph(const Net& net);

  std::size_t state_count() const { return _marking_end.size(); }
  /// Valid until another state's marking or successors are asked for.
  std::span<const Tokens> marking(State state);

  /// One successor for each enabled transition, so that one state may be counted several times.
  std::size_t successor_count(State state);
  /// After successor_count().
  State successor(State state, std::size_t i) const { return _successors[_successor_begin[state] + i]; }

  /// Work so far: transitions that were looked at or fired, words of markings that were compared or written.
  std::uint64_t steps() const { return _steps; }
  std::size_t bytes() const;

 private:
  static constexpr std::uint64_t not_expanded = ~std::uint64_t{0};

  std::span<const std::uint32_t> words(State state) const;
  void expand(State state);
  void look_at(Transition t, State from);
  void write_after(Transition t, State from);
  void write(Place place, Tokens tokens);
  State intern_written();
  void grow_table();

  const Net& _net;
  // Which transitions may be enabled, by a marked place that they need.
  std::vector<std::vector<Transition>> _waiting_for;  // per place
  std::vector<Transition> _waiting_for_nothing;

  // Per state, one after another: (place, tokens) of its marked places, ascending. See write().
  std::vector<std::uint32_t> _words;
  std::vector<std::uint64_t> _marking_end;  // per state, into _words
  std::vector<std::uint32_t> _table;        // state + 1 by hash of its words; 0: free

  std::vector<std::uint64_t> _successor_begin;  // per state, into _successors, or not_expanded
  std::vector<std::uint32_t> _successor_count;
  std::vector<State> _successors;

  std::vector<Tokens> _marking;  // of the state that was read last
  std::vector<Place> _marked;    // its marked places
  std::vector<std::uint32_t> _written;
  std::uint64_t _steps = 0;
};

}  // namespace dcheck
