#include "dcheck/label/labelling.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace dcheck {

using Aim = LabelStep::Aim;

Labelling::Labelling(const CorePool& pool, Operators& operators, const Net& net, std::span<const LabelWish> wishes,
                     bool keep_all)
    : _pool(pool),
      _operators(operators),
      _net(net),
      _wishes(wishes.begin(), wishes.end()),
      _schedule(make_schedule(pool, wishes)),
      _keep_all(keep_all),
      _nothing(operators.empty_set()) {}

void Labelling::fulfil(std::size_t wish) {
  for (; _position < _schedule.steps.size(); ++_position) {
    const LabelStep& step = _schedule.steps[_position];
    if (step.aim == Aim::done && step.wish == wish) return;
    if (is_needed(step)) {
      _operators.take_break();
      if (_pool[step.node].kind == CoreKind::atom)
        make_atoms(next_atoms());
      else if (step.aim == Aim::set)
        make_column(step.node, _keep_all ? Inputs::copied : Inputs::taken);
      else
        decide(step.node);
    }
    if (_keep_all || step.aim == Aim::done) continue;
    for (const CoreId child : _pool[step.node].children)
      if (_schedule.last_use.at(child) <= _position) give_back(child);
  }
}

/// The atom whose turn it is and some of those that its wish will need next: a row is then read once for all of them.
std::vector<LabelStep> Labelling::next_atoms() {
  constexpr std::size_t plenty = 24;  // sets
  const std::size_t most = _operators.has_room_for(plenty) ? 4 : 1;
  std::vector<LabelStep> atoms;
  for (std::size_t i = _position; i < _schedule.steps.size() && atoms.size() < most; ++i) {
    const LabelStep& step = _schedule.steps[i];
    if (step.aim == Aim::done) break;
    if (_pool[step.node].kind == CoreKind::atom && is_needed(step)) atoms.push_back(step);
  }
  return atoms;
}

bool Labelling::holds_initially(CoreId root) {
  const Truth truth = known_initially(root);
  if (truth == Truth::unknown) throw std::logic_error("a formula was not decided by its steps");
  return truth == Truth::yes;
}

void Labelling::finish(std::size_t wish) {
  fulfil(wish);
  const auto is_needed_later = [&](CoreId id) {
    const auto use = _schedule.last_use.find(id);
    return use != _schedule.last_use.end() && use->second > _position;
  };
  for (auto at = _columns.begin(); at != _columns.end();) {
    const CoreId id = (at++)->first;
    if (!is_needed_later(id)) give_back(id);
  }
  ++_position;
}

bool Labelling::is_needed(const LabelStep& step) {
  if (_growing.contains(step.node)) return true;
  if (step.aim == Aim::done || is_there(step.node)) return false;
  if (step.aim == Aim::initial && _decided.contains(step.node)) return false;
  return is_read(step.node) && !is_fulfilled(_wishes[step.wish]);
}

/// Whether a step from here on is for this node or reads its column, other than as the beginning of a set that is
/// growing already.
bool Labelling::is_read(CoreId id) const {
  if (_growing.empty()) return true;
  for (std::size_t i = _position; i < _schedule.steps.size(); ++i) {
    const LabelStep& step = _schedule.steps[i];
    if (step.node == id && step.aim != Aim::set) return true;
    if (step.aim == Aim::done || step.node == id) continue;
    const std::vector<CoreId>& children = _pool[step.node].children;
    const bool is_begun = _growing.contains(step.node) && children[0] != id;
    if (!is_begun && std::ranges::find(children, id) != children.end()) return true;
  }
  return false;
}

bool Labelling::is_fulfilled(const LabelWish& wish) {
  if (wish.as_set) return is_there(wish.root);
  return known_initially(wish.root) != Truth::unknown;
}

void Labelling::make_column(CoreId id, Inputs inputs) {
  const CoreNode& node = _pool[id];
  if (const Truth known = known_from_children(node); known != Truth::unknown) {
    _constants[id] = known == Truth::yes;
    return;
  }
  StateSet set;
  if (node.kind == CoreKind::atom)
    set = _operators.label(node.predicate);
  else if (node.kind == CoreKind::ex && known_of_all(node.children[0]) == Truth::yes)
    set = with_successor();
  else if (node.kind == CoreKind::ex)
    set = _operators.ex(column(node.children[0]));
  else if (node.kind == CoreKind::eu || node.kind == CoreKind::au)
    set = grown(id, std::nullopt, inputs);
  else
    set = combined(node, inputs);
  keep(id, std::move(set));
}

void Labelling::keep(CoreId id, StateSet&& set) {
  const Truth of_all = _operators.holds_of_all(set);
  if (of_all == Truth::unknown) {
    _columns.insert_or_assign(id, std::move(set));
    return;
  }
  _constants[id] = of_all == Truth::yes;
  _operators.give_back(std::move(set));
}

bool Labelling::is_there(CoreId id) const {
  return id == CorePool::always || id == CorePool::never || _columns.contains(id) || _constants.contains(id);
}

Truth Labelling::known_of_all(CoreId id) const {
  if (id == CorePool::always || id == CorePool::never) return truth_of(id == CorePool::always);
  const auto known = _constants.find(id);
  return known == _constants.end() ? Truth::unknown : truth_of(known->second);
}

Truth Labelling::known_from_children(const CoreNode& node) const {
  if (node.kind == CoreKind::ex) return known_of_all(node.children[0]) == Truth::no ? Truth::no : Truth::unknown;
  if (node.kind == CoreKind::eu || node.kind == CoreKind::au) return known_of_all(node.children[1]);
  return truth_of_boolean(node, [&](CoreId child) { return known_of_all(child); });
}

/// The states that are no deadlocks.
StateSet Labelling::with_successor() {
  StateSet set = _operators.label(Expression::of(Expression::Kind::deadlock));
  set.complement(_operators.reached());
  return set;
}

StateSet Labelling::combined(const CoreNode& node, Inputs inputs) {
  StateSet result = start_with(node.children[0], inputs);
  if (node.kind == CoreKind::negation) result.complement(_operators.reached());
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    if (node.kind == CoreKind::conjunction)
      result.keep(column(node.children[i]));
    else
      result.add(column(node.children[i]));
  }
  return result;
}

void Labelling::decide(CoreId id) {
  const CoreNode& node = _pool[id];
  if (node.kind == CoreKind::ex) {
    _decided[id] = some_successor(node.children[0]);
    return;
  }
  StateSet set = grown(id, _net.initial(), _keep_all ? Inputs::copied : Inputs::taken);
  const bool holds = _operators.contains(set, _net.initial());
  _decided[id] = holds;
  if (!holds && _keep_all)
    keep(id, std::move(set));  // it never stopped early
  else
    _operators.give_back(std::move(set));
}

StateSet Labelling::grown(CoreId id, Operators::Until until, Inputs inputs) {
  const CoreNode& node = _pool[id];
  if (!_growing.contains(id)) _growing.emplace(id, start_with(node.children[1], inputs));
  const StateSet& lasts = column(node.children[0]);
  StateSet& set = _growing.at(id);
  const auto is_enough = [&] { return (until && _operators.contains(set, *until)) || _operators.is_empty(set); };
  if (!until && !is_enough() && leads_everywhere(id)) set.assign(_operators.reached());
  if (!is_enough()) {
    if (node.kind == CoreKind::eu)
      _operators.eu(lasts, set, until);
    else
      _operators.au(lasts, set, until);
  }
  return taken_from_growing(id);
}

StateSet Labelling::taken_from_growing(CoreId id) {
  StateSet result = std::move(_growing.at(id));
  _growing.erase(id);
  return result;
}

LabelsSoFar Labelling::so_far() const {
  LabelsSoFar known{_constants, _decided, {}, {}, _all_return};
  for (const auto& [id, set] : _columns) known.columns.emplace(id, set.view());
  for (const auto& [id, set] : _growing) known.growing.emplace(id, set.view());
  return known;
}

void Labelling::begin_with(LabelsSoFar&& known) {
  _constants = std::move(known.constants);
  _decided = std::move(known.decided);
  _columns = std::move(known.columns);
  _growing = std::move(known.growing);
  _all_return = known.all_return;
}

/// Whether every state satisfies this EF, whose end is reached: so it is where all states lead back to the initial one.
/// To find that out takes as long as one EF, and is done when the third is met.
bool Labelling::leads_everywhere(CoreId id) {
  constexpr std::size_t searches_before = 2;
  const CoreNode& node = _pool[id];
  if (node.kind != CoreKind::eu || node.children[0] != CorePool::always) return false;
  if (_all_return == Truth::unknown && ++_searches_met > searches_before) {
    StateSet home = _operators.label(Expression::of(Expression::Kind::initial));
    _operators.eu(_operators.reached(), home, std::nullopt);
    _all_return = truth_of(_operators.size(home) == _operators.size(_operators.reached()));
    _operators.give_back(std::move(home));
  }
  return _all_return == Truth::yes;
}

bool Labelling::some_successor(CoreId child) {
  std::vector<Marking> successors;
  const Marking initial(_net.initial().begin(), _net.initial().end());
  _operators.ranks().alike([&] {
    for (const Transition t : enabled_in(_net, initial)) successors.push_back(fired(_net, t, initial));
  });
  const StateSet* const sets[] = {&column(child)};
  const std::vector<std::uint64_t> found = _operators.look_up(successors, sets);
  return std::ranges::any_of(found, [](std::uint64_t in) { return (in & 2) != 0; });
}

Truth Labelling::known_initially(CoreId id) {
  if (const Truth of_all = known_of_all(id); of_all != Truth::unknown) return of_all;
  if (const auto known = _decided.find(id); known != _decided.end()) return truth_of(known->second);
  if (const auto set = _columns.find(id); set != _columns.end())
    return truth_of(_decided[id] = _operators.contains(set->second, _net.initial()));
  const CoreNode& node = _pool[id];
  if (node.kind == CoreKind::atom)
    return truth_of(_operators.ranks().alike([&] { return evaluate(node.predicate, _net, _net.initial()); }));
  return truth_of_boolean(node, [&](CoreId child) { return known_initially(child); });
}

const StateSet& Labelling::sat(CoreId id) {
  const LabelWish wish{id, true};
  if (is_fulfilled(wish)) return column(id);
  for (const LabelStep& step : make_schedule(_pool, {&wish, 1}).steps)
    if (step.aim == Aim::set && !is_there(step.node)) make_column(step.node, Inputs::copied);
  return column(id);
}

const StateSet& Labelling::column(CoreId id) const {
  const Truth of_all = known_of_all(id);
  if (of_all == Truth::unknown) return _columns.at(id);
  return of_all == Truth::yes ? _operators.reached() : _nothing;
}

StateSet Labelling::start_with(CoreId child, Inputs inputs) {
  const auto found = _columns.find(child);
  if (found == _columns.end() || inputs == Inputs::copied || _schedule.last_use.at(child) > _position)
    return _operators.copy_of(column(child));
  StateSet set = std::move(found->second);
  _columns.erase(found);
  return set;
}

void Labelling::give_back(CoreId id) {
  const auto found = _columns.find(id);
  if (found == _columns.end()) return;
  _operators.give_back(std::move(found->second));
  _columns.erase(found);
}

}  // namespace dcheck
