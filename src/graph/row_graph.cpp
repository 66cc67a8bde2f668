#include "dcheck/graph/row_graph.hpp"

#include "graph/graph_maker.hpp"

namespace dcheck {

RowGraph::RowGraph(const StateSpace& space)
    : _rows(space.state.row_count()),
      _rank_bits(static_cast<unsigned>(std::bit_width(static_cast<unsigned>(space.ranks.size()) - 1))),
      _own(index(space.ranks.rank())),
      _is_wide(space.plan->transitions().size() > 255),
      _predecessors(&space.budget()),
      _successors(&space.budget()),
      _number_of_slot(&space.budget()) {
  _successors.ensure((_rows + 1) * (_is_wide ? 4 : 1));
}

bool can_have_graph(const StateSpace& space) {
  constexpr std::uint64_t most_rows = ~std::uint32_t{0};
  const std::uint64_t rows = space.state.slots ? space.state.slots->capacity() : space.state.row_count();
  return rows < most_rows;
}

bool has_many_lanes(const StateSpace& space) {
  return !space.state.slots && !space.plan->leaf().empty();
}

std::uint64_t estimated_graph_bytes(const StateSpace& space) {
  constexpr std::uint64_t bytes_per_arc = 7, bytes_per_row = 14, bytes_per_operation = 5;
  if (has_many_lanes(space)) return bytes_per_operation * space.state.counts.row_operations;
  return bytes_per_arc * space.state.counts.arcs + bytes_per_row * space.state.row_count();
}

namespace {

template <typename View>
std::unique_ptr<RowGraph> make(const StateSpace& space, const RunLimit& limit, LabellingStep& step) {
  using Maker = GraphMaker<View>;
  typename Maker::Walk walk(space, limit);
  std::unique_ptr<RowGraph> graph;
  std::unique_ptr<Maker> maker;
  space.ranks.together([&] {
    graph = std::make_unique<RowGraph>(space);
    maker = std::make_unique<Maker>(walk, space, *graph, step);
  });
  while (walk.apply([&]() -> Maker& { return *maker; }) == Stop::pause) space.ranks.together(limit.expect_room);
  return graph;
}

}  // namespace

std::unique_ptr<RowGraph> make_graph(const StateSpace& space, const RunLimit& limit, LabellingStep& step) {
  return space.state.slots ? make<SlotView>(space, limit, step) : make<OneLaneView>(space, limit, step);
}

}  // namespace dcheck
