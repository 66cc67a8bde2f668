#pragma once
// One walk forwards over all rows that gathers the arcs where they lead to: the job of a phase.

#include <array>

#include "dcheck/base/bits.hpp"
#include "dcheck/graph/row_graph.hpp"
#include "dcheck/walk/walk_job.hpp"
#include "graph/arc_buckets.hpp"

namespace dcheck {

template <typename View>
class GraphMaker {
 public:
  using Walk = RowWalk<PortableBits, View>;
  using Lanes = typename Walk::Lanes;
  static constexpr Merging merging = Merging::none;
  static constexpr bool numbers_slots = std::is_same_v<View, SlotView>;

  GraphMaker(Walk& walk, const StateSpace& space, RowGraph& graph, LabellingStep& step)
      : _walk(walk),
        _space(space),
        _graph(graph),
        _step(step),
        _arcs(graph._rows, space.state.counts.arcs, graph._rank_bits, graph._own, &space.budget()) {}

  // The job.

  void begin() {
    if constexpr (!numbers_slots) return;
    _slot_of_number.ensure(_graph._rows + 1);
    _graph._number_of_slot.ensure(_walk.rows.row_limit() + 1);
    const Net& net = _space.net;
    if (const auto initial = _walk.locate(net.initial(), _walk.rows.reached_states(_walk.sets)))
      number_of(initial->row);
  }
  bool handle(std::uint64_t rows) {
    if constexpr (numbers_slots)
      return handle_found(rows);
    else
      return handle_all();
  }
  Stop wanted(bool has_more) const { return has_more && _walk.limit.is_reached() ? Stop::pause : Stop::none; }
  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) {
      std::uint64_t* const key = begin_record(std::uint64_t{records.transition(i)} << _graph._rank_bits |
                                              static_cast<std::uint64_t>(records.from));
      copy_words(key, records.key(i), _walk.stored().size());
      _walk.rows.end(_walk.rows.hash(key), {{1}});
    }
  }
  void hand_over(Stop) { flush(); }
  void finish(Stop stop) {
    flush();
    if (stop == Stop::none) _arcs.sort_into(_graph._predecessors, [&] { _walk.limit.expect_room(); });
  }

 private:
  bool handle_all() {
    if (!std::exchange(_is_through, true))
      _walk.for_each_row([&](Row row) { leave(row, static_cast<std::uint32_t>(index(row))); },
                         [&] { _walk.look_around(); });
    flush();
    return false;
  }
  bool handle_found(std::uint64_t rows) {
    for (std::uint64_t i = 0; i < rows; ++i) {
      if (_next == _found) flush();
      if (_next == _found) return false;
      const auto number = static_cast<std::uint32_t>(_next++);
      leave(static_cast<Row>(_slot_of_number[number]), number);
    }
    return true;
  }

  /// Fires all that is enabled in a row.
  void leave(Row row, std::uint32_t number) {
    std::uint32_t successors = 0;
    _walk.read_with_owner(row);
    _walk.for_each_left([&](const RowTransition& t) {
      if (!_walk.ops.any(_walk.enabled(t, {{1}}))) return;
      ++successors;
      if (const auto owner = _walk.other_owner_after(t)) return send(*owner, t, number);
      _walk.write_key_after(t, begin_record(_graph.own_code(number)));
      _walk.rows.end(_walk.hash() + t.hash_delta, {{1}});
    });
    set_successors(number, successors);
    ++_step.rows_done;
  }
  void send(Rank to, const RowTransition& t, std::uint32_t number) {
    _key.resize(_walk.stored().size());
    _walk.write_key_after(t, _key.data());
    _walk.send_key(to, _key.data(), number, {{1}});
  }
  void set_successors(std::uint32_t number, std::uint32_t count) {
    if (_graph._is_wide)
      reinterpret_cast<std::uint32_t*>(_graph._successors.data())[number] = count;
    else
      _graph._successors[number] = static_cast<std::uint8_t>(count);
    _graph._most_successors = std::max(_graph._most_successors, count);
    _graph._arcs += count;
  }

  /// Where to write the key of a row into which `source` leads.
  std::uint64_t* begin_record(RowCode source) {
    if (_walk.rows.is_full()) flush();
    _sources[_count++] = source;
    return _walk.rows.begin();
  }
  /// Every key that was written is that of a row, so that rows are found in the order in which sources were noted.
  void flush() {
    std::size_t i = 0;
    _walk.rows.flush([&](Row row) { fetch(row); },
                     [&](Row row, const Lanes&) { _arcs.add(number_of(row), _sources[i++]); });
    if (i != _count) throw std::logic_error("a successor is not among the states that were reached");
    _count = 0;
  }
  void fetch(Row row) const {
    if constexpr (numbers_slots) __builtin_prefetch(&_graph._number_of_slot[index(row)], 1);
  }
  std::uint32_t number_of(Row row) {
    if constexpr (!numbers_slots) return static_cast<std::uint32_t>(index(row));
    if (_graph._number_of_slot[index(row)] == 0) meet(row);
    return _graph._number_of_slot[index(row)] - 1;
  }
  void meet(Row slot) {
    _slot_of_number[_found] = static_cast<std::uint32_t>(index(slot));
    _graph._number_of_slot[index(slot)] = static_cast<std::uint32_t>(++_found);
  }

  Walk& _walk;
  const StateSpace& _space;
  RowGraph& _graph;
  LabellingStep& _step;
  ArcBuckets _arcs;
  std::array<RowCode, RowStore::batch_limit> _sources;  // of the records that wait in the view
  std::size_t _count = 0;
  std::vector<std::uint64_t> _key;
  bool _is_through = false;                                     // dense rows
  PageVector<std::uint32_t> _slot_of_number{&_space.budget()};  // slots
  std::uint64_t _next = 0, _found = 0;
};

}  // namespace dcheck
