#include "engine/goal_watch.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "dcheck/base/error.hpp"
#include "dcheck/rows/mask.hpp"

namespace dcheck {

namespace {

using MaskBuffer = std::array<std::uint64_t, max_lanes / 64>;

Tokens in_64_bits(RowSum::Wide value) {
  constexpr RowSum::Wide most = std::numeric_limits<Tokens>::max();
  if (value > most || value < -most) throw ResourceError("an upper bound leaves 64 bits");
  return static_cast<Tokens>(value);
}

}  // namespace

GoalWatch::GoalWatch(const SearchGoals& goals, const Plan& plan, GoalState& state, Deadlocks deadlocks)
    : _goals(goals), _plan(plan), _state(state) {
  _state.found.resize(goals.targets.size(), false);
  _state.largest.resize(goals.sums.size());
  _state.is_known.resize(goals.sums.size(), false);
  for (std::size_t i = 0; i < goals.targets.size(); ++i) {
    if (_state.found[i]) continue;
    if (goals.targets[i].kind == Expression::Kind::deadlock && deadlocks == Deadlocks::by_firing)
      _deadlocks.push_back(i);
    else
      _targets.push_back({i, RowPredicate(goals.targets[i], plan)});
  }
  for (std::size_t i = 0; i < goals.sums.size(); ++i) {
    if (_state.is_known[i]) continue;
    const auto form = linear_form(goals.sums[i]);
    _sums.push_back({i, form ? RowSum::of(*form, plan) : std::nullopt});
  }
}

void GoalWatch::see(const std::uint64_t* working, const std::uint64_t* lanes) {
  MaskBuffer hit;
  const std::size_t words = _plan.words();
  const std::size_t open_before = _targets.size() + _sums.size();
  std::erase_if(_targets, [&](const Target& target) {
    target.predicate.lanes(_plan, working, lanes, hit.data());
    const bool found = std::any_of(hit.data(), hit.data() + words, [](std::uint64_t w) { return w != 0; });
    if (found) _state.found[target.goal] = true;
    return found;
  });
  for (const Sum& sum : _sums) look_at_sum(sum, working, lanes);
  std::erase_if(_sums, [&](const Sum& sum) { return _state.is_known[sum.goal]; });
  const std::size_t met = open_before - _targets.size() - _sums.size();
  if (met == 0) return;
  _met += met;
  ask();
}

void GoalWatch::look_at_sum(const Sum& sum, const std::uint64_t* working, const std::uint64_t* lanes) {
  const auto best = _state.largest[sum.goal];
  if (!sum.linear) {
    for_each_lane(lanes, _plan.words(), [&](Lane lane) {
      raise(sum, evaluate_number(_goals.sums[sum.goal], _plan.marking_of_working(working, lane)));
    });
    return;
  }
  const RowSum::Wide key = sum.linear->key_part(_plan, working);
  const LaneQuantity* quantity = sum.linear->lane_part();
  if (quantity == nullptr) return raise(sum, in_64_bits(key / sum.linear->scale()));
  if (best) {
    const RowSum::Wide wanted = (RowSum::Wide{*best} + 1) * sum.linear->scale() - key;
    const std::uint64_t* mask =
        quantity->at_least(static_cast<Tokens>(std::clamp(wanted, -RowSum::limit, RowSum::limit)));
    std::uint64_t common = 0;
    for (std::size_t w = 0; w < _plan.words(); ++w) common |= mask[w] & lanes[w];
    if (common == 0) return;
  }
  for_each_lane(lanes, _plan.words(),
                [&](Lane lane) { raise(sum, in_64_bits((key + quantity->value(lane)) / sum.linear->scale())); });
}

void GoalWatch::raise(const Sum& sum, Tokens value) {
  auto& best = _state.largest[sum.goal];
  if (best && *best >= value) return;
  best = value;
  const auto& limit = _goals.sum_limits[sum.goal];
  _state.is_known[sum.goal] = limit && value >= *limit;
}

void GoalWatch::see_deadlock() {
  if (_deadlocks.empty()) return;
  for (const std::size_t goal : _deadlocks) _state.found[goal] = true;
  _met += _deadlocks.size();
  _deadlocks.clear();
  ask();
}

void GoalWatch::ask() {
  if (_goals.may_end_early && (_asks_others || _goals.is_enough(_state))) _state.is_enough = true;
}

}  // namespace dcheck
