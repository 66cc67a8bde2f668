#pragma once
// Small random nets from a seed: the same seed and flavour give the same net on every machine.

#include <cstdint>
#include <string>

#include "dcheck/net/net.hpp"

namespace dcheck::test {

/// A generator whose numbers do not depend on the standard library's distributions.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : _state(seed) {}

  std::uint64_t next();
  /// Uniform in low..high, both included.
  std::int64_t between(std::int64_t low, std::int64_t high);
  /// True once in `n` throws on average.
  bool one_in(std::uint64_t n) { return next() % n == 0; }

 private:
  std::uint64_t _state;
};

struct NetFlavour {
  enum class Base {
    arbitrary,     // arcs at will
    conservative,  // a semiflow with coefficients 1..3 covers all places of the base
    machines       // a product of state machines that share a resource
  };
  Base base = Base::arbitrary;
  bool weights = false;     // arc weights 1..4 instead of 1
  bool inhibitors = false;  // inhibitor arcs with thresholds 1..3
  bool guards = false;      // linear and non-linear ones
  bool source = false;      // a transition that only adds tokens, to a place of its own or not
  bool dead = false;        // a transition that needs more than there ever is, and one that waits for itself
  bool self_loops = false;  // arcs in both directions, transitions without effect
  bool twins = false;       // two transitions that do the same, and some that count as several
  bool isolated = false;    // a place without arcs
  bool constant = false;    // a place that is only tested
  bool copies = false;      // a place with the arcs of another one, and one with their opposites
  bool jumps = false;       // transitions that fire once and add many tokens where no invariant bounds them
  bool huge = false;        // numbers up to 2^63 - 1: sums may leave 63 bits

  /// Anything but huge numbers, of which a run may have to say that they are too large.
  static NetFlavour from(Dice& dice);
  std::string describe() const;
};

/// 2..8 places and 1..10 transitions before the flavour's extras, a few tokens in each place. Four transitions each are
/// one family: t0[0], ..., t0[3], t1[4], ...
Net random_net(std::uint64_t seed, const NetFlavour& flavour);

/// The flavour, too, is taken from the seed.
Net random_net(std::uint64_t seed);

/// A predicate over the places of a net with `places` > 0 places: comparisons of sums, differences,
/// products, quotients and remainders under and, or, not.
Expression random_predicate(Dice& dice, std::size_t places, int depth = 2);

}  // namespace dcheck::test
