#pragma once
// Walking over rows backwards: reads a row, finds the rows from which transitions lead into some of its lanes, and
// brings these lanes to where their row is, on this rank or another. What happens to them there is the matter of an
// operator, the job of a phase (walk_job.hpp):
//
//   fetch(row)         the row is known and will be merged soon
//   merge(row, lanes)  lanes of a row from which some transition leads into lanes that were handled
//   is_done            nobody needs the rest
//   merging            idempotent: an arc is merged at least once; counting: once; none: as well, and what other ranks
//                      send is the operator's own matter: receive(records)
//   closes             lanes that join inside a row do so before the row is left; see row_closer.hpp
//   wants(row)         some lane of the row may still join: what leads there is to be merged
//   wants(row, lanes, words)  the same of these lanes, which are all in these words of the mask
//   is_full_here()     no state of this rank will join any more: what leads to them need not be merged
//
// An operator may be merged into by everything here that sends or polls, so what it holds is not pointed into
// across such calls.

#include "dcheck/base/progress.hpp"
#include "dcheck/base/run_limit.hpp"
#include "dcheck/walk/lane_graph.hpp"
#include "dcheck/walk/row_closer.hpp"
#include "dcheck/walk/row_reader.hpp"
#include "dcheck/walk/worklist.hpp"

namespace dcheck {

template <typename Bits, typename ViewOf>
class RowWalk : public RowReader<Bits, ViewOf> {
  using Reader = RowReader<Bits, ViewOf>;

 public:
  using Reader::ops;
  using Reader::plan;
  using Reader::rows;
  using typename Reader::Lanes;
  using typename Reader::View;
  using Work = Worklist<View>;

  RowWalk(const StateSpace& space, RunLimit run_limit)
      : Reader(space),
        budget(&space.budget()),
        sets(rows.set_shape(), budget),
        limit(std::move(run_limit)),
        _space(space),
        _ranks(space.ranks),
        _is_alone(_ranks.is_alone()),
        _closer(plan),
        _rows_in_piece(_is_alone ? 4096 : std::clamp<std::size_t>(4096 / (plan.transitions().size() + 1), 8, 256)),
        _some_stay(std::any_of(plan.transitions().begin(), plan.transitions().end(),
                               [](const RowTransition& t) { return t.stays; })) {}

  MemoryBudget* budget;
  SetPool sets;
  RunLimit limit;
  LabellingStep step;
  std::optional<std::uint64_t> sweeps;  // how often the last worklist was gone through, where that is counted

  /// On all ranks alike. `count`: of rows of this rank, to be done; 0: nobody knows how many it will be.
  void begin_step(const char* name, std::uint64_t count) { step = {step.number + 1, name, 0, count, 0}; }
  std::uint64_t row_count() const { return _space.state.row_count(); }
  bool is_alone() const { return _is_alone; }

  /// visit(row) for every row. Looks at the limits, not at other ranks.
  template <typename Visit>
  void for_each_row(Visit&& visit) {
    for_each_row(visit, [this] { limit.expect_room(); });
  }
  /// With look() now and then in between.
  template <typename Visit, typename Look>
  void for_each_row(Visit&& visit, Look&& look) {
    std::size_t left = _rows_in_piece;
    rows.for_each_row([&](Row row) {
      visit(row);
      if (--left != 0) return;
      left = _rows_in_piece;
      step.rows_done += _rows_in_piece;
      look();
    });
  }

  std::unique_ptr<Work> make_worklist() { return std::make_unique<Work>(rows, rows.row_limit(), plan.words(), sets); }
  std::unique_ptr<Work> worklist_of(const StateSet& set) {
    auto work = make_worklist();
    if constexpr (View::one_lane) {
      for (std::uint64_t w = 0; w < set.words(); ++w)
        for (std::uint64_t bits = set.data()[w]; bits != 0; bits &= bits - 1)
          work->add(Row{w * 64 + static_cast<unsigned>(std::countr_zero(bits))}, {{1}});
    } else {
      work->assign(set, rows.row_limit());
    }
    return work;
  }

  /// Collective: one phase with the operator that make() gives. It may run out of memory or into a limit.
  template <typename Make>
  Stop apply(Make&& make) {
    using Operator = std::remove_reference_t<decltype(make())>;
    constexpr bool has_transition = Operator::merging != Merging::idempotent;
    const RecordShape shape{this->stored().size(), View::one_lane ? 0 : plan.words(), has_transition};
    return run_phase(_ranks, _space.phase(shape, Operator::merging), most_rows, make);
  }

  /// Handles some of the rows that wait; false where nothing waits any more.
  template <typename Operator>
  bool handle_rows(Work& work, Operator& op, std::uint64_t most) {
    Row row{};
    Lanes lanes;
    for (std::uint64_t i = 0; i < most && !op.is_done; ++i) {
      if (!work.take(row, lanes)) {
        if (rows.is_idle()) return false;
        flush(op);
        continue;
      }
      if constexpr (Operator::closes)
        enter_closed(row, lanes, op);
      else
        enter(row, lanes, op);
      ++step.rows_done;
    }
    if (const auto rounds = work.sweeps()) step.round = *rounds;
    return true;
  }
  /// Brings all the predecessors of some lanes of a row to where they belong.
  template <typename Operator>
  void enter(Row row, const Lanes& lanes, Operator& op) {
    if (_graph) return bring_kept(row, kept_operations(row), lanes, op);
    read_with_owner(row);
    this->for_each_entered([&](const RowTransition& t) { record(t, lanes, op); });
  }
  /// Between two pieces of work that cannot be interrupted.
  void look_around() {
    limit.expect_room();
    if (!_is_alone) _ranks.exchange().poll();
  }
  /// A record that came: lanes of a row of this rank, to be merged sooner or later.
  template <typename Operator>
  void take_in(const Records& records, std::size_t i, Operator& op) {
    std::uint64_t* const key = rows.begin();
    copy_words(key, records.key(i), words_or<View::key_words>(this->stored().size()));
    rows.end(rows.hash(key), lanes_of(records, i));
    if (rows.is_full()) flush(op);
  }
  Lanes lanes_of(const Records& records, std::size_t i) const {
    if constexpr (View::one_lane)
      return {{1}};
    else
      return ops.load(records.mask(i));
  }
  /// Merges the records that wait here; false.
  template <typename Operator>
  bool flush(Operator& op) {
    rows.flush([&](Row row) { op.fetch(row); }, [&](Row row, const Lanes& lanes) { op.merge(row, lanes); });
    return false;
  }

  /// Reads a row such that the owners of its neighbours can be told.
  void read_with_owner(Row row) {
    this->read(row);
    if (!_is_alone) _sum = _space.allocation.sum(this->stored().data());
  }
  /// Whether the row that t leads to, or comes from, is another rank's, and which one's.
  std::optional<Rank> other_owner_after(const RowTransition& t) const {
    return _is_alone ? std::nullopt : other_owner(_sum + _space.allocation.delta(plan.number_of(t)));
  }
  std::optional<Rank> other_owner_before(const RowTransition& t) const {
    return _is_alone ? std::nullopt : other_owner(_sum - _space.allocation.delta(plan.number_of(t)));
  }
  /// Sends lanes of the row with this key, in a phase that merges nothing; `word` in the place of a transition.
  void send_key(Rank to, const std::uint64_t* key, std::uint32_t word, const Lanes& lanes) {
    copy_words(_ranks.exchange().record(to), key, words_or<View::key_words>(this->stored().size()));
    _ranks.exchange().template commit<any_words, record_masks>(to, 0, word, lanes.word.data());
  }

  Lanes every_lane() const {
    Lanes lanes = ops.zero();
    for (const Lane lane : FirstIds<Lane>(plan.lane_count())) add_lane(lanes.word.data(), lane);
    return lanes;
  }

  /// From now on rows are entered by what the graph says, not by their keys. Many lanes only.
  void set_graph(std::unique_ptr<LaneGraph> graph) { _graph = std::move(graph); }
  const LaneGraph* graph() const { return _graph.get(); }

 private:
  template <typename Operator>
  void enter_closed(Row row, Lanes& lanes, Operator& op) {
    if (!_some_stay) return enter(row, lanes, op);
    _closer.begin_row();
    if (_graph) {
      const std::span<LaneGraph::Operation> outside = without_inside(row, kept_operations(row));
      _closer.close(op, row, lanes, [&](const auto& kind, const Lanes& of) { return before_kept(kind, of); });
      return bring_kept(row, outside, lanes, op);
    }
    read_with_owner(row);
    _outside.clear();
    this->for_each_entered([&](const RowTransition& t) {
      if (t.stays)
        _closer.add({&t, plan.lane_masks() + t.masks, true}, !t.tests_key_by_lane());
      else
        _outside.push_back(&t);
    });
    _closer.close(op, row, lanes,
                  [&](const auto& kind, const Lanes& of) { return this->before(*kind.transition, of); });
    for (const RowTransition* t : _outside) record(*t, lanes, op);
  }

  // With the graph.

  std::span<LaneGraph::Operation> kept_operations(Row row) {
    const std::size_t count = _graph->count(static_cast<std::uint32_t>(row));
    if (_operations.size() < count) _operations.resize(2 * count);
    _graph->read(static_cast<std::uint32_t>(row), _operations.data());
    return std::span(_operations).first(count);
  }
  /// Moves the operations inside the row to the closer.
  std::span<LaneGraph::Operation> without_inside(Row row, std::span<LaneGraph::Operation> operations) {
    std::size_t outside = 0;
    for (const LaneGraph::Operation& operation : operations)
      if (operation.source == static_cast<std::uint32_t>(row))
        _closer.add(_graph->kinds[operation.kind], true);
      else
        operations[outside++] = operation;
    return operations.first(outside);
  }
  template <typename Operator>
  void bring_kept(Row row, std::span<LaneGraph::Operation> operations, const Lanes& lanes, Operator& op) {
    bool is_read = false;
    std::size_t wanted = 0;
    for (const LaneGraph::Operation& operation : operations) {
      if (operation.source == _graph->elsewhere()) {
        if (!std::exchange(is_read, true)) read_with_owner(row);
        record(*_graph->kinds[operation.kind].transition, lanes, op);
      } else if (op.wants(Row{operation.source})) {
        op.fetch(Row{operation.source});
        operations[wanted++] = operation;
      }
    }
    for (const auto& [number, source] : operations.first(wanted)) {
      const OperationKinds::Kind& kind = _graph->kinds[number];
      if (!op.wants(Row{source}, kind.sources, kind.transition->domain)) continue;
      const Lanes from = before_kept(kind, lanes);
      if (ops.any(from)) op.merge(Row{source}, from);
    }
  }
  Lanes before_kept(const OperationKinds::Kind& kind, const Lanes& lanes) const {
    Lanes from = lanes_before<Bits>(plan, *kind.transition, ops, lanes);
    if (!kind.is_plain) ops.keep(from, kind.sources);
    return from;
  }

  /// Looks up, sooner or later, the row from which t leads into `lanes` of the row that was read last.
  template <typename Operator>
  void record(const RowTransition& t, const Lanes& lanes, Operator& op) {
    Lanes from = this->before_but_guard(t, lanes);
    if (!ops.any(from)) return;
    if (const auto to = other_owner_before(t)) return send<Operator::merging>(*to, t, from);
    if (op.is_full_here()) return;
    if (!this->write_key_before(t, rows.begin(), from)) return;
    rows.end(this->hash() - t.hash_delta, from);
    if (rows.is_full()) flush(op);
  }

  // Other ranks.

  std::optional<Rank> other_owner(std::uint64_t sum) const {
    const Rank owner = _space.allocation.owner(sum);
    return owner == _ranks.rank() ? std::nullopt : std::optional(owner);
  }

  template <Merging M>
  void send(Rank to, const RowTransition& t, Lanes& from) {
    std::uint64_t* const key = _ranks.exchange().record(to);
    if (!this->write_key_before(t, key, from)) return;
    if (this->stored().size() == 1)
      commit<M, 1>(to, key[0], t, from);
    else
      commit<M, any_words>(to, this->hash() - t.hash_delta, t, from);
  }
  template <Merging M, int K>
  void commit(Rank to, std::uint64_t hash, const RowTransition& t, const Lanes& from) {
    if constexpr (M == Merging::idempotent)
      _ranks.exchange().template commit<K, record_masks>(to, hash, from.word.data());
    else
      _ranks.exchange().template commit<K, record_masks>(to, hash, static_cast<std::uint32_t>(plan.number_of(t)),
                                                         from.word.data());
  }

  static constexpr std::uint64_t most_rows = 4096;  // before anybody is asked whether to stop
  static constexpr int record_masks = View::one_lane ? 0 : Reader::width == 0 ? any_words : Reader::width;

  const StateSpace& _space;
  Ranks& _ranks;
  bool _is_alone;
  RowCloser<Reader::width> _closer;
  std::size_t _rows_in_piece;  // of others one hears every few hundred microseconds
  std::uint64_t _sum = 0;      // tells the row's owner, where not alone
  std::unique_ptr<LaneGraph> _graph;
  std::vector<LaneGraph::Operation> _operations;  // into the row at hand, by the graph
  std::vector<const RowTransition*> _outside;     // from other rows, by its key
  bool _some_stay;
};

}  // namespace dcheck
