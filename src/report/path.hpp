#pragma once
// A firing sequence as the reader wants it: each transition with the places it changes.

#include <span>
#include <string>
#include <vector>

#include "dcheck/net/net.hpp"

namespace dcheck {

struct PathStep {
  struct Change {
    Place place;
    Tokens before, after;
  };
  Transition transition;
  std::vector<Change> changes;
};

/// Fires `path` from `marking`, which is left as the marking that was reached.
/// Throws std::logic_error where a transition is not enabled: a path that does not replay is no evidence.
std::vector<PathStep> replay(const Net& net, std::vector<Tokens>& marking, std::span<const Transition> path);

}  // namespace dcheck
