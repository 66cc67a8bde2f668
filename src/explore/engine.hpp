#pragma once
// The one engine: take a row, close it under the transitions that stay inside, fire the others on all
// its new lanes at once, hand the results over in batches. A template over the bit instructions and the
// kind of row set; nothing virtual and no allocation inside. The loop around it: drive.hpp.

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/rows/firing.hpp"
#include "explore/drive.hpp"
#include "explore/goal_watch.hpp"
#include "explore/maxima_tracker.hpp"
#include "explore/row_sets.hpp"
#include "explore/slot_rows.hpp"

namespace dcheck {

/// Runs until nothing waits, on any rank: then it is true. False where firings were parked, the goals were met or
/// should_stop() said so, on some rank; the state is whole then, nothing is under way, and it can be run on.
/// Collective. The two versions differ in the bit instructions they use, in nothing else; run() takes the one that fits
/// the CPU.
bool run_portable(const Plan& plan, ExploreState& state, const SearchGoals& goals, Ranks& ranks,
                  const Interruption& interruption);
bool run_fast(const Plan& plan, ExploreState& state, const SearchGoals& goals, Ranks& ranks,
              const Interruption& interruption);
bool run(const Plan& plan, ExploreState& state, const SearchGoals& goals, Ranks& ranks,
         const Interruption& interruption);

template <typename Bits, typename Rows>
class Engine {
  static constexpr int mask_words = Rows::mask_words;
  using Lanes = Mask<mask_words>;

 public:
  Engine(const Plan& plan, ExploreState& state, const SearchGoals& goals, Ranks& ranks)
      : _plan(plan),
        _layout(plan.layout()),
        _state(state),
        _ranks(ranks),
        _rows(plan, state, ranks),
        _ops(plan.words()),
        _maxima(plan, state.maxima),
        _goals(goals, plan, state.goals),
        _transitions(plan.transitions()),
        _working(_layout.working_words()),
        _stored(_layout.stored_words()) {
    for (std::uint32_t i = 0; i < _transitions.size(); ++i)
      if (_transitions[i].stays) _staying.push_back(i);
    for (const std::uint64_t guards : _layout.unproven_guards()) _may_overflow |= guards != 0;
    _use_watch = _transitions.size() > watch_threshold;
    if constexpr (Rows::one_lane) make_plain();
  }

  bool run(const Interruption& interruption) {
    const Finally finish([&] { _maxima.finish(); });
    return drive(*this, _rows, _plan, _state, _ranks, interruption);
  }

  bool handle_rows(std::uint64_t count) {
    Lanes lanes;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!_rows.take(_stored.data(), lanes)) return false;
      ++_state.row_visits;
      visit(lanes);
      if (_goals.is_enough()) [[unlikely]]
        break;
    }
    return true;
  }

 private:
  static constexpr std::size_t plain_limit = SlotRows::most_at_once;

  void visit(Lanes& lanes) {
    if constexpr (Rows::one_lane)
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
    _state.deadlocks += count;
    _goals.see_deadlock();
  }

  /// Adds to `lanes` all lanes that transitions inside the row lead to, and counts their arcs.
  void close(Lanes& lanes, Lanes& alive) {
    _inside.clear();
    for (const std::uint32_t i : _staying)
      if (key_enables(_transitions[i])) _inside.push_back(i);
    if (_inside.empty()) return;
    Lanes frontier = lanes;
    while (_ops.any(frontier)) {
      Lanes found = _ops.zero();
      for (const std::uint32_t i : _inside) {
        const RowTransition& t = _transitions[i];
        Lanes from = enabled_lanes(t, frontier, alive);
        if (!_ops.any(from)) continue;
        ++_state.row_operations;
        _state.arcs += _ops.size(from);
        if (t.moves_lanes) _ops.join(found, moved(t, from));
      }
      frontier = _rows.grow_row(found);
      _ops.join(lanes, frontier);
    }
  }

  void fire(const RowTransition& t, const Lanes& lanes, Lanes& alive) {
    if ((t.stays && !_state.choice.by_level) || !key_enables(t)) return;
    const Lanes from = enabled_lanes(t, lanes, alive);
    if (!_ops.any(from)) return;
    if (_may_overflow && overflows(t)) return park(t, from);
    ++_state.row_operations;
    _state.arcs += _ops.size(from);
    std::uint64_t* next = _rows.begin_record(_plan.number_of(t));
    for (std::size_t w = 0; w < _stored.size(); ++w) next[w] = _stored[w];
    for (std::uint32_t i = t.stored_deltas.begin; i < t.stored_deltas.end; ++i)
      next[_plan.stored_deltas()[i].word] += _plan.stored_deltas()[i].delta;
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
    parked.transitions.push_back(static_cast<std::uint32_t>(_plan.number_of(t)));
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
      if (t.before.ceilings.begin != t.before.ceilings.end || t.guard >= 0) return;
      PlainTransition plain;
      if (t.before.floors.begin != t.before.floors.end) {
        plain.subtract = _plan.floors()[t.before.floors.begin].subtract;
        plain.guard = _plan.floors()[t.before.floors.begin].guard;
      }
      for (std::uint32_t i = t.stored_deltas.begin; i < t.stored_deltas.end; ++i)
        plain.delta += _plan.stored_deltas()[i].delta;
      if (_ranks.is_alone() || _ranks.allocation().delta(_plan.number_of(t)) != 0)
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
    _state.arcs += count;
    _state.row_operations += count;
    if (count == 0) count_deadlocks(1);
  }

  const Plan& _plan;
  const Layout& _layout;
  ExploreState& _state;
  Ranks& _ranks;
  Rows _rows;
  MaskOps<mask_words> _ops;
  MaximaTracker _maxima;
  GoalWatch _goals;
  const std::vector<RowTransition>& _transitions;
  std::vector<std::uint64_t> _working, _stored;
  std::uint64_t _hash = 0;
  std::vector<std::uint32_t> _staying, _inside;
  std::vector<PlainTransition> _plain;
  std::size_t _staying_here = 0;  // so many of them, the first, never leave the rank
  bool _may_overflow = false, _use_watch = false, _is_plain = false;
};

/// Picks the row set for the plan (many lanes, or one word) and runs it.
template <typename Bits>
bool run_engine(const Plan& plan, ExploreState& state, const SearchGoals& goals, Ranks& ranks,
                const Interruption& interruption) {
  if (state.slots) return Engine<Bits, SlotRows>(plan, state, goals, ranks).run(interruption);
  switch (plan.words()) {
    case 1:
      return Engine<Bits, MaskRows<1>>(plan, state, goals, ranks).run(interruption);
    case 2:
      return Engine<Bits, MaskRows<2>>(plan, state, goals, ranks).run(interruption);
    case 4:
      return Engine<Bits, MaskRows<4>>(plan, state, goals, ranks).run(interruption);
    case 8:
      return Engine<Bits, MaskRows<8>>(plan, state, goals, ranks).run(interruption);
    case 16:
      return Engine<Bits, MaskRows<16>>(plan, state, goals, ranks).run(interruption);
    default:
      return Engine<Bits, MaskRows<0>>(plan, state, goals, ranks).run(interruption);
  }
}

}  // namespace dcheck
