#include "owners/undirected_walk.hpp"

#include <algorithm>

#include "dcheck/base/bits.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_walks = 64;
// A walk begins with up to so many steps forwards a transition: most of them find it not enabled.
constexpr std::size_t steps_to_begin = 16;
constexpr std::size_t arcs_of_a_step = 64;

/// A step of transitions that change very many places costs as much as several steps do elsewhere.
WalkBudget by_arcs(WalkBudget budget, const Net& net) {
  std::size_t arcs = 0;
  for (std::size_t t = 0; t < net.transition_count(); ++t) arcs += net.effect(static_cast<Transition>(t)).size();
  if (arcs <= arcs_of_a_step * net.transition_count()) return budget;
  const std::size_t cost = arcs / (arcs_of_a_step * net.transition_count()) + 1;
  const std::size_t steps = budget.steps / cost;
  return {steps, std::min(budget.markings, std::max(steps, most_walks))};
}

}  // namespace

UndirectedWalk::UndirectedWalk(const Net& net, std::vector<Tokens> most, std::uint64_t seed)
    : _net(net), _most(std::move(most)), _marking(net.initial().begin(), net.initial().end()), _random(seed) {
  Tokens largest = 1;
  for (const Tokens tokens : _most) largest = std::max(largest, tokens);
  _most_times = static_cast<unsigned>(std::min<Tokens>(largest, 8));
}

Transition UndirectedWalk::random_transition(std::uint64_t random) const {
  return static_cast<Transition>((static_cast<unsigned __int128>(random) * _net.transition_count()) >> 64);
}

void UndirectedWalk::begin_anew(std::size_t most_steps, Patience& patience) {
  _marking.assign(_net.initial().begin(), _net.initial().end());
  if (_net.transition_count() == 0) return;
  patience.spend(_marking.size());
  for (std::size_t left = _random.next() % (most_steps + 1); left != 0; --left) {
    const Transition t = random_transition(_random.next());
    patience.spend(10 + _net.pre(t).size());
    fire(t);
  }
}

void UndirectedWalk::step(std::size_t times, Patience& patience) {
  for (std::size_t i = 0; i < times && _net.transition_count() != 0; ++i) {
    const std::uint64_t random = _random.next();
    const Transition t = random_transition(random);
    patience.spend(10 + _net.effect(t).size());
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
  return _net.is_enabled(t, _marking) && std::all_of(effect.begin(), effect.end(), fits) &&
         dcheck::fire(_net, t, _marking);
}

bool UndirectedWalk::unfire(Transition t) {
  const auto effect = _net.effect(t);
  const auto fits = [&](const Arc& arc) {
    const Tokens now = _marking[index(arc.place)];
    return arc.weight <= now && arc.weight >= now - _most[index(arc.place)];
  };
  if (!std::all_of(effect.begin(), effect.end(), fits)) return false;
  dcheck::unfire(_net, t, _marking);
  if (_net.is_enabled(t, _marking)) return true;
  (void)dcheck::fire(_net, t, _marking);
  return false;
}

void walk_often(const Net& net, const std::vector<Tokens>& most, std::uint64_t seed, WalkBudget wanted,
                const std::function<void(const std::vector<Tokens>&)>& look, Patience& patience) {
  const WalkBudget budget = by_arcs(wanted, net);
  const std::size_t walks = std::clamp<std::size_t>(budget.markings, 1, most_walks);
  const std::size_t steps = budget.steps / walks;
  const std::size_t to_forget = steps / 4;  // where it began
  UndirectedWalk walk(net, most, seed);
  for (std::size_t w = 0; w < walks; ++w) {
    const std::size_t looks = budget.markings * (w + 1) / walks - budget.markings * w / walks;
    walk.begin_anew(std::min(budget.steps, steps_to_begin * net.transition_count()), patience);
    walk.step(to_forget, patience);
    for (std::size_t i = 0; i < looks; ++i) {
      walk.step(std::max<std::size_t>(1, (steps - to_forget) / looks), patience);
      patience.spend(walk.marking().size());
      look(walk.marking());
    }
  }
}

}  // namespace dcheck
