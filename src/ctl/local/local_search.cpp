#include "dcheck/ctl/local/local_search.hpp"

#include <algorithm>

#include "ctl/local/searches.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr std::uint64_t first_allowance = 64;  // states of a search in the first round
constexpr std::uint64_t more_per_round = 8;
constexpr std::uint8_t most_rounds = 20;

}  // namespace

Truth LocalSearch::decide(CoreId id, std::uint64_t steps, Patience& patience) {
  _patience = &patience;
  _last_step = _graph.steps() + steps;
  _steps_spent = _graph.steps();
  std::uint64_t allowance = first_allowance;
  for (int rounds = 0; rounds < most_rounds; ++rounds, allowance *= more_per_round) {
    _round = static_cast<std::uint8_t>((_round + 1) % 250);
    _was_cut = false;
    try {
      const Truth truth = at(id, LocalGraph::initial, allowance);
      if (truth != Truth::unknown || !_was_cut || is_out_of_steps()) return truth;
    } catch (const TokensLeaveRange&) {
      return Truth::unknown;
    }
  }
  return Truth::unknown;
}

Truth LocalSearch::at(CoreId id, State state, std::uint64_t allowance) {
  const CoreNode& node = _pool[id];
  if (node.kind == CoreKind::always || node.kind == CoreKind::never) return truth_of(node.kind == CoreKind::always);
  if (node.kind == CoreKind::negation) return opposite(at(node.children[0], state, allowance));
  if (const Truth truth = known(id, state); truth != Truth::unknown || is_given_up(id, state)) return truth;
  switch (node.kind) {
    case CoreKind::atom:
      return remember(id, state, atom(node.predicate, state));
    case CoreKind::conjunction:
    case CoreKind::disjunction:
      return remember(id, state, combined(id, state, allowance));
    case CoreKind::ex:
      return remember(id, state, some_successor(node.children[0], state, allowance));
    case CoreKind::eu:
      return remember(id, state, ExistsUntil(*this, id, allowance).from(state));
    default:
      return remember(id, state, AlwaysUntil(*this, id, allowance).from(state));
  }
}

Truth LocalSearch::atom(const Expression& predicate, State state) {
  try {
    return truth_of(evaluate(predicate, _net, _graph.marking(state)));
  } catch (const ResourceError&) {
    return Truth::unknown;  // a number that leaves 64 bits
  }
}

Truth LocalSearch::combined(CoreId id, State state, std::uint64_t allowance) {
  const auto of_child = [&](CoreId child) { return at(child, state, allowance); };
  const std::vector<CoreId>& children = cheapest_first(id);
  return _pool[id].kind == CoreKind::conjunction ? all_of(children, of_child) : any_of(children, of_child);
}

Truth LocalSearch::some_successor(CoreId child, State state, std::uint64_t allowance) {
  Truth joined = Truth::no;
  const std::size_t count = _graph.successor_count(state);
  for (std::size_t i = 0; i < count; ++i) {
    if (is_out_of_steps()) return Truth::unknown;
    const Truth next = at(child, _graph.successor(state, i), allowance);
    if (next == Truth::yes) return next;
    if (next == Truth::unknown) joined = next;
  }
  return joined;
}

LocalSearch::Memo& LocalSearch::memo(CoreId id, State state) {
  if (_memos.size() <= id) _memos.resize(id + 1);
  std::vector<Memo>& memos = _memos[id];
  if (memos.size() <= state) {
    _memo_bytes += _graph.state_count() - memos.size();
    memos.resize(_graph.state_count(), nothing);
  }
  return memos[state];
}

Truth LocalSearch::known(CoreId id, State state) {
  const Memo known = memo(id, state);
  return known == is_true ? Truth::yes : known == is_false ? Truth::no : Truth::unknown;
}

Truth LocalSearch::remember(CoreId id, State state, Truth truth) {
  memo(id, state) = truth == Truth::unknown ? static_cast<Memo>(given_up + _round)
                    : truth == Truth::yes   ? is_true
                                            : is_false;
  return truth;
}

const std::vector<CoreId>& LocalSearch::cheapest_first(CoreId id) {
  if (_ordered.size() <= id) _ordered.resize(id + 1);
  std::vector<CoreId>& ordered = _ordered[id];
  if (ordered.empty()) {
    ordered = _pool[id].children;
    std::ranges::stable_sort(ordered, {}, [this](CoreId child) { return height(child); });
  }
  return ordered;
}

/// Path operators inside each other; EX counts little.
std::uint32_t LocalSearch::height(CoreId id) const {
  const CoreNode& node = _pool[id];
  std::uint32_t highest = 0;
  for (const CoreId child : node.children) highest = std::max(highest, height(child));
  if (node.kind == CoreKind::eu || node.kind == CoreKind::au) return highest + 100;
  return node.kind == CoreKind::ex ? highest + 1 : highest;
}

bool LocalSearch::is_out_of_steps() {
  const std::uint64_t now = _graph.steps();
  if (now > _steps_spent) _patience->spend(now - _steps_spent);
  _steps_spent = now;
  return now >= _last_step || bytes() >= _most_bytes || _graph.state_count() >= LocalGraph::most_states;
}

}  // namespace dcheck
