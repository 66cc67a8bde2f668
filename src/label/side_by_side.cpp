// Labelling the formulas of many wishes side by side: whatever is ready and of one kind is done in one walk.

#include <algorithm>
#include <set>

#include "dcheck/label/labelling.hpp"

namespace dcheck {

using Aim = LabelStep::Aim;

void Labelling::fulfil_together(std::size_t first, std::size_t last) {
  while (true) {
    _operators.take_break();
    const std::vector<LabelStep> left = steps_left(first, last);
    give_back_unread(left, first);
    std::vector<LabelStep> ready;
    std::ranges::copy_if(left, std::back_inserter(ready), [&](const LabelStep& step) { return is_ready(step); });
    if (ready.empty()) return;
    make_some(ready);
  }
}

std::size_t Labelling::columns_for(std::size_t first, std::size_t last) {
  return steps_left(first, last).size() + _columns.size();
}

/// The steps that are needed to fulfil the wishes from `first` up to `last`, by what is known now; each node once.
std::vector<LabelStep> Labelling::steps_left(std::size_t first, std::size_t last) {
  std::set<CoreId> read;
  for (std::size_t i = first; i < last; ++i) {
    if (_wishes[i].as_set)
      read.insert(_wishes[i].root);
    else if (known_initially(_wishes[i].root) == Truth::unknown)
      add_open_paths(_wishes[i].root, read);
  }
  // Parents come after their children. A node whose set is made needs no step that decides it in the initial state.
  std::vector<LabelStep> left;
  std::set<CoreId> seen;
  for (auto step = _schedule.steps.rbegin(); step != _schedule.steps.rend(); ++step) {
    if (step->aim == Aim::done || step->wish >= last || !read.contains(step->node)) continue;
    const bool is_known = is_there(step->node) || (step->aim == Aim::initial && _decided.contains(step->node));
    if (is_known || !seen.insert(step->node).second) continue;
    left.push_back(*step);
    for (const CoreId child : _pool[step->node].children) read.insert(child);
  }
  std::ranges::reverse(left);
  return left;
}

/// The path operators of which it must be known whether the initial state satisfies them.
void Labelling::add_open_paths(CoreId id, std::set<CoreId>& paths) {
  if (is_path(_pool[id].kind)) {
    if (known_initially(id) == Truth::unknown) paths.insert(id);
    return;
  }
  for (const CoreId child : _pool[id].children) add_open_paths(child, paths);
}

bool Labelling::is_ready(const LabelStep& step) const {
  return std::ranges::all_of(_pool[step.node].children, [&](CoreId child) { return is_there(child); });
}

void Labelling::give_back_unread(std::span<const LabelStep> left, std::size_t first) {
  std::set<CoreId> read;
  for (const LabelStep& step : left) read.insert(_pool[step.node].children.begin(), _pool[step.node].children.end());
  for (std::size_t i = first; i < _wishes.size(); ++i)
    if (_wishes[i].as_set) read.insert(_wishes[i].root);
  for (auto at = _columns.begin(); at != _columns.end();) {
    const CoreId id = (at++)->first;
    if (!read.contains(id)) give_back(id);
  }
}

/// All steps of the first kind that is there, predicates and boolean operators before walks.
void Labelling::make_some(std::span<const LabelStep> ready) {
  const auto of_kind = [&](CoreKind kind) {
    std::vector<LabelStep> steps;
    std::ranges::copy_if(ready, std::back_inserter(steps),
                         [&](const LabelStep& step) { return _pool[step.node].kind == kind; });
    return steps;
  };
  for (const LabelStep& step : ready) {
    const CoreNode& node = _pool[step.node];
    if (is_boolean(node.kind) || known_from_children(node) != Truth::unknown)
      return make_column(step.node, Inputs::copied);
  }
  if (const auto steps = of_kind(CoreKind::atom); !steps.empty()) return make_atoms(steps);
  if (const auto steps = of_kind(CoreKind::ex); !steps.empty()) return make_nexts(steps);
  if (const auto steps = of_kind(CoreKind::eu); !steps.empty()) return grow_together(steps, CoreKind::eu);
  grow_together(of_kind(CoreKind::au), CoreKind::au);
}

void Labelling::make_atoms(std::span<const LabelStep> steps) {
  std::vector<const Expression*> predicates;
  for (const LabelStep& step : steps) predicates.push_back(&_pool[step.node].predicate);
  std::vector<StateSet> made = _operators.label_all(predicates);
  for (std::size_t i = 0; i < steps.size(); ++i) keep(steps[i].node, std::move(made[i]));
}

void Labelling::make_nexts(std::span<const LabelStep> steps) {
  std::vector<CoreId> nodes;
  std::vector<const StateSet*> targets;
  for (const LabelStep& step : steps) {
    const CoreId child = _pool[step.node].children[0];
    if (step.aim == Aim::initial) {
      _decided[step.node] = some_successor(child);
      continue;
    }
    nodes.push_back(step.node);
    targets.push_back(&column(child));
  }
  if (nodes.empty()) return;
  std::vector<StateSet> made = _operators.ex_all(targets);
  for (std::size_t i = 0; i < nodes.size(); ++i) keep(nodes[i], std::move(made[i]));
}

void Labelling::grow_together(std::span<const LabelStep> steps, CoreKind kind) {
  std::vector<Growth> grown;
  for (const LabelStep& step : steps) {
    const CoreNode& node = _pool[step.node];
    if (!_growing.contains(step.node)) _growing.emplace(step.node, _operators.copy_of(column(node.children[1])));
    grown.push_back({&column(node.children[0]), &_growing.at(step.node), step.aim == Aim::initial});
  }
  if (kind == CoreKind::eu)
    _operators.eu_all(grown);
  else
    _operators.au_all(grown);
  for (const LabelStep& step : steps) {
    StateSet set = taken_from_growing(step.node);
    if (step.aim == Aim::set) {
      keep(step.node, std::move(set));
      continue;
    }
    _decided[step.node] = _operators.contains(set, _net.initial());
    _operators.give_back(std::move(set));
  }
}

}  // namespace dcheck
