#pragma once
// The graph of a space whose rows have one lane: for every row the rows that lead into it, and how many arcs leave it.
// Made once after exploring, so that walking backwards makes no keys and looks nothing up (decision 15).
//
// Rows have numbers, from 0 on, in the order in which they were found; on several ranks each rank numbers its own rows.
// Dense rows have them already. Rows in slots get them while the graph is made, by walking over the states once more
// from the initial one.

#include <memory>

#include "dcheck/base/progress.hpp"
#include "dcheck/base/run_limit.hpp"
#include "dcheck/graph/predecessor_lists.hpp"
#include "dcheck/space/state_space.hpp"

namespace dcheck {

class RowGraph {
 public:
  explicit RowGraph(const StateSpace& space);

  std::uint64_t row_count() const { return _rows; }
  std::uint32_t number(Row row) const {
    return _number_of_slot.capacity() == 0 ? static_cast<std::uint32_t>(index(row)) : _number_of_slot[index(row)] - 1;
  }

  RowCode own_code(std::uint32_t number) const { return std::uint64_t{number} << _rank_bits | _own; }
  Rank rank_of(RowCode code) const { return static_cast<Rank>(code & ((std::uint64_t{1} << _rank_bits) - 1)); }
  std::uint32_t number_of(RowCode code) const { return static_cast<std::uint32_t>(code >> _rank_bits); }
  bool is_own(RowCode code) const { return rank_of(code) == static_cast<Rank>(_own); }

  const PredecessorLists& predecessors() const { return _predecessors; }
  /// How many arcs leave a row.
  std::uint32_t successors(std::uint32_t number) const {
    return _is_wide ? reinterpret_cast<const std::uint32_t*>(_successors.data())[number] : _successors[number];
  }
  std::uint32_t most_successors() const { return _most_successors; }

  std::uint64_t arcs() const { return _arcs; }
  std::size_t bytes() const { return _predecessors.bytes() + _successors.capacity() + 4 * _number_of_slot.capacity(); }

 private:
  template <typename View>
  friend class GraphMaker;

  std::uint64_t _rows;
  unsigned _rank_bits;
  std::uint64_t _own;
  bool _is_wide;  // more than 255 arcs may leave a row
  PredecessorLists _predecessors;
  PageVector<std::uint8_t> _successors;
  PageVector<std::uint32_t> _number_of_slot;  // number + 1; empty where rows are dense
  std::uint32_t _most_successors = 0;
  std::uint64_t _arcs = 0;
};

/// Whether rows have many lanes: then the graph is another one (walk/lane_graph.hpp).
bool has_many_lanes(const StateSpace& space);
/// Whether the rows of this rank have small enough numbers.
bool can_have_graph(const StateSpace& space);

/// About how many bytes a graph would take on this rank while it is made.
std::uint64_t estimated_graph_bytes(const StateSpace& space);

/// Collective. The space is complete, has rows of one lane, and outlives the graph. Throws ResourceError, on several
/// ranks AgreedStop, where memory or a limit ends it. `step` tells meanwhile how far it is.
std::unique_ptr<RowGraph> make_graph(const StateSpace& space, const RunLimit& limit, LabellingStep& step);

}  // namespace dcheck
