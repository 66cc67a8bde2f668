#include "explore/undirected_walk.hpp"

#include <algorithm>

#include "dcheck/base/bits.hpp"

namespace dcheck {

UndirectedWalk::UndirectedWalk(const Net& net, std::vector<Tokens> most, std::uint64_t seed)
    : _net(net), _most(std::move(most)), _marking(net.initial().begin(), net.initial().end()), _random(seed) {
  Tokens largest = 1;
  for (const Tokens tokens : _most) largest = std::max(largest, tokens);
  _most_times = static_cast<unsigned>(std::min<Tokens>(largest, 8));
}

std::uint64_t UndirectedWalk::next_random() {
  _random += 0x9E3779B97F4A7C15U;
  return mixed_bits(_random);
}

void UndirectedWalk::step(std::size_t times) {
  const std::uint64_t transitions = _net.transition_count();
  for (std::size_t i = 0; i < times && transitions != 0; ++i) {
    const std::uint64_t random = next_random();
    const auto t = static_cast<Transition>((static_cast<unsigned __int128>(random) * transitions) >> 64);
    const bool is_forwards = (random & 1) != 0;
    const unsigned wanted = (random & 2) != 0 ? 1 : 1 + static_cast<unsigned>(random >> 2) % _most_times;
    const auto move = [&](bool forwards) { return forwards ? fire(t) : unfire(t); };
    unsigned done = 0;
    while (done < wanted && move(is_forwards)) ++done;
    if (done < wanted)
      for (; done != 0; --done) move(!is_forwards);
  }
}

bool UndirectedWalk::fire(Transition t) {
  const auto effect = _net.effect(t);
  const auto fits = [&](const Arc& arc) { return arc.weight <= _most[index(arc.place)] - _marking[index(arc.place)]; };
  if (!_net.is_enabled(t, _marking) || !std::all_of(effect.begin(), effect.end(), fits)) return false;
  for (const Arc& arc : effect) _marking[index(arc.place)] += arc.weight;
  return true;
}

bool UndirectedWalk::unfire(Transition t) {
  const auto effect = _net.effect(t);
  const auto fits = [&](const Arc& arc) {
    const Tokens now = _marking[index(arc.place)];
    return arc.weight <= now && arc.weight >= now - _most[index(arc.place)];
  };
  if (!std::all_of(effect.begin(), effect.end(), fits)) return false;
  for (const Arc& arc : effect) _marking[index(arc.place)] -= arc.weight;
  if (_net.is_enabled(t, _marking)) return true;
  for (const Arc& arc : effect) _marking[index(arc.place)] += arc.weight;
  return false;
}

}  // namespace dcheck
