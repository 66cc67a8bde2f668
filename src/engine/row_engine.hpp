#pragma once
// The engine for rows with lanes and for keys of one word: takes a row, closes it under the transitions that stay
// inside, fires the others on all its new lanes at once, hands the results over in batches. A template over the bit
// instructions and the kind of frontier; nothing virtual and no allocation inside. The loop around it: drive.hpp.

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/finally.hpp"
#include "dcheck/rows/firing.hpp"
#include "engine/drive.hpp"
#include "engine/frontiers.hpp"
#include "engine/goal_watch.hpp"
#include "engine/lossy_frontier.hpp"
#include "engine/maxima_tracker.hpp"
#include "engine/slot_frontier.hpp"

namespace dcheck {

template <typename Bits, typename Frontier>
class RowEngine {
  static constexpr int mask_words = Frontier::mask_words;
  static constexpr bool keeps_paths = requires(Frontier & frontier) { frontier.note_goals(); };
  using Lanes = Mask<mask_words>;

 public:
  RowEngine(StateSpace& space, const SearchGoals& goals)
      : _space(space),
        _plan(*space.plan),
        _layout(_plan.layout()),
        _state(space.state),
        _rows(space),
        _ops(_plan.words()),
        _maxima(_plan, _state.maxima),
        _goals(goals, _plan, _state.goals, GoalWatch::Deadlocks::by_firing),
        _transitions(_plan.transitions()),
        _working(_layout.working_words()),
        _stored(_layout.stored_words()) {
    if (!space.ranks.is_alone()) _goals.ask_others();
    for (const RowTransition& t : _transitions)
      if (t.stays) _staying.push_back(_plan.number_of(t));
    for (const std::uint64_t guards : _layout.unproven_guards()) _may_overflow |= guards != 0;
    _use_watch = _transitions.size() > watch_threshold;
    if constexpr (Frontier::one_lane) make_plain();
  }

  bool explore(const Interruption& interruption) {
    const Finally finish([&] { _maxima.finish(); });
    return drive(_space, *this, _rows, interruption);
  }

  bool handle_rows(std::uint64_t count) {
    Lanes lanes;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!_rows.take(_stored.data(), lanes)) return false;
      ++_state.counts.row_visits;
      visit(lanes);
      if constexpr (keeps_paths)
        if (_goals.met() != _met) {
          _met = _goals.met();
          _rows.note_goals();
        }
      if (_goals.is_enough()) [[unlikely]]
        break;
    }
    return true;
  }

 private:
  static constexpr std::size_t plain_limit = SlotFrontier::most_at_once;

  void visit(Lanes& lanes) {
    if constexpr (Frontier::one_lane)
      if (_is_plain) return visit_plain(lanes);
    const Tokens total = _layout.decode(_stored.data(), _working.data());
    _hash = _rows.hash(_stored.data());
    Lanes alive = _ops.zero();  // lanes in which something is enabled
    // Level by level, a step inside the row is a step like any other.
    if (!_staying.empty() && !_state.choice.by_level) close(lanes, alive);
    _maxima.see(_working.data(), total, lanes, _ops);
    if (_goals.is_open()) _goals.see(_working.data(), lanes.word.data());
    if (_use_watch)
      for_each_woken(_plan, _plan.watch_before(), _working.data(),
                     [&](const RowTransition& t) { fire(t, lanes, alive); });
    else
      for (const RowTransition& t : _transitions) fire(t, lanes, alive);
    _ops.drop(lanes, alive.word.data());
    if (_ops.any(lanes)) count_deadlocks(_ops.size(lanes));
  }

  void count_deadlocks(std::uint64_t count) {
    _state.counts.deadlocks += count;
    _goals.see_deadlock();
  }

  /// Adds to `lanes` all lanes that transitions inside the row lead to, and counts their arcs.
  void close(Lanes& lanes, Lanes& alive) {
    _inside.clear();
    for (const PlanTransition t : _staying)
      if (key_enables(_plan.transition(t))) _inside.push_back(t);
    if (_inside.empty()) return;
    Lanes frontier = lanes;
    Lanes all = _rows.row_lanes();
    std::uint64_t more = 0;
    while (_ops.any(frontier)) {
      Lanes found = _ops.zero();
      for (const PlanTransition inside : _inside) {
        const RowTransition& t = _plan.transition(inside);
        Lanes from = enabled_lanes(t, frontier, alive);
        if (!_ops.any(from)) continue;
        ++_state.counts.row_operations;
        _state.counts.arcs += _ops.size(from) * t.bindings;
        if (t.moves_lanes) _ops.join(found, moved(t, from));
      }
      _ops.drop(found, all.word.data());
      frontier = found;
      _ops.join(all, frontier);
      _ops.join(lanes, frontier);
      more += _ops.size(frontier);
    }
    if (more != 0) _rows.grow_row(all, more);
  }

  void fire(const RowTransition& t, const Lanes& lanes, Lanes& alive) {
    if ((t.stays && !_state.choice.by_level) || !key_enables(t)) return;
    const Lanes from = enabled_lanes(t, lanes, alive);
    if (!_ops.any(from)) return;
    if (_may_overflow && overflows(t)) return park(t, from);
    ++_state.counts.row_operations;
    const std::uint64_t arcs = _ops.size(from);
    _state.counts.arcs += arcs * t.bindings;
    std::uint64_t* next = _rows.begin_record(_plan.number_of(t));
    for (std::size_t w = 0; w < _stored.size(); ++w) next[w] = _stored[w];
    for (std::uint32_t i = t.stored_deltas.begin; i < t.stored_deltas.end; ++i)
      next[_plan.stored_deltas()[i].word] += _plan.stored_deltas()[i].delta;
    if (t.bindings != 1 && _rows.is_aimed_away()) _state.counts.cross_arcs += arcs * (t.bindings - 1);
    _rows.end_record(_hash + t.hash_delta, moved(t, from));
  }

  bool key_enables(const RowTransition& t) const { return key_passes(_plan, t.before, _working.data()); }

  /// The lanes of `among` in which t is enabled and whose image is a lane. Enabled lanes that escape
  /// are parked; both kinds are alive.
  Lanes enabled_lanes(const RowTransition& t, const Lanes& among, Lanes& alive) {
    Lanes from = among;
    keep_enabled(_plan, t, _working.data(), _ops, from);
    _ops.join(alive, from);
    if (t.escapes) {
      const std::uint64_t* escape = _plan.lane_masks() + t.masks + 2 * _ops.count();
      Lanes escaping = from;
      _ops.keep(escaping, escape);
      if (_ops.any(escaping)) [[unlikely]] {
        park(t, escaping);
        _ops.drop(from, escape);
      }
    }
    return from;
  }

  Lanes moved(const RowTransition& t, const Lanes& from) const { return lanes_after<Bits>(_plan, t, _ops, from); }

  bool overflows(const RowTransition& t) const {
    for (std::uint32_t i = t.working_deltas.begin; i < t.working_deltas.end; ++i) {
      const WordDelta& change = _plan.working_deltas()[i];
      if (((_working[change.word] + change.delta) & _layout.unproven_guards()[change.word]) != 0) return true;
    }
    return false;
  }

  void park(const RowTransition& t, const Lanes& from) {
    Parked& parked = _state.parked;
    parked.keys.insert(parked.keys.end(), _stored.begin(), _stored.end());
    parked.transitions.push_back(_plan.number_of(t));
    parked.masks.insert(parked.masks.end(), from.word.data(), from.word.data() + _ops.count());
  }

  /// One lane, one word in both forms, nothing but token tests, nothing to park: branch-free firing.
  struct PlainTransition {
    std::uint64_t subtract = 0, guard = 0, delta = 0;
  };
  void make_plain() {
    if (!_layout.can_decode_word() || _may_overflow) return;
    if (_transitions.size() > plain_limit || !_staying.empty()) return;
    for (const RowTransition& t : _transitions) {
      if (t.before.ceilings.begin != t.before.ceilings.end || t.guard >= 0 || t.bindings != 1) return;
      PlainTransition plain;
      if (t.before.floors.begin != t.before.floors.end) {
        plain.subtract = _plan.floors()[t.before.floors.begin].subtract;
        plain.guard = _plan.floors()[t.before.floors.begin].guard;
      }
      for (std::uint32_t i = t.stored_deltas.begin; i < t.stored_deltas.end; ++i)
        plain.delta += _plan.stored_deltas()[i].delta;
      if (_space.ranks.is_alone() || _space.allocation.delta(_plan.number_of(t)) != 0)
        _plain.push_back(plain);
      else
        _plain.insert(_plain.begin() + static_cast<std::ptrdiff_t>(_staying_here++), plain);
    }
    _is_plain = true;
  }
  void visit_plain(const Lanes& lanes) {
    const std::uint64_t stored = _stored[0];
    const std::uint64_t working = _layout.decode_word(stored);
    _maxima.see(&working, _maxima.total_varies() ? _layout.total_of_word(stored) : 0, lanes, _ops);
    if (_goals.is_open()) _goals.see(&working, lanes.word.data());
    std::array<std::uint64_t, plain_limit> found;
    std::size_t count = 0;
    const auto fire_all = [&](std::span<const PlainTransition> transitions) {
      for (const PlainTransition& t : transitions) {
        found[count] = stored + t.delta;
        count += (((working | t.guard) - t.subtract) & t.guard) == t.guard ? 1 : 0;
      }
    };
    fire_all(std::span(_plain).first(_staying_here));
    const std::size_t own = count;
    fire_all(std::span(_plain).subspan(_staying_here));
    _rows.template add_all<Bits>(std::span(found).first(count), own);
    _state.counts.arcs += count;
    _state.counts.row_operations += count;
    if (count == 0) count_deadlocks(1);
  }

  StateSpace& _space;
  const Plan& _plan;
  const Layout& _layout;
  ExploreState& _state;
  Frontier _rows;
  MaskOps<mask_words> _ops;
  MaximaTracker _maxima;
  GoalWatch _goals;
  const std::vector<RowTransition>& _transitions;
  std::vector<std::uint64_t> _working, _stored;
  std::uint64_t _hash = 0;
  std::vector<PlanTransition> _staying, _inside;
  std::vector<PlainTransition> _plain;
  std::uint64_t _met = 0;         // goals
  std::size_t _staying_here = 0;  // so many of them, the first, never leave the rank
  bool _may_overflow = false, _use_watch = false, _is_plain = false;
};

/// Picks the frontier for the plan (many lanes, or one word) and explores with it.
template <typename Bits>
bool explore_with(StateSpace& space, const SearchGoals& goals, const Interruption& interruption) {
  if (space.state.slots) return RowEngine<Bits, SlotFrontier>(space, goals).explore(interruption);
  if (space.state.lossy) {
    if (space.plan->words() == 1) return RowEngine<Bits, LossyFrontier<1>>(space, goals).explore(interruption);
    return RowEngine<Bits, LossyFrontier<0>>(space, goals).explore(interruption);
  }
  return with_width(space.plan->words(), [&](auto width) {
    return RowEngine<Bits, LaneFrontier<width()>>(space, goals).explore(interruption);
  });
}

/// The two versions differ in the bit instructions they use, in nothing else.
bool explore_portable(StateSpace& space, const SearchGoals& goals, const Interruption& interruption);
bool explore_fast(StateSpace& space, const SearchGoals& goals, const Interruption& interruption);

}  // namespace dcheck
