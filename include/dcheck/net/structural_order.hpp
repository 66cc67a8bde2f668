#pragma once
// An order of places and transitions that the net's structure decides, not its file: two copies of a net with other
// names in another order come out alike. Where several nodes cannot be told apart any of them may come first, which
// makes no difference if a symmetry of the net exchanges them. Neighbours come close to each other.

#include "dcheck/net/net.hpp"

namespace dcheck {

/// Old ids to new ones.
struct Renumbering {
  std::vector<Place> place;
  std::vector<Transition> transition;
};

/// `steps`: visits of arcs that may be spent. Beyond them, what is not told apart yet keeps the order it had.
Renumbering structural_order(const Net& net, std::size_t steps = 100'000);

Net renumbered(const Net& net, const Renumbering& numbers);
void renumber(Expression& expression, const Renumbering& numbers);

}  // namespace dcheck
