#include "dcheck/evidence/witness.hpp"

#include <algorithm>
#include <stdexcept>

namespace dcheck {

namespace {

using Kind = Formula::Kind;

// Parts along paths are worth reading while they are few; the ones at the end of a path are always there.
constexpr std::size_t most_parts = 2000;

constexpr std::size_t expanded_between_looks = 16;

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
  const Successors next = successors(marking);
  const std::vector<Truth> truths = truths_at(evidence.claim.children[0], next.markings);
  for (std::size_t i = 0; i < truths.size(); ++i) {
    if (truths[i] != truth_of(evidence.holds)) continue;
    evidence.path = {next.steps[i]};
    return add_part(evidence, 1, 0, evidence.holds, next.markings[i]);
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
  const auto test = [&](std::span<const Marking> markings) {
    std::vector<Stay> result(markings.size());
    const StateSet* const sets[] = {&_labels.sat(id)};
    const std::vector<std::uint64_t> found = _operators.look_up(markings, sets);
    for (std::size_t i = 0; i < found.size(); ++i)
      result[i].stays = (found[i] & 1) != 0 && ((found[i] & 2) != 0) == evidence.holds;
    if (claim.kind != Kind::au) return result;
    const std::vector<Truth> lasts = truths_at(claim.children[0], markings);
    for (std::size_t i = 0; i < lasts.size(); ++i) result[i].may_end = lasts[i] == Truth::no;
    return result;
  };
  const Walk walk = stay(marking, test);
  evidence.kind = walk.is_lasso ? Evidence::Kind::lasso : Evidence::Kind::path;
  evidence.path = walk.steps;
  evidence.loop = walk.loop;
  const std::size_t last = walk.steps.size();
  if (claim.kind != Kind::au)
    return add_parts_along(evidence, walk, walk.is_lasso ? last : last + 1, 0, evidence.holds);
  add_parts_along(evidence, walk, last, 1, false);
  if (walk.is_lasso) return;
  add_part(evidence, last, 1, false, walk.markings[last]);
  if (test({&walk.markings[last], 1})[0].may_end) add_part(evidence, last, 0, false, walk.markings[last]);
}

std::vector<Truth> WitnessFinder::truths_at(const Formula& formula, std::span<const Marking> markings) {
  std::vector<Truth> truths;
  truths.reserve(markings.size());
  const auto predicate_at = [&](const Formula& atom, const Marking& marking) {
    return _operators.ranks().alike([&] { return truth_of(evaluate(atom.predicate, _net, marking)); });
  };
  if (formula.kind == Kind::atom || !_is_complete) {
    for (const Marking& marking : markings)
      truths.push_back(truth_of_parts(formula, [&](const Formula& leaf) {
        return leaf.kind == Kind::atom ? predicate_at(leaf, marking) : _initial_truth(_pool.intern(leaf));
      }));
    return truths;
  }
  const StateSet* const sets[] = {&_labels.sat(_pool.intern(formula))};
  for (const std::uint64_t found : _operators.look_up(markings, sets))
    truths.push_back((found & 1) != 0 ? truth_of((found & 2) != 0) : Truth::unknown);
  return truths;
}

WitnessFinder::Successors WitnessFinder::successors(const Marking& marking) {
  if (++_expanded % expanded_between_looks == 0) _operators.expect_room();
  Successors found;
  _operators.ranks().alike([&] {
    found.steps = enabled_in(_net, marking);
    for (const Transition t : found.steps) found.markings.push_back(fired(_net, t, marking));
  });
  return found;
}

std::pair<const Levels*, std::uint64_t> WitnessFinder::levels_to(CoreId lasts, CoreId ends, const Marking& from) {
  const std::pair key{lasts, ends};
  const auto known = _levels.find(key);
  const auto level_in = [&](const Levels& levels) { return _operators.levels_of(levels, {&from, 1})[0]; };
  if (known != _levels.end())
    if (const auto level = level_in(known->second)) return {&known->second, *level};
  // Asked a second time, from further away: then for all states.
  const auto until = known == _levels.end() ? Operators::Until(from) : std::nullopt;
  _labels.sat(ends);
  Levels levels = _operators.levels(_labels.sat(lasts), _labels.sat(ends), until);
  const Levels& kept = _levels.insert_or_assign(key, std::move(levels)).first->second;
  const auto level = level_in(kept);
  if (!level) throw std::logic_error("a path begins in a state from which there is none");
  return {&kept, *level};
}

WitnessFinder::Walk WitnessFinder::shortest_path(CoreId lasts, CoreId ends, const Marking& from) {
  Walk walk{{}, {from}};
  auto [levels, level] = levels_to(lasts, ends, from);
  for (; level != 0; --level) {
    Successors next = successors(walk.markings.back());
    const auto found = _operators.levels_of(*levels, next.markings);
    const auto step = std::find(found.begin(), found.end(), level - 1);
    if (step == found.end()) throw std::logic_error("a state has no successor that is one step closer");
    const auto i = static_cast<std::size_t>(step - found.begin());
    walk.steps.push_back(next.steps[i]);
    walk.markings.push_back(std::move(next.markings[i]));
  }
  return walk;
}

}  // namespace dcheck
