#pragma once
// A firing sequence as the reader wants it: each transition with the places it changes.

#include <span>
#include <vector>

#include "dcheck/net/marking.hpp"

namespace dcheck {

struct PathStep {
  struct Change {
    Place place;
    Tokens before, after;
  };
  Transition transition;
  std::vector<Change> changes;  // in the order of the model's text
};

/// Fires `t` on the marking.
/// Throws std::logic_error where it is not enabled: a path that does not replay is no evidence.
PathStep replay(const Net& net, Marking& marking, Transition t);

/// Fires `path` from `marking`, which is left as the marking that was reached. Throws as above.
std::vector<PathStep> replay(const Net& net, Marking& marking, std::span<const Transition> path);

}  // namespace dcheck
