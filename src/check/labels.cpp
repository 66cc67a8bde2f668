#include "check/labels.hpp"

#include <algorithm>
#include <stdexcept>

#include "check/alike.hpp"
#include "check/initial_truth.hpp"

namespace dcheck {

Labels::Labels(const Net& net, const CorePool& pool, Phases& phases, std::vector<CoreId> roots, bool keep_all)
    : _net(net),
      _pool(pool),
      _phases(phases),
      _roots(std::move(roots)),
      _keep_all(keep_all),
      _nothing(phases.empty_set()),
      _is_finished(pool.size(), false) {
  for (std::size_t i = 0; i < _roots.size(); ++i) note_uses(_roots[i], i);
}

void Labels::note_uses(CoreId id, std::size_t property) {
  Use& use = _uses[id];
  const bool is_new = use.last_property_end == 0;
  if (use.last_property_end == property + 1) return;
  use.last_property_end = property + 1;
  for (const CoreId child : _pool[id].children) {
    if (is_new) _uses[child].parents.push_back(id);
    note_uses(child, property);
  }
}

bool Labels::is_needed_later(CoreId id) const {
  const auto use = _uses.find(id);
  return use != _uses.end() && use->second.last_property_end > _done;
}

bool Labels::is_still_needed(CoreId id) const {
  if (_keep_all) return true;
  const auto use = _uses.find(id);
  if (!is_needed_later(id)) return false;
  if (std::find(_roots.begin() + static_cast<std::ptrdiff_t>(_done), _roots.end(), id) != _roots.end()) return true;
  return std::any_of(use->second.parents.begin(), use->second.parents.end(), [&](CoreId parent) {
    return !_is_finished[parent] && _uses.at(parent).last_property_end > _done;
  });
}

/// Not only to be decided at the initial state, now or later.
bool Labels::is_needed_as_set(CoreId id) const {
  const std::vector<CoreId>& parents = _uses.at(id).parents;
  return std::any_of(parents.begin(), parents.end(), [&](CoreId parent) {
    if (_is_finished[parent] || _uses.at(parent).last_property_end <= _done) return false;
    const CoreKind kind = _pool[parent].kind;
    const bool is_path = kind == CoreKind::ex || kind == CoreKind::eu || kind == CoreKind::au;
    return is_path || is_needed_as_set(parent);
  });
}

bool Labels::holds_initially(CoreId id) {
  if (id == CorePool::always || id == CorePool::never) return id == CorePool::always;
  if (const auto known = _decided.find(id); known != _decided.end()) return known->second;
  if (const auto set = _sets.find(id); set != _sets.end()) return _phases.contains(set->second, _net.initial());
  const CoreNode& node = _pool[id];
  const auto holds = [&](CoreId child) { return holds_initially(child); };
  switch (node.kind) {
    case CoreKind::atom:
      return alike(_phases.ranks(), [&] { return evaluate(node.predicate, _net, _net.initial()); });
    case CoreKind::negation:
      return !holds(node.children[0]);
    case CoreKind::conjunction:
      return std::all_of(node.children.begin(), node.children.end(), holds);
    case CoreKind::disjunction:
      return std::any_of(node.children.begin(), node.children.end(), holds);
    case CoreKind::ex:
      return _decided[id] = some_successor(node.children[0]);
    default:
      return _decided[id] = decide_path(id);
  }
}

bool Labels::some_successor(CoreId id) {
  const StateSet& target = sat(id);
  std::vector<Phases::Marking> successors;
  alike(_phases.ranks(), [&] {
    for (std::size_t i = 0; i < _net.transition_count(); ++i) {
      const auto t = static_cast<Transition>(i);
      if (_net.is_enabled(t, _net.initial())) successors.push_back(fire(_net, t, _net.initial()));
    }
  });
  const StateSet* const sets[] = {&target};
  const std::vector<std::uint64_t> found = _phases.look_up(successors, sets);
  return std::any_of(found.begin(), found.end(), [](std::uint64_t in) { return (in & 2) != 0; });
}

/// EU or AU, no further than until the initial state has joined, unless the whole set is needed anyway.
bool Labels::decide_path(CoreId id) {
  if (is_needed_as_set(id)) return _phases.contains(sat(id), _net.initial());
  const CoreNode& node = _pool[id];
  for (const CoreId child : node.children) sat(child);
  _is_finished[id] = true;
  StateSet result = take_or_copy(node.children[1]);
  bool holds = _phases.contains(result, _net.initial());
  if (!holds && !_phases.is_empty(result)) {
    if (node.kind == CoreKind::eu)
      _phases.eu(sat(node.children[0]), result, _net.initial());
    else
      _phases.au(sat(node.children[0]), result, _net.initial());
    holds = _phases.contains(result, _net.initial());
  }
  for (const CoreId child : node.children) give_back_unneeded(child);
  if (!holds && _keep_all)
    _sets.insert_or_assign(id, std::move(result));  // it never stopped early
  else
    _phases.give_back(std::move(result));
  return holds;
}

const StateSet& Labels::sat(CoreId id) {
  if (id == CorePool::always) return _phases.reached();
  if (id == CorePool::never) return _nothing;
  if (const auto known = _sets.find(id); known != _sets.end()) return known->second;
  if (id >= _is_finished.size()) _is_finished.resize(_pool.size(), false);
  StateSet set = compute(id);
  return _sets.insert_or_assign(id, std::move(set)).first->second;
}

StateSet Labels::compute(CoreId id) {
  const CoreNode& node = _pool[id];
  if (node.kind == CoreKind::atom) return _phases.label(node.predicate);
  for (const CoreId child : node.children) sat(child);
  _is_finished[id] = true;
  StateSet result;
  switch (node.kind) {
    case CoreKind::negation:
      result = take_or_copy(node.children[0]);
      result.complement(_phases.reached());
      break;
    case CoreKind::conjunction:
    case CoreKind::disjunction:
      result = take_or_copy(node.children[0]);
      for (std::size_t i = 1; i < node.children.size(); ++i) {
        if (node.kind == CoreKind::conjunction)
          result.keep(sat(node.children[i]));
        else
          result.add(sat(node.children[i]));
      }
      break;
    case CoreKind::ex:
      result = _phases.ex(sat(node.children[0]));
      break;
    case CoreKind::eu:
    case CoreKind::au:
      result = take_or_copy(node.children[1]);
      if (_phases.is_empty(result)) break;
      if (node.kind == CoreKind::eu)
        _phases.eu(sat(node.children[0]), result, std::nullopt);
      else
        _phases.au(sat(node.children[0]), result, std::nullopt);
      break;
    default:
      throw std::logic_error("a constant has no set of its own");
  }
  for (const CoreId child : node.children) give_back_unneeded(child);
  return result;
}

/// The set of a node that its last user may change.
StateSet Labels::take_or_copy(CoreId id) {
  const auto found = _sets.find(id);
  if (found == _sets.end() || is_still_needed(id)) return _phases.copy_of(sat(id));
  StateSet set = std::move(found->second);
  _sets.erase(found);
  return set;
}

void Labels::give_back_unneeded(CoreId id) {
  const auto found = _sets.find(id);
  if (found == _sets.end() || is_still_needed(id)) return;
  _phases.give_back(std::move(found->second));
  _sets.erase(found);
}

void Labels::property_done() {
  ++_done;
  for (auto it = _sets.begin(); it != _sets.end();) {
    if (is_needed_later(it->first)) {
      ++it;
    } else {
      _phases.give_back(std::move(it->second));
      it = _sets.erase(it);
    }
  }
}

}  // namespace dcheck
