#pragma once
// EX by looking at successors (paper five, algorithm 3), on any number of ranks: first those on this rank, up to the
// first that is in the set; for the lanes that are left the owners of the others are asked. Only a `yes` is answered:
// nobody waits for a `no`.

#include "label/questions.hpp"

namespace dcheck {

template <typename Walk>
class ForwardExOperator {
 public:
  using Lanes = typename Walk::Lanes;
  static constexpr Merging merging = Merging::none;

  ForwardExOperator(Walk& walk, const StateSet& reached, const StateSet& target, StateSet& out, std::uint64_t& queries)
      : _walk(walk), _reached(reached), _target(target), _out(out), _queries(queries), _questions(walk) {}

  // The job of a phase: one pass over all rows; it is not interrupted, but may end with a ResourceError.

  void begin() {}
  bool handle(std::uint64_t) {
    if (!std::exchange(_is_through, true))
      _walk.for_each_row([&](Row row) { look_at(row); },
                         [&] {
                           _walk.look_around();
                           answer();
                         });
    answer();
    return false;
  }
  static Stop wanted(bool) { return Stop::none; }
  void hand_over(Stop) {}
  void finish(Stop) { _queries += _questions.states(); }

  void look_at(Row row) {
    Lanes left = _walk.rows.get(_reached, row);
    _questions.look_here(row, left, [&](const RowTransition& t, const Lanes& from, std::optional<Row> to) {
      if (!to) return;
      Lanes found = _walk.after(t, from);
      _walk.ops.keep(found, _walk.rows.get(_target, *to).word.data());
      found = _walk.back(t, found);
      _walk.rows.add(_out, row, found);
      _walk.ops.drop(left, found.word.data());
    });
    _questions.ask_elsewhere(left, [] {});
  }

  void receive(const Records& records) {
    for (std::size_t i = 0; i < records.count; ++i) {
      if (NoteWord::kind(records.transition(i)) == NoteKind::question) {
        _questions.keep(records, i);
        continue;
      }
      const typename Questions<Walk>::Asker asker = _questions.asker(records, i);
      _walk.rows.add(_out, asker.row, asker.lanes);
    }
  }

  void answer() {
    _questions.answer_all([&](std::optional<Row> row, Lanes lanes, auto&& send) {
      if (!row) return;
      _walk.ops.keep(lanes, _walk.rows.get(_target, *row).word.data());
      if (_walk.ops.any(lanes)) send(NoteKind::yes, lanes);
    });
  }

 private:
  Walk& _walk;
  const StateSet& _reached;
  const StateSet& _target;
  StateSet& _out;
  std::uint64_t& _queries;
  bool _is_through = false;
  Questions<Walk> _questions;
};

}  // namespace dcheck
