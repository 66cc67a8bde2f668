#pragma once
// The phases as templates over the bit instructions and the kind of space. See phases.hpp.

#include "check/counters.hpp"
#include "check/phases.hpp"
#include "check/spaces.hpp"
#include "check/worklist.hpp"
#include "dcheck/rows/firing.hpp"

namespace dcheck {

template <typename Bits, typename Space>
class RowPhases final : public Phases {
  static constexpr int width = Space::mask_words;
  using Lanes = Mask<width>;
  using Work = Worklist<Space>;
  using Counters = std::conditional_t<Space::one_lane, PlainCounters, SlicedCounters<width>>;

 public:
  RowPhases(StateSpace& space, std::function<void()> poll)
      : _plan(*space.plan),
        _budget(&space.budget),
        _space(space),
        _ops(_plan.words()),
        _sets(Space::set_words(_space.row_limit(), _plan.words()), _budget),
        _reached(_space.reached_states(_sets)),
        _poll(std::move(poll)),
        _stored(_plan.layout().stored_words()),
        _working(_plan.layout().working_words()),
        _use_watch(_plan.transitions().size() > watch_threshold),
        _some_stay(std::any_of(_plan.transitions().begin(), _plan.transitions().end(),
                               [](const RowTransition& t) { return t.stays; })) {}

  const StateSet& reached() const override { return _reached; }
  SetPool& sets() override { return _sets; }

  std::optional<StateRef> locate(std::span<const Tokens> marking) const override {
    const Layout& layout = _plan.layout();
    for (std::size_t i = 0; i < _plan.key_places().size(); ++i) {
      const auto tokens = static_cast<std::uint64_t>(marking[index(_plan.key_places()[i])]);
      if (tokens > low_bits(layout.stored_field(i).width)) return std::nullopt;
    }
    const auto lane = _plan.lanes().find(_plan.leaf_marking(marking));
    const auto row = _space.find(_plan.stored_key(marking).data());
    if (!lane || !row || !contains(_reached, {*row, *lane})) return std::nullopt;
    return StateRef{*row, *lane};
  }

  bool contains(const StateSet& set, StateRef state) const override {
    return (_space.get(set, state.row).word[state.lane / 64] >> (state.lane % 64) & 1) != 0;
  }

  StateSet label(const Expression& predicate) override {
    const RowPredicate compiled(predicate, _plan);
    StateSet out = _sets.empty_set();
    for_each_row([&](std::uint64_t row) {
      const Lanes lanes = _space.get(_reached, row);
      Lanes found;
      read(row);
      compiled.lanes(_plan, _working.data(), lanes.word.data(), found.word.data());
      _space.add(out, row, found);
    });
    return out;
  }

  StateSet ex(const StateSet& target) override {
    StateSet out = _sets.empty_set();
    const auto fetch = [&](std::uint64_t row) {
      _space.fetch(_reached, row);
      _space.fetch(out, row);
    };
    const auto merge = [&](std::uint64_t row, Lanes lanes) {
      _ops.keep(lanes, _space.get(_reached, row).word.data());
      _space.add(out, row, lanes);
    };
    for_each_row([&](std::uint64_t row) {
      const Lanes lanes = _space.get(target, row);
      if (!_ops.any(lanes)) return;
      read(row);
      for_each_entered([&](const RowTransition& t) { record(t, lanes, fetch, merge); });
    });
    _space.flush(fetch, merge);
    return out;
  }

  void eu(const StateSet& lasts, StateSet& sat, const std::optional<StateRef>& stop) override {
    const std::unique_ptr<Work> waiting = make_worklist();
    Work& work = *waiting;
    begin_with(sat, work);
    StateSet open = open_states(lasts, sat);
    bool is_done = false;
    const auto join = [&](std::uint64_t row, Lanes lanes) {
      _ops.keep(lanes, _space.get(open, row).word.data());
      _space.drop(open, row, lanes);
      if (stop && row == stop->row && !contains(open, *stop)) is_done = true;
      return lanes;
    };
    const auto fetch = [&](std::uint64_t row) {
      _space.fetch(open, row);
      work.fetch(row);
    };
    const auto merge = [&](std::uint64_t row, const Lanes& lanes) {
      const Lanes fresh = join(row, lanes);
      if (_ops.any(fresh)) work.add(row, fresh);
    };
    handle_all(work, is_done, fetch, merge, [&](std::uint64_t row, Lanes& lanes) {
      Lanes frontier = lanes;
      while (_ops.any(frontier)) {
        Lanes found = _ops.zero();
        for (const RowTransition* t : _inside) _ops.join(found, before(*t, frontier));
        frontier = join(row, found);
        _ops.join(lanes, frontier);
      }
    });
    add_joined(lasts, std::move(open), sat);
  }

  void au(const StateSet& lasts, StateSet& sat, const std::optional<StateRef>& stop) override {
    const std::unique_ptr<Work> waiting = make_worklist();
    Work& work = *waiting;
    begin_with(sat, work);
    StateSet open = open_states(lasts, sat);
    Counters counters = count_successors(open);
    bool is_done = false;
    // Each arc into a state that joins is taken off its source once.
    const auto notify = [&](std::uint64_t row, Lanes lanes) {
      _ops.keep(lanes, _space.get(open, row).word.data());
      return _ops.any(lanes) ? counters.count_down(row, lanes) : lanes;
    };
    const auto join = [&](std::uint64_t row, const Lanes& lanes) {
      _space.drop(open, row, lanes);
      if (stop && row == stop->row && !contains(open, *stop)) is_done = true;
    };
    const auto fetch = [&](std::uint64_t row) {
      _space.fetch(open, row);
      counters.fetch(row);
      work.fetch(row);
    };
    const auto merge = [&](std::uint64_t row, const Lanes& lanes) {
      const Lanes fresh = notify(row, lanes);
      if (!_ops.any(fresh)) return;
      join(row, fresh);
      work.add(row, fresh);
    };
    handle_all(work, is_done, fetch, merge, [&](std::uint64_t row, Lanes& lanes) {
      Lanes frontier = lanes;
      while (_ops.any(frontier)) {
        Lanes fresh = _ops.zero();
        for (const RowTransition* t : _inside) _ops.join(fresh, notify(row, before(*t, frontier)));
        join(row, fresh);
        _ops.join(lanes, fresh);
        frontier = fresh;
      }
    });
    add_joined(lasts, std::move(open), sat);
  }

  Levels levels(const StateSet& lasts, const StateSet& ends, const std::optional<StateRef>& stop) override {
    Levels result{{}, _sets.copy_of(ends)};
    auto work = make_worklist();
    auto next = make_worklist();
    begin_with(ends, *work);
    std::uint64_t handled = 0;
    for (std::uint64_t level = 1; !(stop && contains(result.known, *stop)); ++level) {
      bool is_last = true;
      while (result.bits.size() < bit_width_of(level)) result.bits.push_back(_sets.empty_set());
      const auto fetch = [&](std::uint64_t row) {
        _space.fetch(lasts, row);
        _space.fetch(result.known, row);
        next->fetch(row);
      };
      const auto merge = [&](std::uint64_t row, Lanes lanes) {
        _ops.keep(lanes, _space.get(lasts, row).word.data());
        _ops.drop(lanes, _space.get(result.known, row).word.data());
        if (!_ops.any(lanes)) return;
        is_last = false;
        _space.add(result.known, row, lanes);
        for (std::size_t b = 0; b < result.bits.size(); ++b)
          if ((level >> b & 1) != 0) _space.add(result.bits[b], row, lanes);
        next->add(row, lanes);
      };
      std::uint64_t row = 0;
      Lanes lanes;
      while (work->take(row, lanes)) {
        read(row);
        for_each_entered([&](const RowTransition& t) { record(t, lanes, fetch, merge); });
        if (++handled % rows_between_polls == 0) _poll();
      }
      _space.flush(fetch, merge);
      if (is_last) break;
      std::swap(work, next);
    }
    return result;
  }

  std::optional<std::uint64_t> level_of(const Levels& levels, StateRef state) const override {
    if (!contains(levels.known, state)) return std::nullopt;
    std::uint64_t level = 0;
    for (std::size_t b = 0; b < levels.bits.size(); ++b)
      if (contains(levels.bits[b], state)) level |= std::uint64_t{1} << b;
    return level;
  }

 private:
  static constexpr unsigned rows_between_polls = 4096;

  std::unique_ptr<Work> make_worklist() {
    return std::make_unique<Work>(_space, _space.row_limit(), _plan.words(), _sets, _budget);
  }

  template <typename Visit>
  void for_each_row(Visit&& visit) {
    std::uint64_t count = 0;
    _space.for_each_row([&](std::uint64_t row) {
      visit(row);
      if (++count % rows_between_polls == 0) _poll();
    });
  }

  void begin_with(const StateSet& set, Work& work) {
    if constexpr (Space::one_lane) {
      for (std::uint64_t w = 0; w < set.words(); ++w)
        for (std::uint64_t bits = set.data()[w]; bits != 0; bits &= bits - 1)
          work.add(w * 64 + static_cast<std::uint64_t>(std::countr_zero(bits)), {{1}});
    } else {
      for (std::uint64_t row = 0; row < _space.row_limit(); ++row) {
        const Lanes lanes = _space.get(set, row);
        if (_ops.any(lanes)) work.add(row, lanes);
      }
    }
  }

  /// Takes rows until nothing waits or `is_done`: close(row, lanes) adds the lanes that join inside the
  /// row, then predecessors in other rows are looked up and merged.
  template <typename Fetch, typename Merge, typename Close>
  void handle_all(Work& work, const bool& is_done, const Fetch& fetch, const Merge& merge, const Close& close) {
    std::uint64_t row = 0;
    Lanes lanes;
    for (std::uint64_t i = 1; !is_done; ++i) {
      if (!work.take(row, lanes)) {
        if (_space.is_idle()) return;
        _space.flush(fetch, merge);
        continue;
      }
      read(row);
      if (_some_stay) {
        gather_entered();
        if (!_inside.empty()) close(row, lanes);
        for (const RowTransition* t : _outside) record(*t, lanes, fetch, merge);
      } else {
        for_each_entered([&](const RowTransition& t) { record(t, lanes, fetch, merge); });
      }
      if (i % rows_between_polls == 0) _poll();
    }
    _space.flush([](std::uint64_t) {}, [](std::uint64_t, const Lanes&) {});
  }

  void read(std::uint64_t row) {
    _space.key(row, _stored.data());
    _plan.layout().decode(_stored.data(), _working.data());
    _hash = _space.hash(_stored.data());
  }

  /// visit(t) for the transitions by which the row that was read last may be entered.
  template <typename Visit>
  void for_each_entered(Visit&& visit) const {
    const auto look = [&](const RowTransition& t) {
      if (key_passes(_plan, t.after, _working.data())) visit(t);
    };
    if (_use_watch) return for_each_woken(_plan, _plan.watch_after(), _working.data(), look);
    for (const RowTransition& t : _plan.transitions()) look(t);
  }

  void gather_entered() {
    _inside.clear();
    _outside.clear();
    for_each_entered([&](const RowTransition& t) { (t.stays ? _inside : _outside).push_back(&t); });
  }

  /// The lanes of the row that was read last from which t leads into `lanes` of the same row.
  Lanes before(const RowTransition& t, const Lanes& lanes) const {
    Lanes from = lanes_before<Bits>(_plan, t, _working.data(), _ops, lanes);
    if (t.guard >= 0) keep_guarded(t, _working.data(), from);
    return from;
  }

  void keep_guarded(const RowTransition& t, const std::uint64_t* working, Lanes& from) const {
    _plan.guards()[static_cast<std::size_t>(t.guard)].lanes(_plan, working, from.word.data(), from.word.data());
  }

  /// Looks up, sooner or later, the row from which t leads into `lanes` of the row that was read last.
  template <typename Fetch, typename Merge>
  void record(const RowTransition& t, const Lanes& lanes, const Fetch& fetch, const Merge& merge) {
    Lanes from = lanes_before<Bits>(_plan, t, _working.data(), _ops, lanes);
    if (!_ops.any(from)) return;
    std::uint64_t* key = _space.begin();
    std::copy(_stored.begin(), _stored.end(), key);
    for (std::uint32_t i = t.stored_deltas.begin; i < t.stored_deltas.end; ++i)
      key[_plan.stored_deltas()[i].word] -= _plan.stored_deltas()[i].delta;
    if (t.guard >= 0) {
      _working_before.resize(_working.size());
      _plan.layout().decode(key, _working_before.data());
      keep_guarded(t, _working_before.data(), from);
      if (!_ops.any(from)) return;
    }
    _space.end(_hash - t.hash_delta, from);
    if (_space.is_full()) _space.flush(fetch, merge);
  }

  /// States that may still join: one set to look at instead of two, and one to change instead of `sat`.
  StateSet open_states(const StateSet& lasts, const StateSet& sat) {
    StateSet open = _sets.copy_of(lasts);
    open.drop(sat);
    return open;
  }
  void add_joined(const StateSet& lasts, StateSet&& open, StateSet& sat) {
    open.complement(lasts);
    sat.add(open);
    _sets.give_back(std::move(open));
  }

  /// Per open state: its enabled transitions.
  Counters count_successors(const StateSet& open) {
    Counters counters(_space.row_limit(), _plan.words(), successor_bits(), _budget);
    std::vector<Lanes> planes;
    for_each_row([&](std::uint64_t row) {
      const Lanes lanes = _space.get(open, row);
      if (!_ops.any(lanes)) return;
      count_row(row, lanes, planes);
      counters.set(row, planes);
    });
    return counters;
  }

  void count_row(std::uint64_t row, const Lanes& lanes, std::vector<Lanes>& planes) {
    planes.clear();
    read(row);
    const auto count = [&](const RowTransition& t) {
      if (!key_passes(_plan, t.before, _working.data())) return;
      Lanes enabled = lanes;
      keep_enabled(_plan, t, _working.data(), _ops, enabled);
      count_up(_ops, planes, enabled);
    };
    if (_use_watch) return for_each_woken(_plan, _plan.watch_before(), _working.data(), count);
    for (const RowTransition& t : _plan.transitions()) count(t);
  }

  /// Bits that hold the largest number of successors of any state. Looked up once, where guessing it
  /// from the number of transitions would waste memory.
  std::size_t successor_bits() {
    if (_successor_bits != 0) return _successor_bits;
    _successor_bits = bit_width_of(_plan.transitions().size());
    if (_successor_bits <= (Space::one_lane ? 8 : 3)) return _successor_bits;
    std::size_t largest = 1;
    std::vector<Lanes> planes;
    for_each_row([&](std::uint64_t row) {
      count_row(row, _space.get(_reached, row), planes);
      largest = std::max(largest, planes.size());
    });
    return _successor_bits = largest;
  }

  const Plan& _plan;
  MemoryBudget* _budget;
  Space _space;
  MaskOps<width> _ops;
  SetPool _sets;
  StateSet _reached;
  std::function<void()> _poll;
  std::vector<std::uint64_t> _stored, _working, _working_before;
  std::uint64_t _hash = 0;
  std::vector<const RowTransition*> _inside, _outside;  // entered by: from the row itself, from others
  bool _use_watch, _some_stay;
  std::size_t _successor_bits = 0;
};

/// Picks the kind of space.
template <typename Bits>
std::unique_ptr<Phases> make_row_phases(StateSpace& space, std::function<void()> poll) {
  if (space.state.slots) return std::make_unique<RowPhases<Bits, SlotSpace>>(space, std::move(poll));
  if (space.plan->leaf().empty()) return std::make_unique<RowPhases<Bits, LineSpace>>(space, std::move(poll));
  switch (space.plan->words()) {
    case 1:
      return std::make_unique<RowPhases<Bits, MaskSpace<1>>>(space, std::move(poll));
    case 2:
      return std::make_unique<RowPhases<Bits, MaskSpace<2>>>(space, std::move(poll));
    case 4:
      return std::make_unique<RowPhases<Bits, MaskSpace<4>>>(space, std::move(poll));
    case 8:
      return std::make_unique<RowPhases<Bits, MaskSpace<8>>>(space, std::move(poll));
    case 16:
      return std::make_unique<RowPhases<Bits, MaskSpace<16>>>(space, std::move(poll));
    default:
      return std::make_unique<RowPhases<Bits, MaskSpace<0>>>(space, std::move(poll));
  }
}

}  // namespace dcheck
