#pragma once
// A random walk over markings that visits all of them equally often: each step picks a transition, a direction and a
// number, and fires it so many times forwards or backwards where that is possible, or stays. A step and its reversal
// are equally likely, so in the long run every marking that can be reached by such steps is as likely as any other.
// Walks that only go forwards stay around a few. Firing several times at once gets sooner to markings far away.
//
// Going backwards can lead to markings that are not reachable. So this is for estimates only.
//
// Where parts of a state space are joined by few markings, one walk stays in one of them. So there are many, each
// begun somewhere else.

#include <functional>

#include "dcheck/base/patience.hpp"
#include "dcheck/base/random.hpp"
#include "dcheck/net/marking.hpp"

namespace dcheck {

class UndirectedWalk {
 public:
  /// `most`: tokens, per place, that a step backwards does not exceed.
  UndirectedWalk(const Net& net, std::vector<Tokens> most, std::uint64_t seed);

  const std::vector<Tokens>& marking() const { return _marking; }
  void step(std::size_t times, Patience& patience = endless_patience());
  /// Goes where a random walk forwards from the initial marking gets in up to so many steps.
  void begin_anew(std::size_t most_steps, Patience& patience = endless_patience());

 private:
  Transition random_transition(std::uint64_t random) const;
  bool fire(Transition t);
  bool unfire(Transition t);

  const Net& _net;
  std::vector<Tokens> _most;
  std::vector<Tokens> _marking;
  Random _random;
  unsigned _most_times;
};

/// How much is walked, and how many markings are looked at, as far apart as the steps allow. Both are fewer where
/// transitions change very many places.
struct WalkBudget {
  std::size_t steps, markings;
};

/// Looks at markings of many walks that share the steps.
void walk_often(const Net& net, const std::vector<Tokens>& most, std::uint64_t seed, WalkBudget wanted,
                const std::function<void(const std::vector<Tokens>&)>& look, Patience& patience = endless_patience());

}  // namespace dcheck
