#pragma once
// Makes the graph of rows with many lanes (lane_graph.hpp): one pass backwards over the rows of this rank, each source
// looked up once. A source that was never reached is left out.

#include "dcheck/walk/lane_graph.hpp"
#include "dcheck/walk/row_walk.hpp"

namespace dcheck {

/// Each rank for itself. May end with a ResourceError.
template <typename Walk>
class LaneGraphMaker {
 public:
  using Lanes = typename Walk::Lanes;

  /// `step` tells meanwhile how far it is.
  LaneGraphMaker(Walk& walk, const StateSet& reached, LabellingStep& step)
      : _walk(walk),
        _reached(reached),
        _step(step),
        _every_lane(walk.every_lane()),
        _graph(std::make_unique<LaneGraph>(walk.plan, walk.rows.row_limit(), walk.budget)) {}

  std::unique_ptr<LaneGraph> make() {
    for (const Row row : FirstIds<Row>(_walk.rows.row_limit())) {
      add_row(row);
      if (_ends.size() == LaneGraph::rows_per_block) end_block();
    }
    if (!_ends.empty()) end_block();
    return std::move(_graph);
  }

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};  // a source that was not found, or not yet

  void add_row(Row row) {
    _walk.read_with_owner(row);
    const Lanes lanes = _walk.rows.get(_reached, row);
    _walk.for_each_entered([&](const RowTransition& t) {
      if (!leads_into(t, lanes)) return;
      if (t.stays)
        add(kind_of(t, [&] { return _walk.before(t, _every_lane); }), static_cast<std::uint32_t>(row));
      else if (_walk.other_owner_before(t))
        add(_graph->kinds.plain(t), _graph->elsewhere());
      else
        look_up(t);
    });
    _ends.push_back(static_cast<std::uint32_t>(_operations.size()));
  }

  bool leads_into(const RowTransition& t, Lanes lanes) const {
    if (!t.tests_lanes) return true;
    const std::uint64_t* const domain = _walk.plan.lane_masks() + t.masks;
    _walk.ops.keep(lanes, t.moves_lanes ? domain + _walk.ops.count() : domain);
    return _walk.ops.any(lanes);
  }
  template <typename Sources>
  std::uint32_t kind_of(const RowTransition& t, Sources&& sources) {
    return t.tests_key_by_lane() ? _graph->kinds.with_sources(t, sources().word.data()) : _graph->kinds.plain(t);
  }

  /// The record's lanes carry the number of the operation whose source is to be found.
  void look_up(const RowTransition& t) {
    Lanes from = t.guard < 0 ? _every_lane : _walk.before_but_guard(t, _every_lane);
    if (!_walk.write_key_before(t, _walk.rows.begin(), from)) return;
    const auto sources = [&] { return t.guard < 0 ? _walk.before_but_guard(t, _every_lane) : from; };
    Lanes number = _walk.ops.zero();
    number.word[0] = _operations.size();
    add(kind_of(t, sources), unknown);
    _walk.rows.end(_walk.hash() - t.hash_delta, number);
    if (_walk.rows.is_full()) flush();
  }
  void add(std::uint32_t kind, std::uint32_t source) { _operations.push_back({kind, source}); }
  void flush() {
    _walk.rows.flush(
        [](Row) {},
        [&](Row row, const Lanes& number) { _operations[number.word[0]].source = static_cast<std::uint32_t>(row); });
  }

  void end_block() {
    flush();
    std::size_t kept = 0;
    std::size_t at = 0;
    for (std::uint32_t& end : _ends) {
      for (; at < end; ++at)
        if (_operations[at].source != unknown) _operations[kept++] = _operations[at];
      end = static_cast<std::uint32_t>(kept);
    }
    _graph->add_block(std::span(_operations).first(kept), _ends);
    _step.rows_done += _ends.size();
    _operations.clear();
    _ends.clear();
    _walk.limit.expect_room();
  }

  Walk& _walk;
  const StateSet& _reached;
  LabellingStep& _step;
  Lanes _every_lane;
  std::unique_ptr<LaneGraph> _graph;
  // Of the block at hand.
  std::vector<LaneGraph::Operation> _operations;
  std::vector<std::uint32_t> _ends;
};

}  // namespace dcheck
