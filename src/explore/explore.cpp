#include "dcheck/explore/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/explore/limit_check.hpp"
#include "explore/choose_leaf.hpp"
#include "explore/engine.hpp"
#include "explore/project_leaf.hpp"
#include "explore/relayout.hpp"
#include "explore/sample.hpp"

namespace dcheck {

namespace {

constexpr std::size_t sample_steps = 150'000;
constexpr std::size_t unbounded_steps = 20'000;  // of the first search, doubled each time
constexpr std::size_t most_unbounded_steps = 4'000'000;

// `--lanes auto` looks for a leaf after so many rows, and again each time they have doubled. What it may spend grows
// with what the run has cost so far, and more so where a good leaf was found: all in steps, see leaf_trial.hpp.
constexpr std::uint64_t first_look = 8192;
constexpr double first_steps = 45'000, first_steps_of_good = 110'000, share_of_run = 0.1, most_steps = 1'600'000;
constexpr std::uint64_t enough_to_project = 250'000;  // states
constexpr double worthwhile = 0.7;                    // of the cost so far, since all begins again

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Explorer {
 public:
  Explorer(const Net& net, const Structure& structure, const ExploreOptions& options, Ranks& ranks)
      : _net(net),
        _structure(structure),
        _options(options),
        _ranks(ranks),
        _space(std::make_unique<StateSpace>(ranks)) {}

  Explored explore() {
    const auto start = std::chrono::steady_clock::now();
    make_first_plan();
    const double first_plan_seconds = _result.plan_seconds = seconds_since(start);
    const auto planned = std::chrono::steady_clock::now();
    LimitCheck limits(_options, _space->state);
    try {
      _result.complete = explore_all(limits);
    } catch (const ResourceError& error) {
      _result.stop_reason = error.what();
    } catch (const std::bad_alloc&) {
      _result.stop_reason = "out of memory";
    }
    _result.explore_seconds = seconds_since(planned) - (_result.plan_seconds - first_plan_seconds);
    if (!_result.complete && !_result.is_enough) name_widest_place();
    take_figures();
    return {std::move(_result), std::move(_space)};
  }

 private:
  void make_first_plan() {
    _sample = take_sample(_net, sample_steps);
    _request.marked_share = _sample.marked_share;
    for (const Tokens tokens : _sample.largest)
      _request.min_width.push_back(bit_width_of(static_cast<std::uint64_t>(tokens)));
    if (_options.lanes.kind == LaneChoice::Kind::places) _request.leaf = _options.lanes.places;
    _is_automatic = _options.lanes.kind == LaneChoice::Kind::automatic;
    if (const auto& limit = _options.limits.max_memory_bytes)
      _space->budget.limit = *limit - std::min(*limit, resident_bytes());
    begin(fitting_plan());
  }

  /// A leaf with too many lanes loses its last place until it fits.
  std::unique_ptr<Plan> fitting_plan() {
    while (true) try {
        return std::make_unique<Plan>(make_plan(_net, _structure, _request));
      } catch (const TooManyLanes&) {
        _request.leaf.pop_back();
        _request.known_lanes.clear();
        _restart = true;
      }
  }

  /// Begins with nothing found: plan and states always belong together, also where memory runs out here.
  void begin(std::unique_ptr<Plan> plan) {
    ExploreState state = fresh_state(*plan, &_space->budget, _options.levels);
    add_marking(*plan, state, _net.initial());
    _space->state = std::move(state);
    _space->plan = std::move(plan);
    _restart = false;
  }

  bool explore_all(LimitCheck& limits) {
    // Limits are looked at after so many rows that even rows with all transitions enabled do not pass them by far.
    const std::uint64_t transitions = std::max<std::uint64_t>(16, _net.transition_count());
    const std::uint64_t most = std::max<std::uint64_t>(1, 65'536 / transitions);
    const std::uint64_t wanted = _options.limits.max_states.value_or(~std::uint64_t{0}) / transitions;
    const auto rows_between = static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, most));
    while (true) {
      const auto should_stop = [&] { return limits.reached() || is_time_to_look(); };
      switch (run(*_space->plan, _space->state, _options.goals, {should_stop, rows_between})) {
        case EngineEnd::complete:
          return true;
        case EngineEnd::stopped:
          if (limits.reason().empty() && !_space->state.goals.is_enough) {
            look_for_leaf();
            break;
          }
          _result.is_enough = _space->state.goals.is_enough;
          _result.stop_reason = _result.is_enough ? "everything that was asked is decided" : limits.reason();
          return false;
        case EngineEnd::parked:
          if (!widen()) return false;
      }
    }
  }

  /// Small state spaces are done before a leaf could pay.
  bool is_time_to_look() const { return _is_automatic && _space->state.row_visits >= _next_look; }

  /// Begins again with a leaf that promises enough; otherwise what was explored stays.
  void look_for_leaf() {
    const auto start = std::chrono::steady_clock::now();
    const double run = _lost_steps + steps_of(*_space->plan, _space->state);
    const auto may_go_on = [&](double best, double spent) {
      const double gain = std::max(0.0, _leaf_cost - best);
      const double first = best < worthwhile ? first_steps_of_good : first_steps;
      return spent < std::min(most_steps, first + (share_of_run + gain) * run);
    };
    _next_look *= 2;
    if (!_chooser && !may_go_on(_leaf_cost, least_steps(_net, _structure))) return;
    if (!_chooser) _chooser = std::make_unique<LeafChooser>(_net, _structure, _request, _sample.markings);
    if (_space->plan->lane_count() > 1) {
      _leaf_cost = cost_of(*_space->plan, _space->state);
      _chooser->correct({_request.leaf, _leaf_cost, _space->plan->lane_count()});
    }
    const LeafChooser::Leaf& leaf = _chooser->look(may_go_on);
    if (leaf.cost < worthwhile * _leaf_cost)
      begin_again(leaf.places, leaf.cost, run);
    else if (_space->state.slots && _space->state.states >= enough_to_project && !std::exchange(_is_projected, true))
      begin_with_projected_leaf(run);
    _result.plan_seconds += seconds_since(start);
  }

  void begin_again(const std::vector<Place>& leaf, double cost, double run) {
    _leaf_cost = cost;
    _lost_steps = run;
    _request.leaf = leaf;
    _request.known_lanes.clear();
    begin(fitting_plan());
    _next_look = first_look;
  }

  /// Trials found nothing: the states themselves may know better.
  void begin_with_projected_leaf(double run) {
    const auto most_lanes = static_cast<double>(most_trial_lanes);
    const ProjectedLeaf leaf = project_leaf(*_space->plan, _space->state, most_lanes);
    const double cost = operation_steps(leaf.lanes) / leaf.states_per_row;
    if (cost < worthwhile * _leaf_cost) begin_again(leaf.places, cost, run);
  }

  /// False: the net was found to be unbounded.
  bool widen() {
    const std::vector<Place> wide = widen_request(*_space->plan, _space->state.parked, _request);
    if (!wide.empty()) {
      _result.unbounded = find_unbounded(_net, _unbounded_steps);
      if (_result.unbounded) {
        _result.stop_reason = fmt::format("the net is unbounded: place '{}' can hold any number of tokens",
                                          _net.name(_result.unbounded->place));
        return false;
      }
      _unbounded_steps = std::min(2 * _unbounded_steps, most_unbounded_steps);
    }
    std::unique_ptr<Plan> next = fitting_plan();
    if (_restart) {
      begin(std::move(next));
    } else {
      _space->state = convert(*_space->plan, std::move(_space->state), *next);
      _space->plan = std::move(next);
    }
    ++_result.layouts;
    return true;
  }

  void name_widest_place() {
    const std::vector<Tokens>& most = _space->state.maxima.place;
    if (_result.unbounded || most.empty()) return;
    const auto widest = std::max_element(most.begin(), most.end());
    const auto place = static_cast<Place>(widest - most.begin());
    if (_structure.bounds[index(place)]) return;
    _result.stop_reason +=
        fmt::format("; no invariant bounds place '{}', the widest: {} tokens so far", _net.name(place), *widest);
  }

  void take_figures() {
    const ExploreState& state = _space->state;
    const Plan& plan = *_space->plan;
    _result.states = state.states;
    _result.arcs = state.arcs;
    _result.deadlocks = state.deadlocks;
    _result.max_tokens = state.maxima.place;
    _result.max_tokens_in_marking = state.maxima.marking;
    _result.rows = state.row_count();
    _result.lanes = plan.lane_count();
    _result.row_operations = state.row_operations;
    _result.row_visits = state.row_visits;
    if (state.by_level && state.levels_begun != 0) _result.levels = state.levels_begun - 1;
    _result.plan = plan.explain();
    _result.key_bits = plan.layout().stored_bits();
    _result.store_bytes = state.store_bytes();
    _result.payload_bytes = state.payload_bytes();
    _result.worklist_bytes = state.worklist_bytes();
    _result.plan_bytes = plan.bytes();
  }

  const Net& _net;
  const Structure& _structure;
  const ExploreOptions& _options;
  Ranks& _ranks;
  PlanRequest _request;
  std::unique_ptr<StateSpace> _space;
  Exploration _result;
  Sample _sample;
  std::unique_ptr<LeafChooser> _chooser;
  double _leaf_cost = 1;  // of the plan in use, as the chooser counts it
  bool _is_automatic = false;
  std::uint64_t _next_look = first_look;
  bool _is_projected = false;
  double _lost_steps = 0;  // of what was explored before the last new beginning
  std::size_t _unbounded_steps = unbounded_steps;
  bool _restart = false;
};

}  // namespace

Explored explore(const Net& net, const Structure& structure, const ExploreOptions& options, Ranks& ranks) {
  return Explorer(net, structure, options, ranks).explore();
}

}  // namespace dcheck
