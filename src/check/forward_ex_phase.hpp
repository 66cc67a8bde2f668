#pragma once
// EX by looking at successors (paper five, algorithm 3), on any number of ranks: first those on this rank, up to the
// first that is in the set; for the lanes that are left the owners of the others are asked. Only a `yes` is answered:
// nobody waits for a `no`.

#include "check/questions.hpp"

namespace dcheck {

template <typename Walk>
class ForwardExPhase {
 public:
  using Lanes = typename Walk::Lanes;
  static constexpr Merging merging = Merging::none;
  static constexpr bool is_done = false;

  ForwardExPhase(Walk& walk, const StateSet& reached, const StateSet& target, StateSet& out)
      : _walk(walk), _reached(reached), _target(target), _out(out), _questions(walk), _key(walk.stored().size()) {}

  void handle(std::uint64_t row) {
    Lanes left = _walk.rows.get(_reached, row);
    _walk.read_with_owner(row);
    _elsewhere.clear();
    _walk.for_each_left([&](const RowTransition& t) {
      if (const std::optional<int> owner = _walk.other_owner_after(t))
        _elsewhere.push_back({&t, *owner});
      else if (const Lanes from = _walk.enabled(t, left); _walk.ops.any(from))
        look_here(t, row, from, left);
    });
    for (const auto& [t, owner] : _elsewhere) {
      const Lanes from = _walk.enabled(*t, left);
      if (_walk.ops.any(from)) _questions.ask(owner, *t, _walk.after(*t, from));
    }
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

  /// Answers what was asked; false where nothing can be done until something comes.
  bool handle_piece() {
    answer();
    return false;
  }
  void answer() {
    _questions.answer_all([&](std::optional<std::uint64_t> row, Lanes lanes, auto&& send) {
      if (!row) return;
      _walk.ops.keep(lanes, _walk.rows.get(_target, *row).word.data());
      if (_walk.ops.any(lanes)) send(NoteKind::yes, lanes);
    });
  }

  std::uint64_t queries() const { return _questions.states(); }

 private:
  void look_here(const RowTransition& t, std::uint64_t row, const Lanes& from, Lanes& left) {
    std::optional<std::uint64_t> to = row;
    if (!t.stays) {
      _walk.write_key_after(t, _key.data());
      to = _walk.rows.find(_key.data());
    }
    if (!to) return;
    Lanes found = _walk.after(t, from);
    _walk.ops.keep(found, _walk.rows.get(_target, *to).word.data());
    if (!_walk.ops.any(found)) return;
    found = _walk.back(t, found);
    _walk.rows.add(_out, row, found);
    _walk.ops.drop(left, found.word.data());
  }

  struct Exit {
    const RowTransition* t;
    int owner;
  };

  Walk& _walk;
  const StateSet& _reached;
  const StateSet& _target;
  StateSet& _out;
  Questions<Walk> _questions;
  std::vector<Exit> _elsewhere;
  std::vector<std::uint64_t> _key;
};

}  // namespace dcheck
