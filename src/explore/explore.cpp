#include "dcheck/explore/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "dcheck/base/error.hpp"
#include "dcheck/base/stopwatch.hpp"
#include "dcheck/engine/engine.hpp"
#include "dcheck/explore/limit_check.hpp"
#include "dcheck/leaf/planner.hpp"
#include "dcheck/owners/owners.hpp"
#include "dcheck/ranks/share.hpp"
#include "dcheck/space/fresh_state.hpp"
#include "dcheck/space/move_rows.hpp"
#include "dcheck/space/relayout.hpp"
#include "dcheck/space/row_stream.hpp"
#include "explore/figures.hpp"
#include "explore/kept_search.hpp"
#include "explore/meeting.hpp"

namespace dcheck {

namespace {

constexpr std::size_t unbounded_steps = 20'000;  // of the first search, doubled each time
constexpr std::size_t most_unbounded_steps = 20'000 << 8;

class Explorer {
 public:
  Explorer(const Net& net, const Structure& structure, const ExploreOptions& options, Ranks& ranks)
      : _net(net),
        _structure(structure),
        _options(options),
        _ranks(ranks),
        _space(std::make_unique<StateSpace>(net, ranks)),
        _limits(_options, _space->state) {}

  Explored explore() {
    const Stopwatch watch;
    try {
      if (has_states(keeper()))
        go_on_from(search_of_bytes(keeper()->parts().at(search_part)));
      else
        make_first_plan();
      _result.plan_seconds = watch.seconds() - _result.load_seconds;
      _result.complete = _space->is_complete || explore_all();
    } catch (const ResourceError& error) {
      if (_space->plan == nullptr || !_ranks.is_agreed(error)) throw;
      _result.stop_reason = error.what();
      _result.stop_signal = error.signal();
      join_goals(_ranks, _space->state.goals);  // each knows only what it has found itself
      if (error.signal() != 0) keep();          // between two phases: all is whole
    } catch (const std::bad_alloc&) {
      if (_space->plan == nullptr || !_ranks.is_alone()) throw;
      _result.stop_reason = "out of memory";
    }
    _result.explore_seconds = watch.seconds() - _result.plan_seconds - _result.load_seconds;
    _result.allocation = _owners.why();
    take_figures(*_space, _result);
    const RankFigures own = figures_of(_space->state);
    join_figures(_ranks, _result);
    count_deadlock_found(_options.goals, _space->state.goals, _result);
    _result.remark = remark_on_lanes(_options.lanes, *_space->plan);
    if (!_result.complete && !_result.is_enough && _result.stop_signal == 0)
      name_widest_place(_net, _structure, _result);
    _space->is_complete = _result.complete;
    if (_result.complete) _space->state.drop_lists();
    std::string kept = keeper() == nullptr ? "" : kept_search(*_space, _planner.request, _result.layouts);
    return {std::move(_result), std::move(kept), own, std::move(_space)};
  }

 private:
  void make_first_plan() {
    _planner.refuse_unfit_choice();
    _ranks.together([&] {
      if (_ranks.rank() == rank_0) _planner.begin();
    });
    share_request(_ranks, _planner.request);
    _ranks.together([&] { _patience.look(); });
    set_budget();
    begin();
  }

  void set_budget() {
    const auto& limit = _options.limits.max_memory_bytes;
    if (!limit) return;
    _space->budget().limit = *limit - std::min(*limit, resident_bytes());
    _space->budget().reason = memory_limit_text(_options);
  }

  StateKeeper* keeper() const { return _options.limits.keeper; }
  void keep() { keep_search(keeper(), *_space, _planner.request, _result.layouts); }

  /// With the plan and the states of an earlier run.
  void go_on_from(const KeptSearch& kept) {
    _ranks.together([&] {  // the sample tells about leaves
      if (_ranks.rank() == rank_0 && !kept.is_complete) _planner.begin();
    });
    set_budget();
    _planner.request = kept.request;
    _may_look_for_leaf = kept.request.leaf.empty();
    std::unique_ptr<Plan> plan = plan_of_all();
    _owners.begin(*plan, !_options.levels);
    const Stopwatch watch;
    go_on_with(std::move(plan),
               [&](const Plan& under) { return fresh_state(under, _options.row_choice(), &_space->budget()); });
    keeper()->restore_rows(*_space);
    restore_search(kept, *_space);
    _result.load_seconds = watch.seconds();
    _result.resumed = kept.states;
    _result.layouts = kept.layouts;
    _owners.note_start(*_space);
    set_quota(kept.states);
  }

  /// Begins with nothing found but the initial state.
  void begin() {
    const auto first_state = [&](const Plan& plan) {
      ExploreState state = fresh_state(plan, _options.row_choice(), &_space->budget());
      if (_space->owns(plan, _net.initial())) add_marking(plan, state, _net.initial());
      return state;
    };
    std::unique_ptr<Plan> plan = plan_of_all();
    _owners.begin(*plan, !_options.levels);
    go_on_with(std::move(plan), first_state);
    _ranks.together([&] { _space->state.maxima.begin(_net); });
    _owners.note_start(*_space);
    set_quota(1);  // the initial state
  }

  std::unique_ptr<Plan> plan_of_all() {
    std::unique_ptr<Plan> plan;
    _ranks.together([&] { plan = _planner.make(); });
    return plan;
  }

  /// Plan and states always belong together, and plans are the same on all ranks, also where memory runs out on one.
  void go_on_with(std::unique_ptr<Plan> plan, const std::function<ExploreState(const Plan&)>& state_under) {
    ExploreState state(&_space->budget());
    _space->allocate(*plan, _owners.classes());
    try {
      _ranks.together([&] { state = state_under(*plan); });
    } catch (const ResourceError&) {
      if (_space->plan != nullptr) _space->allocate(*_space->plan, _owners.classes());
      throw;
    }
    _space->state = std::move(state);
    _space->plan = std::move(plan);
  }

  bool explore_all() {
    const auto should_stop = [&] {
      return _limits.reached() || is_leaf_due() || _owners.is_due(*_space) || is_checkpoint_due(keeper());
    };
    while (true) {
      const bool is_done = explore_rows(*_space, _options.goals, {should_stop, rows_between()});
      const Standing all = meet_others();
      if (is_done) {
        even_out_at_end();
        return true;
      }
      if (_result.is_enough) return stop("everything that was asked is decided");
      if (!all.reason.empty()) {
        keep();
        return stop(all.reason, all.signal);
      }
      if (all.wants_checkpoint) keep();
      if (all.wants_checkpoint && keeper()->ends_run())
        return stop(stopped_by(RunLimit::break_signal), RunLimit::break_signal);
      if (all.unbounded) return stop_unbounded(*all.unbounded);
      if (all.widening.is_needed())
        widen(all.widening);
      else if (all.is_leaf_due)
        look_for_leaf(all.states);
      else if (_owners.look(*_space))
        move();
    }
  }

  /// Limits are looked at after so many rows that even rows with all lanes, and all transitions enabled in them, pass
  /// the limit of states by a sixteenth of it at most; but after one row at least.
  unsigned rows_between() const {
    const std::uint64_t transitions = std::max<std::uint64_t>(16, _net.transition_count());
    const std::uint64_t most = std::max<std::uint64_t>(1, 65'536 / transitions);
    const auto& limit = _options.limits.max_states;
    const std::uint64_t wanted = limit ? *limit / 16 / (transitions * _space->plan->lane_count()) : most;
    return static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, most));
  }

  bool stop(const std::string& reason, int signal = 0) {
    _result.stop_reason = reason;
    _result.stop_signal = signal;
    return false;
  }
  bool stop_unbounded(const UnboundedEvidence& evidence) {
    _result.unbounded = evidence;
    return stop(
        fmt::format("the net is unbounded: place '{}' can hold any number of tokens", _net.name(evidence.place)));
  }

  /// Every rank may find an equal part of what is left; then all meet again.
  void set_quota(std::uint64_t found) {
    const auto& most = _options.limits.max_states;
    if (!most) return;
    const std::uint64_t left = *most - std::min(*most, found);
    _limits.set_quota(_space->state.counts.states +
                      std::max<std::uint64_t>(1, left / static_cast<unsigned>(_ranks.size())));
  }

  Standing meet_others() {
    ExploreState& state = _space->state;
    const auto& most = _options.limits.max_states;
    Standing own;
    _ranks.together([&] {
      const bool is_named = !_ranks.is_alone() && !_limits.reason().empty() && _limits.signal() == 0;
      own = {is_named ? fmt::format("rank {}: {}", index(_ranks.rank()), _limits.reason()) : _limits.reason(),
             _limits.signal(),
             is_checkpoint_due(keeper()),
             state.counts.states,
             widening_for(*_space->plan, state.parked),
             is_leaf_due(),
             {}};
    });
    Standing all = meet(_ranks, std::move(own), [&](Standing& together) {
      if (together.reason.empty() && most && together.states >= *most)
        together.reason = fmt::format("the limit of {} states (--max-states) was reached", *most);
      if (together.reason.empty() && together.widening.is_needed()) together.unbounded = look_for_growth();
    });
    join_goals(_ranks, state.goals);
    if (!_ranks.is_alone()) state.goals.is_enough = _options.goals.is_enough(state.goals);
    _result.is_enough = state.goals.is_enough;
    set_quota(all.states);
    return all;
  }

  std::optional<UnboundedEvidence> look_for_growth() {
    if (_unbounded_steps > most_unbounded_steps) return std::nullopt;  // the same search would find the same
    const std::size_t steps = std::exchange(_unbounded_steps, 2 * _unbounded_steps);
    try {
      return find_unbounded(_net, steps, _patience);
    } catch (const ResourceError&) {  // a limit, which the exploration will meet
      return std::nullopt;
    }
  }

  /// Rank 0 looks for all.
  bool is_leaf_due() const {
    return _options.lanes.kind == LaneChoice::Kind::automatic && _may_look_for_leaf && _ranks.rank() == rank_0 &&
           _planner.is_due(*_space);
  }

  /// Where a leaf is found that is worth it, all begin again with it.
  void look_for_leaf(std::uint64_t states) {
    const Stopwatch watch;
    LeafWish wish = on_rank_0([&] { return _planner.look_for_leaf(*_space, states); });
    if (wish == LeafWish::keys) {
      const std::vector<std::uint64_t> keys = keys_of_all(states);
      wish = on_rank_0([&] { return _planner.project_leaf(*_space, keys); });
    }
    if (wish == LeafWish::leaf) {
      share_request(_ranks, _planner.request);
      begin();
    }
    _result.plan_seconds += watch.seconds();
  }

  LeafWish on_rank_0(const std::function<LeafWish()>& look) {
    LeafWish wish = LeafWish::none;
    _ranks.together([&] {
      if (_ranks.rank() == rank_0) wish = look();
    });
    share(_ranks, wish);
    return wish;
  }

  /// Collective, for rank 0: the keys of so many states of all ranks as a projection takes.
  std::vector<std::uint64_t> keys_of_all(std::uint64_t states) {
    const std::uint64_t most = LeafLook::most_keys_to_project;
    std::vector<std::uint64_t> own;
    _ranks.together([&] {
      const std::uint64_t rows = _space->state.row_count();
      const std::uint64_t wanted =
          states <= most ? rows
                         : static_cast<std::uint64_t>(static_cast<double>(rows) * static_cast<double>(most) /
                                                      static_cast<double>(states));
      own.reserve(wanted);
      RowSource(*_space->plan, _space->state).for_each(Which::all, [&](const StreamedRow& row) {
        if (own.size() < wanted) own.push_back(*row.key);
      });
    });
    std::vector<std::uint64_t> all;
    for (const std::vector<std::uint64_t>& some : gather(_ranks, own)) all.insert(all.end(), some.begin(), some.end());
    return all;
  }

  void widen(const Widening& widening) {
    PlanUse in_use;
    _ranks.together([&] { in_use = use_of(*_space->plan, _space->state); });
    _ranks.agree(in_use.lanes, Combine::max);
    _ranks.agree(in_use.key_parts, Combine::max);
    widening.widen(_planner.request, *_space->plan, in_use);
    const std::vector<Place> leaf = _planner.request.leaf;
    std::unique_ptr<Plan> next = plan_of_all();
    ++_result.layouts;
    if (leaf != _planner.request.leaf) return begin();  // a smaller leaf means other key places
    go_on_with(std::move(next), [&](const Plan& plan) { return convert(*_space->plan, _space->state, plan); });
  }

  /// Rows move to their new owners.
  void move() {
    _space->allocate(*_space->plan, _owners.classes());
    move_rows(*_space);
    _owners.note_start(*_space);
  }

  /// All states are there: where somebody asks to stop before rows begin to move, they stay where they are.
  void even_out_at_end() {
    if (!_options.is_labelled) return;
    try {
      if (_owners.look_at_end(*_space)) move();
    } catch (const AgreedStop& stop) {
      if (stop.signal() == 0) throw;
    }
  }

  const Net& _net;
  const Structure& _structure;
  ExploreOptions _options;
  Ranks& _ranks;
  Patience _patience = patience_within(_options);
  Planner _planner{_net, _structure, _options.lanes, _patience};
  Owners _owners{_options.allocation, _ranks, _patience};
  std::unique_ptr<StateSpace> _space;
  LimitCheck _limits;
  Exploration _result;
  std::size_t _unbounded_steps = unbounded_steps;
  bool _may_look_for_leaf = true;
};

}  // namespace

Explored explore(const Net& net, const Structure& structure, const ExploreOptions& options, Ranks& ranks) {
  return Explorer(net, structure, options, ranks).explore();
}

}  // namespace dcheck
