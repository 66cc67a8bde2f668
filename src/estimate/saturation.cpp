#include "estimate/saturation.hpp"

#include <algorithm>
#include <map>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {
constexpr std::size_t fired_entries = std::size_t{1} << 20;
constexpr Tokens most_tokens = 1 << 14;  // of a place: nodes have a child for each number

std::uint32_t small(Tokens tokens) {
  if (tokens > most_tokens) throw ResourceError("a place has too many tokens for a decision diagram");
  return static_cast<std::uint32_t>(tokens);
}
}  // namespace

Saturation::Saturation(const Net& net, std::span<const Place> order, std::span<const Transition> dead, Diagram& diagram)
    : _net(net),
      _diagram(diagram),
      _tiers(net.place_count()),
      _order(order.begin(), order.end()),
      _by_top(net.place_count() + 1),
      _fired(fired_entries) {
  for (std::size_t i = 0; i < _order.size(); ++i) _tiers[index(_order[i])] = static_cast<std::uint32_t>(i + 1);
  for (std::size_t t = 0; t < net.transition_count(); ++t) {
    const auto transition = static_cast<Transition>(t);
    if (!std::binary_search(dead.begin(), dead.end(), transition)) add(net, transition);
  }
}

void Saturation::add(const Net& net, Transition t) {
  std::map<std::uint32_t, Part, std::greater<>> parts;
  const auto part = [&](Place p) -> Part& {
    const std::uint32_t tier = _tiers[index(p)];
    return parts.try_emplace(tier, Part{tier, 0, ~std::uint32_t{0}, 0}).first->second;
  };
  for (const Arc& arc : net.pre(t)) part(arc.place).least = small(arc.weight);
  for (const Arc& arc : net.inhibitors(t)) part(arc.place).limit = small(std::min(arc.weight, most_tokens));
  for (const Arc& arc : net.effect(t)) {
    const std::uint32_t amount = small(arc.weight < 0 ? -arc.weight : arc.weight);
    part(arc.place).change = arc.weight < 0 ? -static_cast<std::int32_t>(amount) : static_cast<std::int32_t>(amount);
  }
  Event event;
  bool has_effect = false;
  for (const auto& [tier, of_tier] : parts) {
    event.parts.push_back(of_tier);
    has_effect = has_effect || of_tier.change != 0;
  }
  if (!has_effect) return;
  _by_top[event.parts.front().tier].push_back(static_cast<std::uint32_t>(_events.size()));
  _events.push_back(std::move(event));
}

Diagram::Node Saturation::reach() {
  Node node = Diagram::end;
  for (std::uint32_t tier = 1; tier <= _order.size(); ++tier) {
    const std::size_t begin = _stack.size();
    put(begin, small(_net.initial()[index(_order[tier - 1])]), node);
    node = saturate(tier, begin);
  }
  return node;
}

void Saturation::put(std::size_t begin, std::size_t tokens, Node node) {
  if (begin + tokens >= _stack.size()) _stack.resize(begin + tokens + 1, Diagram::none);
  _stack[begin + tokens] = node;
}

/// Calls put nodes of lower tiers on the stack above these children and take them off again, so that the stack ends
/// with these children whenever one is added.
Diagram::Node Saturation::saturate(std::uint32_t tier, std::size_t begin) {
  const std::vector<std::uint32_t>& events = _by_top[tier];
  std::vector<std::uint32_t> changed;
  if (!events.empty()) {
    for (std::size_t i = begin; i < _stack.size(); ++i)
      if (_stack[i] != Diagram::none) changed.push_back(static_cast<std::uint32_t>(i - begin));
  }
  while (!changed.empty()) {
    const std::uint32_t tokens = changed.back();
    changed.pop_back();
    for (const std::uint32_t event : events) {
      const Part& part = _events[event].parts.front();
      if (tokens < part.least || tokens >= part.limit) continue;
      const Node fired = fire(event, 1, _stack[begin + tokens]);
      if (fired == Diagram::none) continue;
      const std::uint32_t target = small(static_cast<Tokens>(tokens) + part.change);
      const Node before = begin + target < _stack.size() ? _stack[begin + target] : Diagram::none;
      const Node both = _diagram.unite(before, fired);
      if (both == before) continue;
      put(begin, target, both);
      if (std::find(changed.begin(), changed.end(), target) == changed.end()) changed.push_back(target);
    }
  }
  const Node node = _diagram.make(tier, 0, std::span(_stack).subspan(begin));
  _stack.resize(begin);
  return node;
}

/// What the transition makes of a saturated node below its highest tier, saturated.
Diagram::Node Saturation::fire(std::uint32_t event, std::size_t part, Node node) {
  const std::vector<Part>& parts = _events[event].parts;
  if (part == parts.size() || node == Diagram::none) return node;
  const std::size_t at = mixed_bits(std::uint64_t{event} << 32 | node) & (fired_entries - 1);
  if (_fired[at].event == event && _fired[at].node == node) return _fired[at].result;
  const std::uint32_t tier = _diagram.tier(node);
  const Diagram::Children children = _diagram.children(node);
  const bool is_here = parts[part].tier == tier;
  const Part here = is_here ? parts[part] : Part{tier, 0, ~std::uint32_t{0}, 0};
  const std::size_t begin = _stack.size();
  bool has_any = false;
  for (std::uint32_t tokens = std::max(children.first, here.least); tokens < std::min(children.limit(), here.limit);
       ++tokens) {
    const Node fired = fire(event, part + (is_here ? 1 : 0), children.of(tokens));
    if (fired == Diagram::none) continue;
    put(begin, small(static_cast<Tokens>(tokens) + here.change), fired);
    has_any = true;
  }
  Node result = Diagram::none;
  if (has_any) result = saturate(tier, begin);
  _diagram.patience().spend(children.nodes.size());
  _fired[at] = {event, node, result};
  return result;
}

}  // namespace dcheck
