#pragma once
// The operators as templates over the bit instructions and the way in which rows lie in memory. See operators.hpp.

#include "dcheck/base/finally.hpp"
#include "dcheck/label/operators.hpp"
#include "dcheck/walk/lane_graph_maker.hpp"
#include "dcheck/walk/row_walk.hpp"
#include "label/au_operator.hpp"
#include "label/au_query_operator.hpp"
#include "label/exists_operators.hpp"
#include "label/forward_ex_operator.hpp"

namespace dcheck {

template <typename Bits, typename View>
class RowOperators final : public Operators {
  using Walk = RowWalk<Bits, View>;
  using Lanes = typename Walk::Lanes;
  using Work = typename Walk::Work;

 public:
  RowOperators(const StateSpace& space, AuMethod au, const RunLimit& limit)
      : Operators(space.ranks),
        _au(au),
        _walk(space, limit),
        _reached(_walk.rows.reached_states(_walk.sets)),
        _initial(_walk.locate(_walk.plan.net().initial(), _reached)),
        _successors(_walk) {}

  const StateSet& reached() const override { return _reached; }
  const LabellingStep& step() const override { return _walk.step; }
  std::optional<GraphSize> graph() const override {
    if (_walk.graph() == nullptr) return std::nullopt;
    return GraphSize{_walk.graph()->operations(), _walk.graph()->bytes()};
  }

  void keep_graph(LabellingStep& step) override {
    if constexpr (Walk::View::one_lane)
      Operators::keep_graph(step);
    else
      _ranks.together([&] { _walk.set_graph(LaneGraphMaker<Walk>(_walk, _reached, step).make()); });
  }

  /// In one pass over the rows, each of which is read once.
  std::vector<StateSet> label_all(std::span<const Expression* const> predicates) override {
    std::vector<StateSet> columns;
    _walk.begin_step("predicate", _walk.row_count());
    _ranks.together([&] {
      std::vector<RowPredicate> compiled;
      for (const Expression* predicate : predicates) {
        compiled.emplace_back(*predicate, _walk.plan);
        columns.push_back(_walk.sets.empty_set());
      }
      _walk.for_each_row([&](Row row) {
        const Lanes lanes = _walk.rows.get(_reached, row);
        _walk.read(row);
        for (std::size_t i = 0; i < compiled.size(); ++i) {
          Lanes found;
          compiled[i].lanes(_walk.plan, _walk.working(), lanes.word.data(), found.word.data());
          _walk.rows.add(columns[i], row, found);
        }
      });
    });
    return columns;
  }

  StateSet ex(const StateSet& target) override {
    StateSet out;
    _walk.begin_step("EX", _walk.row_count());
    _walk.apply([&] {
      out = _walk.sets.empty_set();
      return ExOperator<Walk>(_walk, _reached, target, out);
    });
    return out;
  }

  StateSet ex_forward(const StateSet& target) override {
    StateSet out;
    _walk.begin_step("EX", _walk.row_count());
    _walk.apply([&] {
      out = _walk.sets.empty_set();
      return ForwardExOperator<Walk>(_walk, _reached, target, out, _queries);
    });
    return out;
  }

  void eu(const StateSet& lasts, StateSet& sat, Until until) override {
    _walk.begin_step(&lasts == &_reached ? "EF" : "EU", 0);
    grow([&] { return EuOperator<Walk>(_walk, lasts, sat, located(until)); });
  }

  void au(const StateSet& lasts, StateSet& sat, Until until) override {
    _walk.begin_step(&lasts == &_reached ? "AF" : "AU", 0);
    if (_au == AuMethod::query)
      grow([&] { return AuQueryOperator<Walk>(_walk, located(until), lasts, sat, _queries); });
    else
      grow([&] { return AuOperator<Walk>(_walk, _successors, _reached, lasts, sat, located(until)); });
  }

  void eu_all(std::span<const Growth> grown) override {
    for (const Growth& one : grown) eu(*one.lasts, *one.sat, until(one));
  }
  void au_all(std::span<const Growth> grown) override {
    for (const Growth& one : grown) au(*one.lasts, *one.sat, until(one));
  }

  std::uint64_t eu_in_steps(const StateSet& lasts, StateSet& sat) override {
    _walk.begin_step("EU in steps", 0);
    StepLists lists = step_lists(sat);
    std::uint64_t steps = 0;
    for (bool has_found = true; has_found;) {
      _walk.step.round = ++steps;
      has_found = _ranks.any(take_step(lasts, sat, lists, {}));
    }
    return steps;
  }

  Levels levels(const StateSet& lasts, const StateSet& ends, Until until) override {
    Levels result;
    _ranks.together([&] { result.known = _walk.sets.copy_of(ends); });
    StepLists lists = step_lists(ends);
    const std::optional<StateRef> last = located(until);
    bool has_found = true;
    _walk.begin_step("distances", 0);
    for (std::uint64_t level = 1; goes_on(has_found, last, result.known); ++level) {
      _walk.step.round = level;
      if (result.bits.size() < bit_width_of(level))
        _ranks.together([&] { result.bits.push_back(_walk.sets.empty_set()); });
      has_found = take_step(lasts, result.known, lists, {&result.bits, level});
    }
    return result;
  }

  void expect_room() override { _ranks.together(_walk.limit.expect_room); }
  void take_break() override {
    _ranks.together([&] { _walk.limit.expect_no_break(); });
  }

 protected:
  SetPool& sets() override { return _walk.sets; }
  bool has_one_lane() const override { return Walk::View::one_lane; }

  std::uint64_t look_up_here(std::span<const Tokens> marking, Sets in) const override {
    const auto state = located(marking);
    if (!state) return 0;
    std::uint64_t found = 1;
    for (std::size_t i = 0; i < in.size(); ++i)
      if (_walk.contains(*in[i], *state)) found |= std::uint64_t{2} << i;
    return found;
  }

 private:
  /// Rows that wait for this step and for the next one.
  struct StepLists {
    std::unique_ptr<Work> work, next;
  };

  /// A pause is gone on with where there is room again; otherwise the set keeps what has joined.
  template <typename Make>
  void grow(Make&& make) {
    using Operator = decltype(make());
    std::unique_ptr<Operator> op;
    _ranks.together([&] { op.reset(new Operator(make())); });
    const Finally close([&] {
      op->close_set();
      _sweeps = _walk.sweeps;
    });
    while (_walk.apply([&]() -> auto& { return *op; }) == Stop::pause) take_break();
  }

  StepLists step_lists(const StateSet& from) {
    StepLists lists;
    _ranks.together([&] { lists = {_walk.worklist_of(from), _walk.make_worklist()}; });
    return lists;
  }
  /// Whether this rank has found states. A pause is gone on with as soon as there is room.
  bool take_step(const StateSet& lasts, StateSet& known, StepLists& lists,
                 typename StepOperator<Walk>::Distance distance) {
    StepOperator<Walk> step(_walk, lasts, known, *lists.work, *lists.next, distance);
    while (_walk.apply([&]() -> auto& { return step; }) == Stop::pause) expect_room();
    std::swap(lists.work, lists.next);
    return step.has_found();
  }

  Until until(const Growth& one) const { return one.until_initial ? Until(_walk.plan.net().initial()) : std::nullopt; }
  std::optional<StateRef> located(Until until) const {
    if (!until) return std::nullopt;
    return std::ranges::equal(*until, _walk.plan.net().initial()) ? _initial : _walk.locate(*until, _reached);
  }

  /// Collective: whether some rank has found states, and none the last one that is wanted.
  bool goes_on(bool has_found, const std::optional<StateRef>& last, const StateSet& known) const {
    std::uint64_t values[] = {has_found ? 1U : 0U, last && _walk.contains(known, *last) ? 1U : 0U};
    _ranks.agree(values, Combine::max);
    return values[0] != 0 && values[1] == 0;
  }

  AuMethod _au;
  Walk _walk;
  StateSet _reached;
  std::optional<StateRef> _initial;  // looked up once
  SuccessorCounts<Walk> _successors;
};

template <typename Bits>
std::unique_ptr<Operators> make_single_operators(const StateSpace& space, AuMethod au, const RunLimit& limit) {
  if (space.state.slots) return std::make_unique<RowOperators<Bits, SlotView>>(space, au, limit);
  return std::make_unique<RowOperators<Bits, OneLaneView>>(space, au, limit);
}

template <typename Bits>
std::unique_ptr<Operators> make_narrow_operators(const StateSpace& space, AuMethod au, const RunLimit& limit) {
  return with_narrow_width(space.plan->words(), [&](auto width) -> std::unique_ptr<Operators> {
    return std::make_unique<RowOperators<Bits, ManyLanesView<width()>>>(space, au, limit);
  });
}

template <typename Bits>
std::unique_ptr<Operators> make_wide_operators(const StateSpace& space, AuMethod au, const RunLimit& limit) {
  return with_wide_width(space.plan->words(), [&](auto width) -> std::unique_ptr<Operators> {
    return std::make_unique<RowOperators<Bits, ManyLanesView<width()>>>(space, au, limit);
  });
}

}  // namespace dcheck
