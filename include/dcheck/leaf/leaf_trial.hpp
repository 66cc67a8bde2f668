#pragma once
// What a leaf costs: the model that `--lanes auto` minimises, and trials on real rows. docs/decisions/0003.

#include "dcheck/space/explore_state.hpp"

namespace dcheck {

/// Beyond that, masks mostly cost more than they gather: only one group of places alone may have more.
constexpr std::size_t most_trial_lanes = 1024;

/// What an exploration did so far, in steps. A step is an arc fired without lanes on a key of one word, about 25 ns
/// on the machines it was measured on; everything is counted, nothing is timed.
double steps_of(const Plan& plan, const ExploreState& state);

/// Of one operation on a row with so many lanes.
double operation_steps(double lanes);

/// Steps an arc, where without lanes they would be 1.
double cost_of(const Plan& plan, const ExploreState& state);

struct Trial {
  double cost = 1e300;  // cost_of(); this one: too many lanes
  double steps = 0;     // that the trial took
  std::size_t lanes = 0;
};

/// What planning alone will cost of a trial with few lanes.
double least_steps(const Net& net, const Structure& structure);

/// Explores some rows around each of the sampled markings with this leaf. Ends early where that costs clearly more
/// than `best`.
Trial try_leaf(const Net& net, const Structure& structure, const PlanRequest& request,
               const std::vector<std::vector<Tokens>>& sample, double best, Patience& patience);

}  // namespace dcheck
