#pragma once
// The reference for coloured nets: markings as maps from coloured tokens to numbers, every binding of the whole product
// tried in every marking, fired as it stands. It takes nothing from dcheck but the coloured net, and evaluates terms
// and guards by itself, so that it cannot share a mistake with unfold().

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dcheck/colour/coloured_net.hpp"

namespace dcheck::test {

/// A place and the colour of a token in it.
using ColouredToken = std::pair<std::uint32_t, std::vector<Colour>>;
/// Only tokens of which there is at least one.
using ColouredMarking = std::map<ColouredToken, Tokens>;

struct ColouredStep {
  std::uint32_t transition = 0;
  std::vector<Colour> binding;
  std::size_t target = 0;  // index of a state
};

struct ColouredGraph {
  std::vector<ColouredMarking> markings;  // the initial one first
  std::vector<std::vector<ColouredStep>> successors;
  std::size_t arcs = 0;  // one a binding
  std::size_t deadlocks = 0;
  bool is_complete = true;
};

/// Stops at so many states, or at a token more than so many times in a place.
ColouredGraph interpret(const ColouredNet& net, std::size_t most_states, Tokens most_tokens);

/// `p[1,b]` of a token, as unfold() names places.
std::string name_of(const ColouredNet& net, const ColouredToken& token);

}  // namespace dcheck::test
