#pragma once
// AU by asking for successors (paper five, algorithms 10 and 11; docs/decisions/0009).
//
// A state that joins notifies its possible predecessors. One that may join is checked: first its successors on this
// rank, up to the first that has not joined; only where all of them have, the owners of the others are asked. Rows are
// asked about in rounds: one question per transition for all lanes of the row that are left. A lane that gets a `no`
// drops out at once; when the last answer has come, the lanes that are left join.
//
// No wake-up is lost: a notice always leaves a check to be made after it, since a row that is asking when its check's
// turn comes keeps it until the round is over. So after the last notice to a state a check begins. Each of its
// successors joined before it sent its notice, hence before any question of that check could reach it: all answers are
// `yes`. This needs nothing of the order of messages but cause before effect.
//
// A rank with open questions may take part in the ring as passive: the question, or its answer, is under way or waits
// on a rank that is not passive. So where the ring ends the phase, no question is open.

#include <unordered_map>

#include "label/exists_operators.hpp"
#include "label/questions.hpp"

namespace dcheck {

/// The rows that wait for answers.
template <typename Walk>
class Rounds {
 public:
  using Lanes = typename Walk::Lanes;
  struct Round {
    Lanes asking;  // lanes all of whose successors have joined as far as is known
    Lanes again;   // lanes to be checked when the round is over
    std::uint32_t unanswered = 0;
  };

  /// Whether another row may ask: questions wait on other ranks, and take memory there.
  bool has_room() const { return _unanswered < most_unanswered; }
  bool is_empty() const { return _rounds.empty(); }

  /// Null where the row is not asking.
  Round* find(Row row) {
    const auto found = _rounds.find(row);
    return found == _rounds.end() ? nullptr : &found->second;
  }
  /// Begins a round that does not end before close() is called once more than questions were opened.
  Round& begin(Row row, const Lanes& asking, const Lanes& nothing) {
    ++_unanswered;
    return _rounds.emplace(row, Round{asking, nothing, 1}).first->second;
  }
  void open(Round& round) {
    ++round.unanswered;
    ++_unanswered;
  }
  /// One question less; true where it was the last.
  bool close(Round& round) {
    --_unanswered;
    return --round.unanswered == 0;
  }
  void end(Row row) { _rounds.erase(row); }

 private:
  static constexpr std::uint64_t most_unanswered = 1 << 15;
  std::unordered_map<Row, Round> _rounds;  // a reference is good until its round ends
  std::uint64_t _unanswered = 0;
};

template <typename Walk>
class AuQueryOperator {
 public:
  using Lanes = typename Walk::Lanes;
  using Work = typename Walk::Work;
  static constexpr Merging merging = Merging::none;

  /// Grows `sat`. `until` as in Operators::au(). Adds to `queries` how many successors, as states, were asked about.
  AuQueryOperator(Walk& walk, std::optional<StateRef> until, const StateSet& lasts, StateSet& sat,
                  std::uint64_t& queries)
      : _walk(walk),
        _until(until),
        _lasts(lasts),
        _sat(sat),
        _queries(queries),
        _joined(walk.worklist_of(sat)),
        _checks(walk.make_worklist()),
        _questions(walk) {}

  bool is_done = false;
  static constexpr bool wants(Row) { return true; }
  static constexpr bool wants(Row, const std::uint64_t*, WordRange) { return true; }
  static constexpr bool is_full_here() { return false; }

  void fetch(Row row) const {
    _walk.rows.fetch(_lasts, row);
    _walk.rows.fetch(_sat, row);
  }
  /// A notice: lanes with a successor that joined.
  void merge(Row row, Lanes lanes) {
    keep_open(row, lanes);
    if (_walk.ops.any(lanes)) _checks->add(row, lanes);
  }
  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) {
      const NoteKind kind = NoteWord::kind(records.transition(i));
      if (kind == NoteKind::notice)
        _walk.take_in(records, i, *this);
      else if (kind == NoteKind::question)
        _questions.keep(records, i);
      else
        take_answer(records, i, kind == NoteKind::yes);
    }
  }

  // The job of a phase.

  void begin() {}
  /// Some of what waits here; false where nothing can be done until something comes.
  bool handle(std::uint64_t rows) {
    answer();
    for (std::uint64_t i = 0; i < rows && !is_done; ++i) {
      if (!handle_row()) return !_questions.is_empty();
      ++_walk.step.rows_done;
    }
    return true;
  }
  Stop wanted(bool has_more) const {
    if (is_done) return Stop::drop;
    return has_more && _walk.limit.is_reached() ? Stop::pause : Stop::none;
  }
  /// At a pause too: those who have asked wait for the answers.
  void hand_over(Stop stop) {
    if (stop == Stop::drop) return;
    answer();
    _walk.flush(*this);
  }
  void finish(Stop stop) {
    if (stop == Stop::drop) return _walk.rows.forget();
    _walk.flush(*this);
    if (!_rounds.is_empty() || !_questions.is_empty()) throw std::logic_error("a phase ended with open questions");
  }
  void close_set() {
    _walk.sweeps = _joined->sweeps();
    _queries += _questions.states();
  }

 private:
  /// Turn by turn, all that has joined and all that is to be checked: so notices gather before their state is checked.
  bool handle_row() {
    for (int turn = 0; turn < 2; ++turn, _is_checking = !_is_checking)
      if (_is_checking ? check_one() : notify_one()) return true;
    return false;
  }
  bool notify_one() {
    Row row{};
    Lanes lanes;
    if (_joined->take(row, lanes)) {
      _walk.enter(row, lanes, *this);
      return true;
    }
    if (_walk.rows.is_idle()) return false;
    _walk.flush(*this);
    return true;
  }
  bool check_one() {
    Row row{};
    Lanes lanes;
    if (!_rounds.has_room() || !_checks->take(row, lanes)) return false;
    check(row, lanes);
    return true;
  }

  void check(Row row, Lanes lanes) {
    keep_open(row, lanes);
    if (!_walk.ops.any(lanes)) return;
    if (auto* const round = _rounds.find(row)) return _walk.ops.join(round->again, lanes);
    check_here(row, lanes);
    if (_walk.ops.any(lanes)) ask_others(row, lanes);
  }

  /// Keeps the lanes all of whose successors on this rank have joined.
  void check_here(Row row, Lanes& lanes) {
    _questions.look_here(row, lanes, [&](const RowTransition& t, Lanes from, std::optional<Row> to) {
      Lanes joined = _walk.after(t, from);
      keep_joined(to, joined);
      _walk.ops.drop(from, _walk.back(t, joined).word.data());
      _walk.ops.drop(lanes, from.word.data());
    });
  }

  void ask_others(Row row, const Lanes& lanes) {
    typename Rounds<Walk>::Round* round = nullptr;
    _questions.ask_elsewhere(lanes, [&] {
      if (round == nullptr) round = &_rounds.begin(row, lanes, _walk.ops.zero());
      _rounds.open(*round);
    });
    if (round == nullptr)
      join(row, lanes);
    else
      close(row, *round);
  }

  void take_answer(const Records& records, std::size_t i, bool is_yes) {
    const typename Questions<Walk>::Asker asker = _questions.asker(records, i);
    auto* const round = _rounds.find(asker.row);
    if (round == nullptr) throw std::logic_error("an answer to a row that has not asked");
    if (!is_yes) _walk.ops.drop(round->asking, asker.lanes.word.data());
    close(asker.row, *round);
  }
  void close(Row row, typename Rounds<Walk>::Round& round) {
    if (!_rounds.close(round)) return;
    const Lanes joined = round.asking;
    Lanes again = round.again;
    _rounds.end(row);
    if (_walk.ops.any(joined)) join(row, joined);
    _walk.ops.drop(again, joined.word.data());
    if (_walk.ops.any(again)) _checks->add(row, again);
  }

  void answer() {
    _questions.answer_all([&](std::optional<Row> row, Lanes lanes, auto&& send) {
      Lanes in = lanes;
      keep_joined(row, in);
      _walk.ops.drop(lanes, in.word.data());
      if (_walk.ops.any(lanes))
        send(NoteKind::no, lanes);
      else
        send(NoteKind::yes, in);
    });
  }

  void join(Row row, const Lanes& lanes) {
    _walk.rows.add(_sat, row, lanes);
    _joined->add(row, lanes);
    if (_until && row == _until->row && _walk.contains(_sat, *_until)) is_done = true;
  }
  void keep_open(Row row, Lanes& lanes) const {
    _walk.ops.keep(lanes, _walk.rows.get(_lasts, row).word.data());
    _walk.ops.drop(lanes, _walk.rows.get(_sat, row).word.data());
  }
  void keep_joined(std::optional<Row> row, Lanes& lanes) const {
    _walk.ops.keep(lanes, (row ? _walk.rows.get(_sat, *row) : _walk.ops.zero()).word.data());
  }

  Walk& _walk;
  std::optional<StateRef> _until;
  const StateSet& _lasts;
  StateSet& _sat;
  std::uint64_t& _queries;
  std::unique_ptr<Work> _joined, _checks;
  bool _is_checking = false;
  Questions<Walk> _questions;
  Rounds<Walk> _rounds;
};

}  // namespace dcheck
