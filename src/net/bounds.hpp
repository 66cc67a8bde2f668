#pragma once
// Upper bounds of places by arguments cheaper than a search, and the transitions they show to be dead.

#include <optional>
#include <span>
#include <vector>

#include "dcheck/net/structure.hpp"

namespace dcheck {

struct Bounds {
  std::vector<std::optional<Tokens>> of_place;
  std::vector<bool> is_dead;  // one entry per transition
};

Bounds find_bounds(const Net& net, std::span<const Invariant> semiflows, Patience& patience);

}  // namespace dcheck
