#pragma once
// The phases as templates over the bit instructions and the kind of space. See phases.hpp.

#include "check/au_phase.hpp"
#include "check/au_query_phase.hpp"
#include "check/exists_phases.hpp"
#include "check/forward_ex_phase.hpp"
#include "check/phases.hpp"
#include "check/row_walk.hpp"

namespace dcheck {

template <typename Bits, typename Space>
class RowPhases final : public Phases {
  using Walk = RowWalk<Bits, Space>;
  using Lanes = typename Walk::Lanes;
  using Work = typename Walk::Work;

 public:
  RowPhases(StateSpace& space, AuMethod au, std::function<void()> poll)
      : Phases(space.ranks),
        _au(au),
        _walk(space, std::move(poll)),
        _reached(_walk.rows.reached_states(_walk.sets)),
        _successors(_walk) {}

  const StateSet& reached() const override { return _reached; }
  const LabellingStep& step() const override { return _walk.step; }

  StateSet label(const Expression& predicate) override {
    StateSet out;
    _walk.begin_step("predicate", _walk.row_count());
    _ranks.together([&] {
      const RowPredicate compiled(predicate, _walk.plan);
      out = _walk.sets.empty_set();
      _walk.for_each_row([&](std::uint64_t row) {
        const Lanes lanes = _walk.rows.get(_reached, row);
        Lanes found;
        _walk.read(row);
        compiled.lanes(_walk.plan, _walk.working(), lanes.word.data(), found.word.data());
        _walk.rows.add(out, row, found);
      });
    });
    return out;
  }

  StateSet ex(const StateSet& target) override {
    StateSet out;
    _walk.begin_step("EX", _walk.row_count());
    const auto make = [&] {
      out = _walk.sets.empty_set();
      return ExPhase<Walk>{_walk, _reached, out};
    };
    _walk.in_phase(make, [&](auto& phase) {
      const auto handle = [&](std::uint64_t row) {
        const Lanes lanes = _walk.rows.get(target, row);
        if (_walk.ops.any(lanes)) _walk.enter(row, lanes, phase);
      };
      _walk.for_each_row(handle, [&] { _walk.look_around(); });
      _walk.finish(phase, [&] { return _walk.flush(phase); });
    });
    return out;
  }

  StateSet ex_forward(const StateSet& target) override {
    StateSet out;
    _walk.begin_step("EX", _walk.row_count());
    const auto make = [&] {
      out = _walk.sets.empty_set();
      return ForwardExPhase<Walk>(_walk, _reached, target, out);
    };
    _walk.in_phase(make, [&](auto& phase) {
      const auto look = [&] {
        _walk.look_around();
        phase.answer();
      };
      _walk.for_each_row([&](std::uint64_t row) { phase.handle(row); }, look);
      _walk.finish(phase, [&] { return phase.handle_piece(); });
      _queries += phase.queries();
    });
    return out;
  }

  void eu(const StateSet& lasts, StateSet& sat, Until until) override {
    _walk.begin_step(&lasts == &_reached ? "EF" : "EU", 0);
    const auto make = [&] {
      return EuPhase<Walk>{_walk, located(until), _walk.worklist_of(sat), open_states(_walk, lasts, sat)};
    };
    _walk.in_phase(make, [&](auto& phase) {
      _walk.handle_all(phase.work, phase);
      _sweeps = phase.work.sweeps();
      add_joined(_walk, lasts, std::move(phase.open), sat);
    });
  }

  void au(const StateSet& lasts, StateSet& sat, Until until) override {
    _walk.begin_step(&lasts == &_reached ? "AF" : "AU", 0);
    if (_au == AuMethod::query)
      au_by_query(lasts, sat, until);
    else
      au_by_count(lasts, sat, until);
  }

  std::uint64_t eu_in_steps(const StateSet& lasts, StateSet& sat) override {
    std::unique_ptr<Work> work, next;
    _ranks.together([&] {
      work = _walk.worklist_of(sat);
      next = _walk.make_worklist();
    });
    std::uint64_t steps = 0;
    _walk.begin_step("EU in steps", 0);
    for (bool has_found = true; _ranks.any(has_found); ++steps) {
      has_found = false;
      _walk.step.round = steps + 1;
      const auto make = [&] { return StepPhase<Walk>{_walk, lasts, sat, *next, has_found}; };
      _walk.in_phase(make, [&](auto& phase) { _walk.handle_all(*work, phase); });
      std::swap(work, next);
    }
    return steps;
  }

  Levels levels(const StateSet& lasts, const StateSet& ends, Until until) override {
    Levels result;
    std::unique_ptr<Work> work, next;
    _ranks.together([&] {
      result.known = _walk.sets.copy_of(ends);
      work = _walk.worklist_of(ends);
      next = _walk.make_worklist();
    });
    const std::optional<StateRef> last = located(until);
    bool has_found = true;
    _walk.begin_step("distances", 0);
    for (std::uint64_t level = 1; goes_on(has_found, last, result.known); ++level) {
      has_found = false;
      _walk.step.round = level;
      const auto make = [&] {
        while (result.bits.size() < bit_width_of(level)) result.bits.push_back(_walk.sets.empty_set());
        return LevelPhase<Walk>{{_walk, lasts, result.known, *next, has_found}, result.bits, level};
      };
      _walk.in_phase(make, [&](auto& phase) { _walk.handle_all(*work, phase); });
      std::swap(work, next);
    }
    return result;
  }

 protected:
  SetPool& sets() override { return _walk.sets; }

  std::uint64_t look_up_here(std::span<const Tokens> marking, Sets in) const override {
    const auto state = _walk.locate(marking, _reached);
    if (!state) return 0;
    std::uint64_t found = 1;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (_walk.contains(*in[i], *state)) found |= std::uint64_t{2} << i;
    return found;
  }

 private:
  void au_by_count(const StateSet& lasts, StateSet& sat, Until until) {
    const auto make = [&] {
      StateSet open = open_states(_walk, lasts, sat);
      auto counters = _successors.count(open, _reached);
      return AuPhase<Walk>{_walk, located(until), _walk.worklist_of(sat), std::move(open), std::move(counters)};
    };
    _walk.in_phase(make, [&](auto& phase) {
      _walk.handle_all(phase.work, phase);
      _sweeps = phase.work.sweeps();
      add_joined(_walk, lasts, std::move(phase.open), sat);
    });
  }

  void au_by_query(const StateSet& lasts, StateSet& sat, Until until) {
    const auto make = [&] { return AuQueryPhase<Walk>(_walk, located(until), lasts, sat); };
    _walk.in_phase(make, [&](auto& phase) {
      _walk.finish(phase, [&] { return phase.handle_piece(); });
      if (!phase.is_done && (_ranks.is_alone() || _ranks.exchange().stop() == Stop::none)) phase.expect_end();
      _sweeps = phase.work().sweeps();
      _queries += phase.queries();
    });
  }

  std::optional<StateRef> located(Until until) const { return until ? _walk.locate(*until, _reached) : std::nullopt; }

  /// Collective: whether some rank has found states, and none the last one that is wanted.
  bool goes_on(bool has_found, const std::optional<StateRef>& last, const StateSet& known) const {
    std::uint64_t values[] = {has_found ? 1U : 0U, last && _walk.contains(known, *last) ? 1U : 0U};
    _ranks.agree(values, Combine::max);
    return values[0] != 0 && values[1] == 0;
  }

  AuMethod _au;
  Walk _walk;
  StateSet _reached;
  SuccessorCounts<Walk> _successors;
};

template <typename Bits>
std::unique_ptr<Phases> make_single_phases(StateSpace& space, AuMethod au, std::function<void()> poll) {
  if (space.state.slots) return std::make_unique<RowPhases<Bits, SlotSpace>>(space, au, std::move(poll));
  return std::make_unique<RowPhases<Bits, LineSpace>>(space, au, std::move(poll));
}

template <typename Bits>
std::unique_ptr<Phases> make_narrow_phases(StateSpace& space, AuMethod au, std::function<void()> poll) {
  switch (space.plan->words()) {
    case 1:
      return std::make_unique<RowPhases<Bits, MaskSpace<1>>>(space, au, std::move(poll));
    case 2:
      return std::make_unique<RowPhases<Bits, MaskSpace<2>>>(space, au, std::move(poll));
    default:
      return std::make_unique<RowPhases<Bits, MaskSpace<4>>>(space, au, std::move(poll));
  }
}

template <typename Bits>
std::unique_ptr<Phases> make_wide_phases(StateSpace& space, AuMethod au, std::function<void()> poll) {
  switch (space.plan->words()) {
    case 8:
      return std::make_unique<RowPhases<Bits, MaskSpace<8>>>(space, au, std::move(poll));
    case 16:
      return std::make_unique<RowPhases<Bits, MaskSpace<16>>>(space, au, std::move(poll));
    default:
      return std::make_unique<RowPhases<Bits, MaskSpace<0>>>(space, au, std::move(poll));
  }
}

}  // namespace dcheck
