#pragma once
// Walking over rows backwards: reads a row, finds the rows from which transitions lead into some of its lanes, and
// brings these lanes to where their row is, on this rank or another. What happens to them there is the phase's matter:
//
//   fetch(row)         the row is known and will be merged soon
//   merge(row, lanes)  lanes of a row from which some transition leads into lanes that were handled
//   is_done            nobody needs the rest
//   merging            idempotent: an arc is merged at least once; counting: once; none: as well, and what other ranks
//                      send is the phase's own matter: receive(records)
//   closes             close(row, lanes) adds the lanes that join inside a row before the row is left
//
// A phase may be merged into by everything here that sends or polls, so what it holds is not pointed into
// across such calls.

#include "check/row_reader.hpp"
#include "check/worklist.hpp"

namespace dcheck {

template <typename Bits, typename SpaceOf>
class RowWalk : public RowReader<Bits, SpaceOf> {
  using Reader = RowReader<Bits, SpaceOf>;

 public:
  using Reader::ops;
  using Reader::plan;
  using Reader::rows;
  using typename Reader::Lanes;
  using typename Reader::Space;
  using Work = Worklist<Space>;

  RowWalk(StateSpace& space, std::function<void()> poll)
      : Reader(space),
        budget(&space.budget),
        sets(Space::set_words(rows.row_limit(), plan.words()), budget),
        _state(space.state),
        _ranks(space.ranks),
        _is_alone(_ranks.is_alone()),
        _rows_in_piece(_is_alone ? 4096 : std::clamp<std::size_t>(4096 / (plan.transitions().size() + 1), 8, 256)),
        _poll(std::move(poll)),
        _some_stay(std::any_of(plan.transitions().begin(), plan.transitions().end(),
                               [](const RowTransition& t) { return t.stays; })) {}

  MemoryBudget* budget;
  SetPool sets;
  LabellingStep step;

  /// On all ranks alike. `count`: of rows of this rank, to be done; 0: nobody knows how many it will be.
  void begin_step(const char* name, std::uint64_t count) { step = {step.number + 1, name, 0, count, 0}; }
  std::uint64_t row_count() const { return _state.row_count(); }

  /// visit(row) for every row. Looks at the limits, not at other ranks.
  template <typename Visit>
  void for_each_row(Visit&& visit) {
    for_each_row(visit, [this] { _poll(); });
  }
  /// With look() now and then in between.
  template <typename Visit, typename Look>
  void for_each_row(Visit&& visit, Look&& look) {
    std::size_t left = _rows_in_piece;
    rows.for_each_row([&](std::uint64_t row) {
      visit(row);
      if (--left != 0) return;
      left = _rows_in_piece;
      step.rows_done += _rows_in_piece;
      look();
    });
  }

  std::unique_ptr<Work> make_worklist() {
    return std::make_unique<Work>(rows, rows.row_limit(), plan.words(), sets, budget);
  }
  std::unique_ptr<Work> worklist_of(const StateSet& set) {
    auto work = make_worklist();
    if constexpr (Space::one_lane) {
      for (std::uint64_t w = 0; w < set.words(); ++w)
        for (std::uint64_t bits = set.data()[w]; bits != 0; bits &= bits - 1)
          work->add(w * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)), {{1}});
    } else {
      for (std::uint64_t row = 0; row < rows.row_limit(); ++row) {
        const Lanes lanes = rows.get(set, row);
        if (ops.any(lanes)) work->add(row, lanes);
      }
    }
    return work;
  }

  /// Collective: one phase on all ranks, from its making on each of them to its end on all: make() gives it, run(phase)
  /// does this rank's work on it and ends with finish(). Both may run out of memory or into a limit.
  template <typename Make, typename Run>
  void in_phase(Make&& make, Run&& run) {
    using Phase = decltype(make());
    // Other ranks may begin sooner; what they send waits until this rank looks for it, in run().
    Phase* running = nullptr;
    constexpr bool has_transition = Phase::merging != Merging::idempotent;
    const RecordShape shape{this->stored().size(), Space::one_lane ? 0 : plan.words(), has_transition};
    const auto handle = [&](const Records& records) {
      if constexpr (Phase::merging == Merging::none)
        running->receive(records);
      else
        for (std::size_t i = 0; i < records.count; ++i) take_in(records, i, *running);
    };
    _ranks.phase(shape, Phase::merging, handle, [&] {
      Phase phase = make();
      running = &phase;
      run(phase);
    });
  }

  /// Takes rows until nothing waits on any rank or the phase is done.
  template <typename Phase>
  void handle_all(Work& work, Phase& phase) {
    finish(phase, [&] {
      const bool has_more = handle_piece(work, phase);
      if (const auto sweeps = work.sweeps()) step.round = *sweeps;
      return has_more;
    });
  }
  /// Brings all the predecessors of some lanes of a row to where they belong.
  template <typename Phase>
  void enter(std::uint64_t row, const Lanes& lanes, Phase& phase) {
    read_with_owner(row);
    this->for_each_entered([&](const RowTransition& t) { record(t, lanes, phase); });
  }
  /// Between two pieces of work.
  void look_around() {
    _poll();
    if (!_is_alone) _ranks.exchange().poll();
  }
  /// Ends the phase on all ranks: piece() does what waits, and says whether more does.
  template <typename Phase, typename Piece>
  void finish(Phase& phase, Piece&& piece) {
    bool is_over = false;
    while (!is_over && !phase.is_done && (_is_alone || _ranks.exchange().stop() == Stop::none)) {
      const bool has_more = piece();
      _poll();
      if (_is_alone)
        is_over = !has_more;
      else if (has_more)
        _ranks.exchange().poll();
      else
        is_over = _ranks.exchange().is_over(true);
    }
    rows.forget();
    if (_is_alone) return;
    if (phase.is_done) _ranks.exchange().ask_to_stop(Stop::drop);
    while (!_ranks.exchange().is_over(true)) {
    }
  }
  /// A record that came: lanes of a row of this rank, to be merged sooner or later.
  template <typename Phase>
  void take_in(const Records& records, std::size_t i, Phase& phase) {
    std::uint64_t* const key = rows.begin();
    copy_words(key, records.key(i), words_or<Space::key_words>(this->stored().size()));
    rows.end(rows.hash(key), lanes_of(records, i));
    if (rows.is_full()) flush(phase);
  }
  Lanes lanes_of(const Records& records, std::size_t i) const {
    if constexpr (Space::one_lane)
      return {{1}};
    else
      return ops.load(records.mask(i));
  }
  /// Merges the records that wait here; false.
  template <typename Phase>
  bool flush(Phase& phase) {
    rows.flush([&](std::uint64_t row) { phase.fetch(row); },
               [&](std::uint64_t row, const Lanes& lanes) { phase.merge(row, lanes); });
    return false;
  }

  /// Reads a row such that the owners of its neighbours can be told.
  void read_with_owner(std::uint64_t row) {
    this->read(row);
    if (!_is_alone) _sum = _ranks.allocation().sum(this->stored().data());
  }
  /// Whether the row that t leads to is another rank's, and which one's.
  std::optional<int> other_owner_after(const RowTransition& t) const {
    if (_is_alone) return std::nullopt;
    const Allocation& allocation = _ranks.allocation();
    const int owner = allocation.owner(_sum + allocation.delta(plan.number_of(t)));
    return owner == _ranks.rank() ? std::nullopt : std::optional(owner);
  }
  /// Sends lanes of the row with this key, in a phase that merges nothing; `word` in the place of a transition.
  void send_key(int to, const std::uint64_t* key, std::uint32_t word, const Lanes& lanes) {
    copy_words(_ranks.exchange().record(to), key, words_or<Space::key_words>(this->stored().size()));
    _ranks.exchange().template commit<any_words, record_masks>(to, 0, word, lanes.word.data());
  }
  std::size_t rows_in_piece() const { return _rows_in_piece; }

  /// The transitions by which the row at hand may be entered from itself; for close().
  const std::vector<const RowTransition*>& inside() const { return _inside; }

 private:
  /// False where nothing waits any more.
  template <typename Phase>
  bool handle_piece(Work& work, Phase& phase) {
    std::uint64_t row = 0;
    Lanes lanes;
    for (std::size_t i = 0; i < _rows_in_piece && !phase.is_done; ++i) {
      if (!work.take(row, lanes)) {
        if (rows.is_idle()) return false;
        flush(phase);
        continue;
      }
      if constexpr (Phase::closes)
        enter_closed(row, lanes, phase);
      else
        enter(row, lanes, phase);
      ++step.rows_done;
    }
    return true;
  }

  template <typename Phase>
  void enter_closed(std::uint64_t row, Lanes& lanes, Phase& phase) {
    if (!_some_stay) return enter(row, lanes, phase);
    read_with_owner(row);
    gather_entered();
    if (!_inside.empty()) phase.close(row, lanes);
    for (const RowTransition* t : _outside) record(*t, lanes, phase);
  }

  void gather_entered() {
    _inside.clear();
    _outside.clear();
    this->for_each_entered([&](const RowTransition& t) { (t.stays ? _inside : _outside).push_back(&t); });
  }

  /// Looks up, sooner or later, the row from which t leads into `lanes` of the row that was read last.
  template <typename Phase>
  void record(const RowTransition& t, const Lanes& lanes, Phase& phase) {
    Lanes from = this->before_but_guard(t, lanes);
    if (!ops.any(from)) return;
    if (!_is_alone)
      if (const int to = owner_before(t); to != _ranks.rank()) return send<Phase::merging>(to, t, from);
    if (!this->write_key_before(t, rows.begin(), from)) return;
    rows.end(this->hash() - t.hash_delta, from);
    if (rows.is_full()) flush(phase);
  }

  // Other ranks.

  int owner_before(const RowTransition& t) const {
    const Allocation& allocation = _ranks.allocation();
    return allocation.owner(_sum - allocation.delta(plan.number_of(t)));
  }

  template <Merging M>
  void send(int to, const RowTransition& t, Lanes& from) {
    std::uint64_t* const key = _ranks.exchange().record(to);
    if (!this->write_key_before(t, key, from)) return;
    if (this->stored().size() == 1)
      commit<M, 1>(to, key[0], t, from);
    else
      commit<M, any_words>(to, this->hash() - t.hash_delta, t, from);
  }
  template <Merging M, int K>
  void commit(int to, std::uint64_t hash, const RowTransition& t, const Lanes& from) {
    if constexpr (M == Merging::idempotent)
      _ranks.exchange().template commit<K, record_masks>(to, hash, from.word.data());
    else
      _ranks.exchange().template commit<K, record_masks>(to, hash, static_cast<std::uint32_t>(plan.number_of(t)),
                                                         from.word.data());
  }

  static constexpr int record_masks = Space::one_lane ? 0 : Reader::width == 0 ? any_words : Reader::width;

  const ExploreState& _state;
  Ranks& _ranks;
  bool _is_alone;
  std::size_t _rows_in_piece;  // of others one hears every few hundred microseconds
  std::function<void()> _poll;
  std::uint64_t _sum = 0;                               // tells the row's owner, where not alone
  std::vector<const RowTransition*> _inside, _outside;  // entered by: from the row itself, from others
  bool _some_stay;
};

}  // namespace dcheck
