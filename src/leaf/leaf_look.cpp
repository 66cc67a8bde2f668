#include "dcheck/leaf/leaf_look.hpp"

#include <algorithm>

#include "leaf/project_leaf.hpp"

namespace dcheck {

namespace {

// What looking may cost grows with what the run has cost so far, and more so where a good leaf was found: all in
// steps, see leaf_trial.hpp.
constexpr double first_steps = 45'000, first_steps_of_good = 110'000, share_of_run = 0.1, most_steps = 1'600'000;
// States of all ranks, and what this rank has spent: a projection takes some ten milliseconds.
constexpr std::uint64_t enough_to_project = 250'000;
constexpr double enough_steps_to_project = 500'000;
constexpr std::uint64_t never = ~std::uint64_t{0};
constexpr double worthwhile = 0.7;  // of the cost so far, since all begins again

}  // namespace

LeafWish LeafLook::look(const Plan& plan, const ExploreState& state, std::uint64_t states) {
  const double run = _lost_steps + steps_of(plan, state);
  const auto may_go_on = [&](double best, double spent) {
    const double gain = std::max(0.0, _leaf_cost - best);
    const double first = best < worthwhile ? first_steps_of_good : first_steps;
    return spent < std::min(most_steps, first + (share_of_run + gain) * run);
  };
  _next_look *= 2;
  if (!_chooser && !may_go_on(_leaf_cost, least_steps(_net, _structure))) return LeafWish::none;
  if (!_chooser) _chooser = std::make_unique<LeafChooser>(_net, _structure, _request, _sample, _patience);
  if (plan.lane_count() > 1) {
    _leaf_cost = cost_of(plan, state);
    _chooser->correct({_request.leaf, _leaf_cost, plan.lane_count()});
  }
  const LeafChooser::Leaf& leaf = _chooser->look(may_go_on);
  if (leaf.cost < worthwhile * _leaf_cost) return begin_again(leaf.places, leaf.cost, run);
  const bool can_project = plan.leaf().empty() && plan.layout().stored_words() == 1 && !state.choice.by_level;
  // A look is a pause of all ranks.
  if (plan.lane_count() == 1 && _chooser->is_done() && (_is_projected || !can_project)) _next_look = never;
  const bool is_enough = states >= enough_to_project && run >= enough_steps_to_project;
  return can_project && is_enough && !_is_projected ? LeafWish::keys : LeafWish::none;
}

LeafWish LeafLook::project(const Plan& plan, const ExploreState& state, const std::vector<std::uint64_t>& keys) {
  _is_projected = true;
  const ProjectedLeaf leaf = project_leaf(plan, keys, static_cast<double>(most_trial_lanes));
  const double cost = operation_steps(leaf.lanes) / leaf.states_per_row;
  return cost < worthwhile * _leaf_cost ? begin_again(leaf.places, cost, _lost_steps + steps_of(plan, state))
                                        : LeafWish::none;
}

LeafWish LeafLook::begin_again(const std::vector<Place>& leaf, double cost, double run) {
  _leaf = leaf;
  _leaf_cost = cost;
  _lost_steps = run;
  _next_look = _first_look;
  return LeafWish::leaf;
}

}  // namespace dcheck
