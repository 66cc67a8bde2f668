#include "check/witness.hpp"

#include <algorithm>
#include <stdexcept>

namespace dcheck {

namespace {

using Kind = Formula::Kind;

// Parts along paths are worth reading while they are few; the ones at the end of a path are always there.
constexpr std::size_t most_parts = 2000;

bool is_shown_by_step(Kind kind, bool holds) {
  return (kind == Kind::ex && holds) || (kind == Kind::ax && !holds);
}
bool is_shown_by_path(Kind kind, bool holds) {
  return holds ? kind == Kind::ef || kind == Kind::eu : kind == Kind::ag;
}
bool is_shown_by_staying(Kind kind, bool holds) {
  return holds ? kind == Kind::eg : kind == Kind::af || kind == Kind::au;
}

}  // namespace

Evidence WitnessFinder::show(const Formula& formula, bool holds) {
  _parts = 0;
  _levels.clear();
  return show_at(formula, holds, {_net.initial().begin(), _net.initial().end()});
}

Evidence WitnessFinder::show_at(const Formula& formula, bool holds, const Marking& marking) {
  Evidence evidence{.claim = formula, .holds = holds};
  if (formula.kind == Kind::atom) return evidence;
  if (formula.kind == Kind::negation || formula.kind == Kind::conjunction || formula.kind == Kind::disjunction)
    show_boolean(evidence, marking);
  else if (is_shown_by_step(formula.kind, holds))
    show_step(evidence, marking);
  else if (is_shown_by_path(formula.kind, holds))
    show_path(evidence, marking);
  else if (is_shown_by_staying(formula.kind, holds))
    show_stay(evidence, marking);
  else
    evidence.kind = Evidence::Kind::all_paths;
  return evidence;
}

void WitnessFinder::add_part(Evidence& evidence, std::size_t at, std::size_t child, bool holds,
                             const Marking& marking) {
  ++_parts;
  evidence.parts.push_back({at, child, show_at(evidence.claim.children[child], holds, marking)});
}

void WitnessFinder::add_parts_along(Evidence& evidence, const Walk& walk, std::size_t end, std::size_t child,
                                    bool holds) {
  if (evidence.claim.children[child].kind == Kind::atom) return;
  for (std::size_t at = 0; at < end; ++at) {
    if (_parts < most_parts || at == walk.steps.size())
      add_part(evidence, at, child, holds, walk.markings[at]);
    else
      ++evidence.parts_left_out;
  }
}

void WitnessFinder::show_boolean(Evidence& evidence, const Marking& marking) {
  const Formula& claim = evidence.claim;
  evidence.kind = Evidence::Kind::parts;
  if (claim.kind == Kind::negation) return add_part(evidence, 0, 0, !evidence.holds, marking);
  const bool one_decides = (claim.kind == Kind::disjunction) == evidence.holds;
  for (std::size_t i = 0; i < claim.children.size(); ++i) {
    if (one_decides && truth_at(claim.children[i], marking) != truth_of(evidence.holds)) continue;
    add_part(evidence, 0, i, evidence.holds, marking);
    if (one_decides) return;
  }
  if (one_decides) throw std::logic_error("no part decides a combination that is decided");
}

void WitnessFinder::show_step(Evidence& evidence, const Marking& marking) {
  evidence.kind = Evidence::Kind::path;
  for (const auto& [t, next] : successors(marking)) {
    if (truth_at(evidence.claim.children[0], next) != truth_of(evidence.holds)) continue;
    evidence.path = {t};
    return add_part(evidence, 1, 0, evidence.holds, next);
  }
  throw std::logic_error("no successor shows what is known to be shown by one");
}

void WitnessFinder::show_path(Evidence& evidence, const Marking& marking) {
  const Formula& claim = evidence.claim;
  const bool is_until = claim.kind == Kind::eu;
  const CoreId lasts = is_until ? _pool.intern(claim.children[0]) : CorePool::always;
  const std::size_t end_child = is_until ? 1 : 0;
  const CoreId ends = _pool.intern(evidence.holds ? claim.children[end_child] : negation_of(claim.children[0]));
  Walk walk = shortest_path(lasts, ends, marking);
  evidence.kind = Evidence::Kind::path;
  evidence.path = std::move(walk.steps);
  if (is_until) add_parts_along(evidence, walk, evidence.path.size(), 0, true);
  add_part(evidence, evidence.path.size(), end_child, evidence.holds, walk.markings.back());
}

void WitnessFinder::show_stay(Evidence& evidence, const Marking& marking) {
  const Formula& claim = evidence.claim;
  const CoreId id = _pool.intern(claim);
  const auto stays = [&](const Marking& m) {
    const auto state = _phases.locate(m);
    return state && _phases.contains(_labels.sat(id), *state) == evidence.holds;
  };
  const auto may_end = [&](const Marking& m) {
    return claim.kind == Kind::au && truth_at(claim.children[0], m) == Truth::no;
  };
  const Walk walk = stay(marking, stays, may_end);
  evidence.kind = walk.is_lasso ? Evidence::Kind::lasso : Evidence::Kind::path;
  evidence.path = walk.steps;
  evidence.loop = walk.loop;
  const std::size_t last = walk.steps.size();
  if (claim.kind != Kind::au)
    return add_parts_along(evidence, walk, walk.is_lasso ? last : last + 1, 0, evidence.holds);
  add_parts_along(evidence, walk, last, 1, false);
  if (walk.is_lasso) return;
  add_part(evidence, last, 1, false, walk.markings[last]);
  if (may_end(walk.markings[last])) add_part(evidence, last, 0, false, walk.markings[last]);
}

Truth WitnessFinder::truth_at(const Formula& formula, const Marking& marking) {
  if (formula.kind == Kind::atom) return truth_of(evaluate(formula.predicate, _net, marking));
  if (!_is_complete)
    return truth_of_parts(formula, [&](const Formula& leaf) {
      return leaf.kind == Kind::atom ? truth_at(leaf, marking) : _initial_truth(_pool.intern(leaf));
    });
  const auto state = _phases.locate(marking);
  return state ? truth_of(_phases.contains(_labels.sat(_pool.intern(formula)), *state)) : Truth::unknown;
}

std::vector<std::pair<Transition, WitnessFinder::Marking>> WitnessFinder::successors(const Marking& marking) const {
  std::vector<std::pair<Transition, Marking>> found;
  _poll();
  for (std::size_t i = 0; i < _net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    if (_net.is_enabled(t, marking)) found.emplace_back(t, fire(_net, t, marking));
  }
  return found;
}

const Levels& WitnessFinder::levels_to(CoreId lasts, CoreId ends, StateRef from) {
  const std::pair key{lasts, ends};
  const auto known = _levels.find(key);
  if (known != _levels.end() && _phases.contains(known->second.known, from)) return known->second;
  // Asked a second time, from further away: then for all states.
  const auto stop = known == _levels.end() ? std::optional(from) : std::nullopt;
  _labels.sat(ends);
  Levels levels = _phases.levels(_labels.sat(lasts), _labels.sat(ends), stop);
  return _levels.insert_or_assign(key, std::move(levels)).first->second;
}

WitnessFinder::Walk WitnessFinder::shortest_path(CoreId lasts, CoreId ends, const Marking& from) {
  Walk walk{{}, {from}};
  const auto start = _phases.locate(from);
  if (!start) throw std::logic_error("a path begins in a state that was not explored");
  const Levels& levels = levels_to(lasts, ends, *start);
  for (auto level = _phases.level_of(levels, *start); level.value() != 0; --*level) {
    const auto next = successors(walk.markings.back());
    const auto step = std::find_if(next.begin(), next.end(), [&](const auto& successor) {
      const auto state = _phases.locate(successor.second);
      return state && _phases.level_of(levels, *state) == *level - 1;
    });
    if (step == next.end()) throw std::logic_error("a state has no successor that is one step closer");
    walk.steps.push_back(step->first);
    walk.markings.push_back(step->second);
  }
  return walk;
}

}  // namespace dcheck
