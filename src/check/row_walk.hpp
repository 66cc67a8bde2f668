#pragma once
// Walking over rows backwards: reads a row, finds the rows from which transitions lead into some of its lanes, and
// brings these lanes to where their row is, on this rank or another. What happens to them there is the phase's matter:
//
//   fetch(row)         the row is known and will be merged soon
//   merge(row, lanes)  lanes of a row from which some transition leads into lanes that were handled
//   is_done            nobody needs the rest
//   counts             each arc is merged once (otherwise: at least once)
//   closes             close(row, lanes) adds the lanes that join inside a row before the row is left
//
// A phase may be merged into by everything here that sends or polls, so what it holds is not pointed into
// across such calls.

#include "check/spaces.hpp"
#include "check/worklist.hpp"
#include "dcheck/rows/firing.hpp"

namespace dcheck {

/// A reached state of this rank.
struct StateRef {
  std::uint64_t row = 0;
  std::uint32_t lane = 0;
};

template <typename BitsOf, typename SpaceOf>
class RowWalk {
 public:
  using Bits = BitsOf;
  using Space = SpaceOf;
  static constexpr int width = Space::mask_words;
  using Lanes = Mask<width>;
  using Work = Worklist<Space>;

  RowWalk(StateSpace& space, std::function<void()> poll)
      : plan(*space.plan),
        budget(&space.budget),
        rows(space),
        ops(plan.words()),
        sets(Space::set_words(rows.row_limit(), plan.words()), budget),
        _ranks(space.ranks),
        _is_alone(_ranks.is_alone()),
        _rows_in_piece(_is_alone ? 4096 : 256),
        _poll(std::move(poll)),
        _stored(plan.layout().stored_words()),
        _working(plan.layout().working_words()),
        _use_watch(plan.transitions().size() > watch_threshold),
        _some_stay(std::any_of(plan.transitions().begin(), plan.transitions().end(),
                               [](const RowTransition& t) { return t.stays; })) {}

  const Plan& plan;
  MemoryBudget* budget;
  Space rows;
  MaskOps<width> ops;
  SetPool sets;

  bool contains(const StateSet& set, StateRef state) const {
    return (rows.get(set, state.row).word[state.lane / 64] >> (state.lane % 64) & 1) != 0;
  }
  /// The state, where its row is this rank's and was reached with its lane in `reached`.
  std::optional<StateRef> locate(std::span<const Tokens> marking, const StateSet& reached) const {
    const Layout& layout = plan.layout();
    for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
      const auto tokens = static_cast<std::uint64_t>(marking[index(plan.key_places()[i])]);
      if (tokens > low_bits(layout.stored_field(i).width)) return std::nullopt;
    }
    const auto lane = plan.lanes().find(plan.leaf_marking(marking));
    const auto row = rows.find(plan.stored_key(marking).data());
    if (!lane || !row || !contains(reached, {*row, *lane})) return std::nullopt;
    return StateRef{*row, *lane};
  }

  void read(std::uint64_t row) {
    rows.key(row, _stored.data());
    plan.layout().decode(_stored.data(), _working.data());
    _hash = rows.hash(_stored.data());
    if (!_is_alone) _sum = _ranks.allocation().sum(_stored.data());
  }
  /// The working key of the row that was read last.
  const std::uint64_t* working() const { return _working.data(); }

  /// visit(t) for the transitions that may be enabled in the row that was read last.
  template <typename Visit>
  void for_each_left(Visit&& visit) const {
    const auto look = [&](const RowTransition& t) {
      if (key_passes(plan, t.before, _working.data())) visit(t);
    };
    if (_use_watch) return for_each_woken(plan, plan.watch_before(), _working.data(), look);
    for (const RowTransition& t : plan.transitions()) look(t);
  }

  /// visit(row) for every row. Looks at the limits, not at other ranks.
  template <typename Visit>
  void for_each_row(Visit&& visit) {
    for_each_row(visit, [this] { _poll(); });
  }
  /// With look() now and then in between.
  template <typename Visit, typename Look>
  void for_each_row(Visit&& visit, Look&& look) {
    std::uint64_t count = 0;
    rows.for_each_row([&](std::uint64_t row) {
      visit(row);
      if (++count % _rows_in_piece == 0) look();
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
    const RecordShape shape{_stored.size(), Space::one_lane ? 0 : plan.words(), Phase::counts};
    _ranks.phase(
        shape, Phase::counts ? Merging::counting : Merging::idempotent,
        [&](const Records& records) { receive(records, *running); },
        [&] {
          Phase phase = make();
          running = &phase;
          run(phase);
        });
  }

  /// Takes rows until nothing waits on any rank or the phase is done.
  template <typename Phase>
  void handle_all(Work& work, Phase& phase) {
    finish(phase, [&] { return handle_piece(work, phase); });
  }
  /// Brings all the predecessors of some lanes of a row to where they belong.
  template <typename Phase>
  void enter(std::uint64_t row, const Lanes& lanes, Phase& phase) {
    read(row);
    for_each_entered([&](const RowTransition& t) { record(t, lanes, phase); });
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
  /// Merges the records that wait here; false.
  template <typename Phase>
  bool flush(Phase& phase) {
    rows.flush([&](std::uint64_t row) { phase.fetch(row); },
               [&](std::uint64_t row, const Lanes& lanes) { phase.merge(row, lanes); });
    return false;
  }

  /// The transitions by which the row at hand may be entered from itself; for close().
  const std::vector<const RowTransition*>& inside() const { return _inside; }
  /// The lanes of the row that was read last from which t leads into `lanes` of the same row.
  Lanes before(const RowTransition& t, const Lanes& lanes) const {
    Lanes from = lanes_before<Bits>(plan, t, _working.data(), ops, lanes);
    if (t.guard >= 0) keep_guarded(t, _working.data(), from);
    return from;
  }

 private:
  /// False where nothing waits any more.
  template <typename Phase>
  bool handle_piece(Work& work, Phase& phase) {
    std::uint64_t row = 0;
    Lanes lanes;
    for (unsigned i = 0; i < _rows_in_piece && !phase.is_done; ++i) {
      if (!work.take(row, lanes)) {
        if (rows.is_idle()) return false;
        flush(phase);
        continue;
      }
      if constexpr (Phase::closes)
        enter_closed(row, lanes, phase);
      else
        enter(row, lanes, phase);
    }
    return true;
  }

  template <typename Phase>
  void enter_closed(std::uint64_t row, Lanes& lanes, Phase& phase) {
    if (!_some_stay) return enter(row, lanes, phase);
    read(row);
    gather_entered();
    if (!_inside.empty()) phase.close(row, lanes);
    for (const RowTransition* t : _outside) record(*t, lanes, phase);
  }

  /// visit(t) for the transitions by which the row that was read last may be entered.
  template <typename Visit>
  void for_each_entered(Visit&& visit) const {
    const auto look = [&](const RowTransition& t) {
      if (key_passes(plan, t.after, _working.data())) visit(t);
    };
    if (_use_watch) return for_each_woken(plan, plan.watch_after(), _working.data(), look);
    for (const RowTransition& t : plan.transitions()) look(t);
  }

  void gather_entered() {
    _inside.clear();
    _outside.clear();
    for_each_entered([&](const RowTransition& t) { (t.stays ? _inside : _outside).push_back(&t); });
  }

  void keep_guarded(const RowTransition& t, const std::uint64_t* working, Lanes& from) const {
    plan.guards()[static_cast<std::size_t>(t.guard)].lanes(plan, working, from.word.data(), from.word.data());
  }

  /// Looks up, sooner or later, the row from which t leads into `lanes` of the row that was read last.
  template <typename Phase>
  void record(const RowTransition& t, const Lanes& lanes, Phase& phase) {
    Lanes from = lanes_before<Bits>(plan, t, _working.data(), ops, lanes);
    if (!ops.any(from)) return;
    if (!_is_alone)
      if (const int to = owner_before(t); to != _ranks.rank()) return send<Phase::counts>(to, t, from);
    if (!write_key_before(t, rows.begin(), from)) return;
    rows.end(_hash - t.hash_delta, from);
    if (rows.is_full()) flush(phase);
  }

  /// The key of the row before t, and of `from` the lanes in which t's guard holds; false where there is none.
  [[gnu::always_inline]] bool write_key_before(const RowTransition& t, std::uint64_t* key, Lanes& from) {
    copy_words(key, _stored.data(), words_or<Space::key_words>(_stored.size()));
    for (std::uint32_t i = t.stored_deltas.begin; i < t.stored_deltas.end; ++i)
      key[plan.stored_deltas()[i].word] -= plan.stored_deltas()[i].delta;
    if (t.guard < 0) return true;
    _working_before.resize(_working.size());
    plan.layout().decode(key, _working_before.data());
    keep_guarded(t, _working_before.data(), from);
    return ops.any(from);
  }

  // Other ranks.

  std::size_t number_of(const RowTransition& t) const {
    return static_cast<std::size_t>(&t - plan.transitions().data());
  }
  int owner_before(const RowTransition& t) const {
    const Allocation& allocation = _ranks.allocation();
    return allocation.owner(_sum - allocation.delta(number_of(t)));
  }

  template <bool Counts>
  void send(int to, const RowTransition& t, Lanes& from) {
    std::uint64_t* const key = _ranks.exchange().record(to);
    if (!write_key_before(t, key, from)) return;
    if (_stored.size() == 1)
      commit<Counts, 1>(to, key[0], t, from);
    else
      commit<Counts, any_words>(to, _hash - t.hash_delta, t, from);
  }
  template <bool Counts, int K>
  void commit(int to, std::uint64_t hash, const RowTransition& t, const Lanes& from) {
    constexpr int masks = Space::one_lane ? 0 : width == 0 ? any_words : width;
    if constexpr (Counts)
      _ranks.exchange().template commit<K, masks>(to, hash, static_cast<std::uint32_t>(number_of(t)), from.word.data());
    else
      _ranks.exchange().template commit<K, masks>(to, hash, from.word.data());
  }

  template <typename Phase>
  void receive(const Records& records, Phase& phase) {
    for (std::size_t i = 0; i < records.count; ++i) {
      std::uint64_t* const key = rows.begin();
      copy_words(key, records.key(i), words_or<Space::key_words>(_stored.size()));
      if constexpr (Space::one_lane)
        rows.end(rows.hash(key), {{1}});
      else
        rows.end(rows.hash(key), ops.load(records.mask(i)));
      if (rows.is_full()) flush(phase);
    }
  }

  Ranks& _ranks;
  bool _is_alone;
  unsigned _rows_in_piece;
  std::function<void()> _poll;
  std::vector<std::uint64_t> _stored, _working, _working_before;
  std::uint64_t _hash = 0;
  std::uint64_t _sum = 0;                               // tells the row's owner, where not alone
  std::vector<const RowTransition*> _inside, _outside;  // entered by: from the row itself, from others
  bool _use_watch, _some_stay;
};

}  // namespace dcheck
