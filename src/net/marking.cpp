#include "dcheck/net/marking.hpp"

#include "dcheck/base/error.hpp"

namespace dcheck {

bool fire(const Net& net, Transition t, std::span<Tokens> marking) {
  const std::span<const Arc> effect = net.effect(t);
  for (std::size_t i = 0; i < effect.size(); ++i) {
    Tokens& tokens = marking[index(effect[i].place)];
    if (!__builtin_add_overflow(tokens, effect[i].weight, &tokens)) continue;
    for (std::size_t k = 0; k <= i; ++k) {  // what overflows wraps around, and back
      Tokens& changed = marking[index(effect[k].place)];
      changed = static_cast<Tokens>(static_cast<std::uint64_t>(changed) - static_cast<std::uint64_t>(effect[k].weight));
    }
    return false;
  }
  return true;
}

void unfire(const Net& net, Transition t, std::span<Tokens> marking) {
  for (const Arc& arc : net.effect(t)) marking[index(arc.place)] -= arc.weight;
}

Marking fired(const Net& net, Transition t, Marking marking) {
  if (fire(net, t, marking)) return marking;
  for (const Arc& arc : net.effect(t)) {
    Tokens sum = 0;
    if (__builtin_add_overflow(marking[index(arc.place)], arc.weight, &sum))
      throw ResourceError("token counts in place '" + net.name(arc.place) + "' grow beyond 63 bits");
  }
  return marking;
}

std::vector<Transition> enabled_in(const Net& net, std::span<const Tokens> marking) {
  std::vector<Transition> enabled;
  for (std::size_t i = 0; i < net.transition_count(); ++i)
    if (const auto t = static_cast<Transition>(i); net.is_enabled(t, marking)) enabled.push_back(t);
  return enabled;
}

Tokens tokens_in(std::span<const Tokens> marking) {
  Tokens sum = 0;
  for (const Tokens tokens : marking)
    if (__builtin_add_overflow(sum, tokens, &sum))
      throw ResourceError("the tokens of a marking together leave 63 bits");
  return sum;
}

}  // namespace dcheck
