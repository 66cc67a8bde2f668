#include "dcheck/space/lossy_rows.hpp"

#include <algorithm>
#include <limits>

#include "dcheck/base/error.hpp"
#include "dcheck/space/explore_state.hpp"

namespace dcheck {

LossyRows::LossyRows(const Plan& plan, const StoreChoice& choice, MemoryBudget* budget)
    : _known(make_lossy_set(plan, choice, budget)),
      _key_words(plan.layout().stored_words()),
      _words(plan.words()),
      _entry_words(_key_words + _words + 1),
      _seed(mixed_bits(choice.seed)),
      _entries(budget),
      _steps(budget),
      _lanes_of_step(budget),
      _is_shuffled(choice.seed != StoreChoice().seed),
      _dice(choice.seed) {}

void LossyRows::push(const std::uint64_t* key, const std::uint64_t* lanes, PlanTransition by, std::uint64_t depth) {
  if (depth > std::numeric_limits<std::uint32_t>::max()) throw ResourceError("a path has more than 2^32 steps");
  _entries.ensure((_waiting + 1) * _entry_words);
  std::uint64_t* const to = entry(_waiting++);
  std::copy_n(key, _key_words, to);
  std::copy_n(lanes, _words, to + _key_words);
  to[_key_words + _words] = depth << 32 | static_cast<std::uint32_t>(index(by));
}

bool LossyRows::take(std::uint64_t* key, std::uint64_t* lanes) {
  if (_waiting == 0) return false;
  const std::uint64_t* const from = entry(_waiting - 1);
  const std::uint64_t how = from[_key_words + _words];
  _depth = how >> 32;
  _steps.ensure(_depth + 1);
  _lanes_of_step.ensure((_depth + 1) * _words);
  std::copy_n(from, _key_words, key);
  std::copy_n(from + _key_words, _words, lanes);
  _steps[_depth] = static_cast<std::uint32_t>(how);
  std::copy_n(lanes, _words, _lanes_of_step.data() + _depth * _words);
  --_waiting;
  return true;
}

void LossyRows::shuffle_from(std::uint64_t waiting_before) {
  if (!_is_shuffled) return;
  for (std::uint64_t left = _waiting; left > waiting_before + 1; --left) {
    const std::uint64_t other = waiting_before + _dice.next() % (left - waiting_before);
    std::swap_ranges(entry(left - 1), entry(left), entry(other));
  }
}

void LossyRows::note_known(const GoalState& goals) {
  _has_target = goals.found;
  _has_sum = goals.is_known;
}

void LossyRows::note_path(const std::uint64_t* key, const GoalState& goals) {
  LossyPath path;
  const auto note = [](const std::vector<bool>& met, std::vector<bool>& has_path, std::vector<std::size_t>& noted) {
    has_path.resize(met.size(), false);
    for (std::size_t i = 0; i < met.size(); ++i)
      if (met[i] && !has_path[i]) noted.push_back(i);
    has_path = met;
  };
  note(goals.found, _has_target, path.targets);
  note(goals.is_known, _has_sum, path.sums);
  if (path.targets.empty() && path.sums.empty()) return;
  path.key.assign(key, key + _key_words);
  for (std::uint64_t step = 1; step <= _depth; ++step)
    path.transitions.push_back(static_cast<PlanTransition>(_steps[step]));
  path.lanes.assign(_lanes_of_step.data(), _lanes_of_step.data() + (_depth + 1) * _words);
  _paths.push_back(std::move(path));
}

}  // namespace dcheck
