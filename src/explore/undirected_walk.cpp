#include "explore/undirected_walk.hpp"

#include <algorithm>

#include "dcheck/base/bits.hpp"

namespace dcheck {

std::uint64_t UndirectedWalk::next_random() {
  _random += 0x9E3779B97F4A7C15U;
  return mixed_bits(_random);
}

void UndirectedWalk::step(std::size_t times) {
  const std::uint64_t transitions = _net.transition_count();
  for (std::size_t i = 0; i < times && transitions != 0; ++i) {
    const std::uint64_t random = next_random();
    const auto t = static_cast<Transition>((static_cast<unsigned __int128>(random) * transitions) >> 64);
    if ((random & 1) != 0)
      fire(t);
    else
      unfire(t);
  }
}

void UndirectedWalk::fire(Transition t) {
  const auto effect = _net.effect(t);
  const auto fits = [&](const Arc& arc) { return arc.weight <= _most[index(arc.place)] - _marking[index(arc.place)]; };
  if (!_net.is_enabled(t, _marking) || !std::all_of(effect.begin(), effect.end(), fits)) return;
  for (const Arc& arc : effect) _marking[index(arc.place)] += arc.weight;
}

void UndirectedWalk::unfire(Transition t) {
  const auto effect = _net.effect(t);
  const auto fits = [&](const Arc& arc) {
    const Tokens now = _marking[index(arc.place)];
    return arc.weight <= now && arc.weight >= now - _most[index(arc.place)];
  };
  if (!std::all_of(effect.begin(), effect.end(), fits)) return;
  for (const Arc& arc : effect) _marking[index(arc.place)] -= arc.weight;
  if (_net.is_enabled(t, _marking)) return;
  for (const Arc& arc : effect) _marking[index(arc.place)] += arc.weight;
}

}  // namespace dcheck
