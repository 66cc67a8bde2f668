#pragma once
// A random walk over markings that visits all of them equally often: each step picks a transition, a direction and a
// number, and fires it so many times forwards or backwards where that is possible, or stays. A step and its reversal
// are equally likely, so in the long run every marking that can be reached by such steps is as likely as any other.
// Walks that only go forwards stay around a few. Firing several times at once gets sooner to markings far away.
//
// Going backwards can lead to markings that are not reachable. So this is for estimates only.

#include "dcheck/net/net.hpp"

namespace dcheck {

class UndirectedWalk {
 public:
  /// `most`: tokens, per place, that a step backwards does not exceed.
  UndirectedWalk(const Net& net, std::vector<Tokens> most, std::uint64_t seed);

  const std::vector<Tokens>& marking() const { return _marking; }
  void step(std::size_t times);

 private:
  bool fire(Transition t);
  bool unfire(Transition t);
  std::uint64_t next_random();

  const Net& _net;
  std::vector<Tokens> _most;
  std::vector<Tokens> _marking;
  std::uint64_t _random;
  unsigned _most_times;
};

}  // namespace dcheck
