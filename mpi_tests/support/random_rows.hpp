#pragma once
// Ways to keep rows, at will.

#include <string>

#include "dcheck/explore/explore.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {

/// Any store with any of its settings, either order, and what waits; `levels` is respected.
void choose_rows(Dice& dice, ExploreOptions& options);

/// A store that keeps hashes alone, so few bits of them that states are left out nearly everywhere.
void choose_lossy_rows(Dice& dice, ExploreOptions& options);

/// As on a command line, where it is not the default.
std::string describe_rows(const ExploreOptions& options);

}  // namespace dcheck::test
