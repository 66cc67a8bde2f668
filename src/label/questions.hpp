#pragma once
// Asking other ranks about successors: are these lanes of your row in the set? One shape of record for all that a phase
// sends, with its kind in the highest bits of the transition's word:
//
//   - notice: lanes of a row from which the transition leads into lanes that joined, a walk's own records
//   (row_walk.hpp)
//   - question: lanes of the row that the transition leads to
//   - yes, no: the answer, that row and that transition again, and lanes that are in the set, or that are not
//
// An answer needs no memory of the question: taking the transition back from its row names the row that asked. What
// comes is handled where nothing may be sent, so questions wait here until the phase answers them, in the order they
// came in.

#include <stdexcept>
#include <vector>

#include "dcheck/walk/row_walk.hpp"

namespace dcheck {

enum class NoteKind : std::uint32_t { notice, question, yes, no };

/// A transition and the kind of a record in one word.
struct NoteWord {
  static constexpr int shift = 30;

  static std::uint32_t of(NoteKind kind, PlanTransition transition) {
    if (index(transition) >> shift != 0) throw std::logic_error("too many transitions to ask about one");
    return static_cast<std::uint32_t>(kind) << shift | static_cast<std::uint32_t>(transition);
  }
  static NoteKind kind(std::uint32_t word) { return static_cast<NoteKind>(word >> shift); }
  static PlanTransition transition(std::uint32_t word) {
    return PlanTransition{word & ((std::uint32_t{1} << shift) - 1)};
  }
};

template <typename Walk>
class Questions {
 public:
  using Lanes = typename Walk::Lanes;

  explicit Questions(Walk& walk) : _walk(walk), _key(walk.stored().size()) {}

  /// visit(t, from, to) for the transitions of a row that lead to rows of this rank: `from` are those of `lanes` in
  /// which t is enabled, `to` the row, none where it does not exist. Ends once visits have left nothing of `lanes`.
  template <typename Visit>
  void look_here(Row row, const Lanes& lanes, Visit&& visit) {
    _elsewhere.clear();
    _walk.read_with_owner(row);
    _walk.for_each_left([&](const RowTransition& t) {
      if (!_walk.ops.any(lanes)) return;
      if (const std::optional<Rank> owner = _walk.other_owner_after(t)) {
        _elsewhere.push_back({&t, *owner});
        return;
      }
      const Lanes from = _walk.enabled(t, lanes);
      if (_walk.ops.any(from)) visit(t, from, t.stays ? std::optional(row) : row_after(t));
    });
  }
  /// After look_here(): asks about the successors of `lanes` that other ranks have, one question per transition.
  /// is_asking() is called before each: answers come in while the next one is asked.
  template <typename IsAsking>
  void ask_elsewhere(const Lanes& lanes, IsAsking&& is_asking) {
    for (const auto& [t, owner] : _elsewhere) {
      const Lanes from = _walk.enabled(*t, lanes);
      if (!_walk.ops.any(from)) continue;
      is_asking();
      _walk.write_key_after(*t, _key.data());
      _walk.send_key(owner, _key.data(), NoteWord::of(NoteKind::question, _walk.plan.number_of(*t)),
                     _walk.after(*t, from));
      _states += _walk.ops.size(from);
    }
  }
  /// How many successors, as states, were asked about.
  std::uint64_t states() const { return _states; }

  /// Keeps a question that came until answer_all().
  void keep(const Records& records, std::size_t i) {
    const std::uint64_t* const begin = records.key(i);
    _waiting.words.insert(_waiting.words.end(), begin, begin + records.shape.words());
    _waiting.from.push_back(records.from);
  }
  bool is_empty() const { return _waiting.from.empty(); }

  /// reply(row, lanes, send) for every question: `row` is none where there is no such row, send(kind, lanes) answers.
  template <typename Reply>
  void answer_all(Reply&& reply) {
    while (!is_empty()) {
      std::swap(_waiting, _answering);  // more may come in while answers are sent
      const RecordShape shape{_key.size(), Walk::View::one_lane ? 0 : _walk.ops.count(), true};
      const Records all{rank_0, shape, _answering.from.size(), _answering.words.data()};
      for (std::size_t i = 0; i < all.count; ++i) {
        const auto send = [&](NoteKind kind, const Lanes& lanes) {
          const PlanTransition t = NoteWord::transition(all.transition(i));
          _walk.send_key(_answering.from[i], all.key(i), NoteWord::of(kind, t), lanes);
        };
        reply(_walk.rows.find(all.key(i)), _walk.lanes_of(all, i), send);
      }
      _answering.words.clear();
      _answering.from.clear();
    }
  }

  /// The row that asked the question to which record i is an answer, and its lanes that the answer is about.
  struct Asker {
    Row row{};
    Lanes lanes;
  };
  Asker asker(const Records& records, std::size_t i) {
    const RowTransition& t = _walk.plan.transition(NoteWord::transition(records.transition(i)));
    copy_words(_key.data(), records.key(i), _key.size());
    _walk.unfire(t, _key.data());
    const std::optional<Row> row = _walk.rows.find(_key.data());
    if (!row) throw std::logic_error("an answer to a row that does not exist");
    return {*row, _walk.back(t, _walk.lanes_of(records, i))};
  }

 private:
  std::optional<Row> row_after(const RowTransition& t) {
    _walk.write_key_after(t, _key.data());
    return _walk.rows.find(_key.data());
  }

  struct Exit {
    const RowTransition* t;
    Rank owner;
  };
  struct List {
    std::vector<std::uint64_t> words;
    std::vector<Rank> from;
  };

  Walk& _walk;
  std::vector<std::uint64_t> _key;  // of the row at hand, never across a call that sends
  std::vector<Exit> _elsewhere;     // from the row that was looked at last
  List _waiting, _answering;
  std::uint64_t _states = 0;
};

}  // namespace dcheck
