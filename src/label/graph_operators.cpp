#include "label/graph_operators.hpp"

#include "dcheck/base/bits.hpp"
#include "dcheck/base/finally.hpp"

namespace dcheck {

GraphDecision decide_graph(const StateSpace& space, GraphChoice choice, std::size_t path_steps) {
  // Making the graph takes about as long as one step without it. With it, steps take a fraction of that, with many
  // lanes half of it.
  const std::size_t least_steps = has_many_lanes(space) ? 4 : 2;
  if (choice == GraphChoice::off) return {false, "not wanted"};
  Ranks& ranks = space.ranks;
  if (ranks.any(!can_have_graph(space))) return {false, "there are too many rows"};
  if (path_steps == 0) return {false, "no path operator is to be decided"};
  if (choice == GraphChoice::keep) return {true, "wanted"};
  if (path_steps < least_steps)
    return {false, std::to_string(path_steps) + (path_steps == 1 ? " path operator is" : " path operators are") +
                       " decided sooner without it"};
  constexpr std::uint64_t walk_bytes_per_row = 16;  // of a walk with few formulas
  const std::uint64_t bytes = estimated_graph_bytes(space) + walk_bytes_per_row * space.state.row_count();
  if (ranks.any(!space.budget().has_room_for(2 * bytes)))
    return {false, "it would take more than half of the memory that is left"};
  return {true, std::to_string(path_steps) + " path operators are to be decided"};
}

std::unique_ptr<Operators> make_graph_operators(const StateSpace& space, const RunLimit& limit, LabellingStep& step) {
  step = {step.number + 1, "graph", 0, space.state.row_count(), 0};
  if (has_many_lanes(space)) {
    std::unique_ptr<Operators> with_lanes = make_operators(space, AuMethod::count, limit);
    with_lanes->keep_graph(step);
    return with_lanes;
  }
  std::unique_ptr<RowGraph> graph = make_graph(space, limit, step);
  std::unique_ptr<Operators> operators;
  space.ranks.together([&] {
    if (space.state.slots)
      operators = std::make_unique<GraphOperators<SlotView>>(space, std::move(graph), limit);
    else
      operators = std::make_unique<GraphOperators<OneLaneView>>(space, std::move(graph), limit);
  });
  return operators;
}

}  // namespace dcheck
