#pragma once
// One row of a space at a time: its key, the transitions by which it may be left and entered, and the lanes and the key
// of the row before one of them.

#include "dcheck/rows/firing.hpp"
#include "dcheck/walk/row_views.hpp"

namespace dcheck {

/// A reached state of this rank.
struct StateRef {
  Row row{};
  Lane lane{};
};

template <typename BitsOf, typename ViewOf>
class RowReader {
 public:
  using Bits = BitsOf;
  using View = ViewOf;
  static constexpr int width = View::mask_words;
  using Lanes = Mask<width>;

  explicit RowReader(const StateSpace& space)
      : plan(*space.plan),
        rows(space),
        ops(plan.words()),
        _stored(plan.layout().stored_words()),
        _working(plan.layout().working_words()) {}

  const Plan& plan;
  View rows;
  MaskOps<width> ops;

  bool contains(const StateSet& set, StateRef state) const {
    return has_lane(rows.get(set, state.row).word.data(), state.lane);
  }
  /// The state, where its row is this rank's and has its lane in `reached`.
  std::optional<StateRef> locate(std::span<const Tokens> marking, const StateSet& reached) const {
    const auto lane = plan.lanes().find(plan.leaf_marking(marking));
    const auto row = find_row(marking);
    if (!lane || !row || !contains(reached, {*row, *lane})) return std::nullopt;
    return StateRef{*row, *lane};
  }
  /// The row that a marking would be in, where it is this rank's.
  std::optional<Row> find_row(std::span<const Tokens> marking) const {
    const Layout& layout = plan.layout();
    for (std::size_t i = 0; i < plan.key_places().size(); ++i) {
      const auto tokens = static_cast<std::uint64_t>(marking[index(plan.key_places()[i])]);
      if (tokens > low_bits(layout.stored_field(i).width)) return std::nullopt;
    }
    return rows.find(plan.stored_key(marking).data());
  }

  // All of the following is about the row that was read last.

  void read(Row row) {
    rows.key(row, _stored.data());
    plan.layout().decode(_stored.data(), _working.data());
    _hash = rows.hash(_stored.data());
  }
  std::span<const std::uint64_t> stored() const { return _stored; }
  const std::uint64_t* working() const { return _working.data(); }
  std::uint64_t hash() const { return _hash; }

  /// visit(t) for the transitions that may be enabled.
  template <typename Visit>
  void for_each_left(Visit&& visit) const {
    dcheck::for_each_left(plan, _working.data(), visit);
  }
  /// visit(t) for the transitions by which the row may be entered.
  template <typename Visit>
  void for_each_entered(Visit&& visit) const {
    dcheck::for_each_entered(plan, _working.data(), visit);
  }

  /// The lanes from which t leads into `lanes`, where t stays in the row.
  Lanes before(const RowTransition& t, const Lanes& lanes) const {
    Lanes from = lanes_before<Bits>(plan, t, _working.data(), ops, lanes);
    if (t.guard >= 0) keep_guarded(t, _working.data(), from);
    return from;
  }
  /// The lanes of another row, or this one, from which t leads into `lanes`, but for t's guard.
  Lanes before_but_guard(const RowTransition& t, const Lanes& lanes) const {
    return lanes_before<Bits>(plan, t, _working.data(), ops, lanes);
  }
  /// Writes the key of that row, and keeps of these lanes those in which t's guard holds; false where there is none.
  [[gnu::always_inline]] bool write_key_before(const RowTransition& t, std::uint64_t* key, Lanes& from) {
    copy_words(key, _stored.data(), words_or<View::key_words>(_stored.size()));
    unfire(t, key);
    if (t.guard < 0) return true;
    _working_before.resize(_working.size());
    plan.layout().decode(key, _working_before.data());
    keep_guarded(t, _working_before.data(), from);
    return ops.any(from);
  }

  /// Keeps the lanes in which t is enabled; its key has passed.
  Lanes enabled(const RowTransition& t, Lanes lanes) const {
    keep_enabled(plan, t, _working.data(), ops, lanes);
    return lanes;
  }
  /// Writes the key of the row that t leads to.
  void write_key_after(const RowTransition& t, std::uint64_t* key) const {
    copy_words(key, _stored.data(), words_or<View::key_words>(_stored.size()));
    for (std::uint32_t i = t.stored_deltas.begin; i < t.stored_deltas.end; ++i)
      key[plan.stored_deltas()[i].word] += plan.stored_deltas()[i].delta;
  }

  // Of any row.

  /// The lanes that t leads to from enabled `lanes`, and back from some of those.
  Lanes after(const RowTransition& t, const Lanes& lanes) const { return lanes_after<Bits>(plan, t, ops, lanes); }
  Lanes back(const RowTransition& t, const Lanes& lanes) const {
    const std::uint64_t* domain = plan.lane_masks() + t.masks;
    return t.moves_lanes ? ops.template move<Bits>(lanes, domain + ops.count(), t.image, domain, t.domain) : lanes;
  }
  /// Makes the key that t leads to that of the row it comes from.
  [[gnu::always_inline]] void unfire(const RowTransition& t, std::uint64_t* key) const {
    for (std::uint32_t i = t.stored_deltas.begin; i < t.stored_deltas.end; ++i)
      key[plan.stored_deltas()[i].word] -= plan.stored_deltas()[i].delta;
  }

 private:
  void keep_guarded(const RowTransition& t, const std::uint64_t* working, Lanes& from) const {
    plan.guards()[static_cast<std::size_t>(t.guard)].lanes(plan, working, from.word.data(), from.word.data());
  }

  std::vector<std::uint64_t> _stored, _working, _working_before;
  std::uint64_t _hash = 0;
};

}  // namespace dcheck
