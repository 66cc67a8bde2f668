#include "dcheck/label/schedule.hpp"

#include <unordered_set>

namespace dcheck {

bool is_path(CoreKind kind) {
  return kind == CoreKind::ex || kind == CoreKind::eu || kind == CoreKind::au;
}

namespace {

using Nodes = std::unordered_set<CoreId>;

bool is_constant(CoreId id) {
  return id == CorePool::always || id == CorePool::never;
}

class Scheduler {
 public:
  Scheduler(const CorePool& pool, std::span<const LabelWish> wishes) : _pool(pool), _needed(wishes.size()) {
    for (std::size_t i = wishes.size(); i-- > 0;) {
      if (i + 1 < wishes.size()) _needed[i] = _needed[i + 1];
      if (wishes[i].as_set)
        need_set(wishes[i].root, _needed[i]);
      else
        need_parts(wishes[i].root, _needed[i]);
    }
    for (_wish = 0; _wish < wishes.size(); ++_wish) {
      _planned.clear();
      if (wishes[_wish].as_set)
        plan_set(wishes[_wish].root);
      else
        plan_initial(wishes[_wish].root);
      add(LabelStep::Aim::done, wishes[_wish].root);
    }
  }

  LabelSchedule take() { return std::move(_schedule); }

 private:
  /// The columns that are needed to decide a formula at the initial state, or to make its own.
  void need_parts(CoreId id, Nodes& needed) const {
    for (const CoreId child : _pool[id].children) {
      if (is_path(_pool[id].kind))
        need_set(child, needed);
      else
        need_parts(child, needed);
    }
  }
  void need_set(CoreId id, Nodes& needed) const {
    if (is_constant(id) || !needed.insert(id).second) return;
    for (const CoreId child : _pool[id].children) need_set(child, needed);
  }

  void plan_initial(CoreId id) {
    const CoreNode& node = _pool[id];
    if (is_path(node.kind)) {
      // Where the whole set is needed anyway, now or later, it tells about the initial state too.
      if (_needed[_wish].contains(id)) return plan_set(id);
      if (!_planned.insert(id).second) return;
      for (const CoreId child : node.children) plan_set(child);
      return add(LabelStep::Aim::initial, id);
    }
    for (const CoreId child : node.children) plan_initial(child);
  }
  void plan_set(CoreId id) {
    if (is_constant(id) || !_planned.insert(id).second) return;
    for (const CoreId child : _pool[id].children) plan_set(child);
    add(LabelStep::Aim::set, id);
  }

  void add(LabelStep::Aim aim, CoreId node) {
    const std::size_t number = _schedule.steps.size();
    _schedule.steps.push_back({aim, node, _wish});
    if (aim == LabelStep::Aim::done)
      _schedule.last_use[node] = number;
    else
      for (const CoreId child : _pool[node].children) _schedule.last_use[child] = number;
  }

  const CorePool& _pool;
  std::vector<Nodes> _needed;  // per wish: columns that it or a later one needs
  std::size_t _wish = 0;
  Nodes _planned;  // for this wish
  LabelSchedule _schedule;
};

}  // namespace

std::size_t path_steps(const CorePool& pool, const LabelSchedule& schedule) {
  Nodes paths;
  for (const LabelStep& step : schedule.steps) {
    const CoreKind kind = pool[step.node].kind;
    if (step.aim != LabelStep::Aim::done && is_path(kind) && (kind != CoreKind::ex || step.aim == LabelStep::Aim::set))
      paths.insert(step.node);
  }
  return paths.size();
}

LabelSchedule make_schedule(const CorePool& pool, std::span<const LabelWish> wishes) {
  return Scheduler(pool, wishes).take();
}

}  // namespace dcheck
