#pragma once
// Where all ranks stand when a run has ended or was interrupted, and what they all know then. Cold code.

#include <functional>
#include <optional>
#include <string>

#include "dcheck/net/structure.hpp"
#include "dcheck/ranks/ranks.hpp"
#include "dcheck/space/relayout.hpp"

namespace dcheck {

struct Standing {
  std::string reason;  // why all must stop, where they must
  int signal = 0;      // that asked for it; 0: none
  bool wants_checkpoint = false;
  std::uint64_t states = 0;
  Widening widening;
  bool is_leaf_due = false;  // it is time to look for a leaf
  std::optional<UnboundedEvidence> unbounded;

  /// Adds what another rank says; where both have a reason to stop, the first one stays, but a signal comes first.
  void join(const Standing& other);
};

/// Collective. What all ranks say together, the same on all. `conclude` adds to it, on rank 0 alone.
Standing meet(Ranks& ranks, Standing own, const std::function<void(Standing&)>& conclude);

/// Collective. Rank 0's request replaces those of the others.
void share_request(const Ranks& ranks, PlanRequest& request);

}  // namespace dcheck
