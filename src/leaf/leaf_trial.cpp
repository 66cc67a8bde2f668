#include "dcheck/leaf/leaf_trial.hpp"

#include <algorithm>
#include <cmath>

#include "dcheck/base/error.hpp"
#include "dcheck/engine/engine.hpp"
#include "dcheck/space/fresh_state.hpp"

namespace dcheck {

namespace {

constexpr std::uint64_t trial_rows = 512;
constexpr double hopeless = 1.5;  // times the best cost, half-way through a trial

// Measured, in steps. Wide: keys of several words, without lanes.
constexpr double row_cost = 1.5, operation_cost = 1.8, word_cost = 0.25, wide_arc_cost = 1.2;
constexpr double plan_cost = 3000, plan_cost_of_node = 90, plan_cost_of_lane = 15, plan_cost_of_image = 0.15;

}  // namespace

double steps_of(const Plan& plan, const ExploreState& state) {
  if (plan.lane_count() == 1)
    return static_cast<double>(state.counts.arcs + state.counts.row_visits) *
           (plan.layout().stored_words() > 1 ? wide_arc_cost : 1);
  return static_cast<double>(state.counts.row_visits) * row_cost +
         static_cast<double>(state.counts.row_operations) *
             (operation_cost + word_cost * static_cast<double>(plan.words()));
}

double operation_steps(double lanes) {
  return operation_cost + word_cost * std::ceil(lanes / 64);
}

double cost_of(const Plan& plan, const ExploreState& state) {
  const double arc = plan.layout().stored_words() > 1 ? wide_arc_cost : 1;
  return steps_of(plan, state) / arc / static_cast<double>(std::max<std::uint64_t>(1, state.counts.arcs));
}

double least_steps(const Net& net, const Structure& structure) {
  const std::size_t flows = std::min<std::size_t>(structure.semiflows.size(), 128);
  return plan_cost + plan_cost_of_node * static_cast<double>(net.place_count() + net.transition_count() + flows);
}

Trial try_leaf(const Net& net, const Structure& structure, const PlanRequest& request,
               const std::vector<std::vector<Tokens>>& sample, double best, Patience& patience) {
  Trial trial;
  trial.steps = least_steps(net, structure);
  const double lane_cost = plan_cost_of_lane + plan_cost_of_image * static_cast<double>(net.transition_count());
  try {
    StateSpace space(net, alone());
    space.plan = std::make_unique<Plan>(make_plan(net, structure, request, patience));
    const Plan& plan = *space.plan;
    ExploreState& state = space.state;
    trial.lanes = plan.lane_count();
    trial.steps += lane_cost * static_cast<double>(trial.lanes);
    state = fresh_state(plan);
    // From several places of the state space: near one of them all leaves look alike, or odd.
    for (std::size_t i = 0; i < sample.size(); ++i) {
      add_marking(plan, state, sample[i]);
      const std::uint64_t enough = trial_rows * (i + 1) / sample.size();
      explore_rows(space, {}, {[&] { return state.counts.row_visits >= enough; }, 8});
      patience.look();
      if (i + 1 == (sample.size() + 1) / 2 && cost_of(plan, state) > hopeless * best) break;
    }
    trial.cost = cost_of(plan, state);
    trial.steps += steps_of(plan, state);
  } catch (const TooManyLanes&) {
    trial.steps += lane_cost / 4 * static_cast<double>(most_trial_lanes);  // no masks were made
  } catch (const ResourceError&) {
    patience.look();  // not that: numbers that this leaf cannot hold
  }
  return trial;
}

}  // namespace dcheck
