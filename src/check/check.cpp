#include "dcheck/check/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <new>
#include <stdexcept>

#include "check/alike.hpp"
#include "check/initial_truth.hpp"
#include "check/labels.hpp"
#include "check/paper_tests.hpp"
#include "check/rank_figures.hpp"
#include "check/witness.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/finally.hpp"
#include "dcheck/comm/collectives.hpp"
#include "dcheck/explore/limit_check.hpp"
#include "dcheck/net/serialize.hpp"

namespace dcheck {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Whether the states that a search has met before it stopped are enough to show the verdict.
bool is_shown_by_search(const Formula& formula) {
  using Kind = Formula::Kind;
  switch (formula.kind) {
    case Kind::atom:
      return true;
    case Kind::negation:
    case Kind::conjunction:
    case Kind::disjunction:
      return std::all_of(formula.children.begin(), formula.children.end(), is_shown_by_search);
    case Kind::ef:
    case Kind::ag:
      return formula.children[0].kind == Kind::atom;
    default:
      return false;
  }
}

/// Collective: rank 0 analyses for all.
Structure analyse_together(const Net& net, const ExploreOptions& limits, Ranks& ranks) {
  Structure structure;
  ranks.together([&] {
    Patience patience = patience_within(limits);
    patience.look();
    if (ranks.rank() == 0) structure = analyse(net, semiflow_budget, patience);
  });
  if (!ranks.is_alone()) broadcast(ranks.cluster(), structure);
  return structure;
}

/// On several ranks all of them run this in step: what is decided here follows from what is the same on all.
class Checker {
 public:
  Checker(const Net& net, const std::vector<Property>& properties, const CheckOptions& options, Ranks& ranks)
      : _net(net),
        _properties(properties),
        _options(options),
        _ranks(ranks),
        _start(Clock::now()),
        _structure(analyse_together(net, options.explore, ranks)),
        _pool(net, _structure),
        _truth(_pool, net),
        _needs_all(options.full || options.sat_counts || properties.empty()) {
    if (options.test && !properties.empty()) throw std::logic_error("a test leaves no states for properties");
    for (const Property& property : properties) {
      _outcome.properties.push_back({.id = property.id, .formula = property.text});
      _outcome.properties.back().is_upper_bound = property.is_upper_bound;
      if (options.witness && !is_shown_by_search(property.formula)) _needs_all = true;
    }
  }

  CheckOutcome check() {
    const bool is_all_decided_before = alike(_ranks, [&] {
      set_goals();
      return _explore.goals.is_enough({});
    });
    if (is_all_decided_before && !_options.witness) {
      note_nothing_explored();
    } else {
      run_search();
    }
    const auto start = Clock::now();
    alike(_ranks, [&] {
      for (std::size_t i = 0; i < _properties.size(); ++i) take_what_search_decided(i);
    });
    if (_space != nullptr) label_and_show();
    if (_options.test) take_test();
    _outcome.check_seconds = seconds_since(start);
    _figures.seconds = seconds_since(_start);
    _outcome.ranks = gather_figures(_ranks, _figures);
    _outcome.space = std::move(_space);
    return std::move(_outcome);
  }

 private:
  void set_goals() {
    _explore = _options.explore;
    _explore.goals.is_enough = [this](const GoalState& found) { return !_needs_all && is_all_decided(found); };
    for (const Property& property : _properties) {
      if (!property.is_upper_bound) {
        _roots.push_back(_pool.intern(property.formula));
        _truth.look_for(_roots.back(), _explore.goals);
        if (_options.witness && is_shown_by_search(property.formula)) look_for_parts(property.formula);
        if (_options.witness) number_parts(property.formula);
        continue;
      }
      _roots.push_back(CorePool::always);
      const auto form = linear_form(property.bound_of);
      _explore.goals.sums.push_back(property.bound_of);
      _explore.goals.sum_limits.push_back(form ? proven_maximum(*form, _structure) : std::nullopt);
    }
    if (_options.test) _eating = _pool.intern(_options.test->eating);
  }

  void look_for_parts(const Formula& formula) {
    if (formula.kind == Formula::Kind::ef || formula.kind == Formula::Kind::ag)
      return _truth.look_for(_pool.intern(formula), _explore.goals);
    for (const Formula& child : formula.children) look_for_parts(child);
  }

  /// Here, and not when a rank happens to ask for them: then all ranks number all nodes alike.
  void number_parts(const Formula& formula) {
    truth_of_parts(formula, [&](const Formula& part) {
      _parts.emplace(&part, _pool.intern(part));
      return Truth::unknown;
    });
  }

  /// Whether what was found decides the property, in a way that can be shown if that is asked for.
  bool is_decided(std::size_t i, const GoalState& found, bool is_complete) {
    if (!_options.witness) return _truth.of(_roots[i], found, is_complete) != Truth::unknown;
    const auto leaf = [&](const Formula& part) { return _truth.of(_parts.at(&part), found, is_complete); };
    return truth_of_parts(_properties[i].formula, leaf) != Truth::unknown;
  }

  bool is_all_decided(const GoalState& found) {
    while (_decided < _properties.size() &&
           (_properties[_decided].is_upper_bound || is_decided(_decided, found, false)))
      ++_decided;  // what is decided stays so
    if (_decided < _properties.size()) return false;
    return found.is_known.size() == _explore.goals.sums.size() &&
           std::all_of(found.is_known.begin(), found.is_known.end(), [](bool known) { return known; });
  }

  /// Everything follows from the formulas and the initial marking.
  void note_nothing_explored() {
    Exploration& figures = _outcome.exploration;
    figures.is_enough = true;
    figures.stop_reason = "everything that was asked is decided";
    figures.states = figures.rows = 1;
    if (_ranks.rank() == 0) _figures.states = _figures.rows = 1;
    if (evaluate(Expression::of(Expression::Kind::deadlock), _net, _net.initial())) figures.deadlocks = 1;
    figures.max_tokens.assign(_net.initial().begin(), _net.initial().end());
    figures.max_tokens_in_marking = tokens_in(_net.initial());
  }

  void run_search() {
    const double prepared = seconds_since(_start);
    Explored explored = explore(_net, _structure, _explore, _ranks);
    _outcome.exploration = std::move(explored.figures);
    _outcome.stop_signal = _outcome.exploration.stop_signal;
    _outcome.exploration.plan_seconds += prepared;
    _space = std::move(explored.space);
    _figures = figures_of(_space->state);  // before labelling takes the arrays over
  }

  void take_what_search_decided(std::size_t i) {
    const Exploration& explored = _outcome.exploration;
    PropertyResult& result = _outcome.properties[i];
    const GoalState& found = _space ? _space->state.goals : _nothing_found;
    if (result.is_upper_bound) {
      const std::size_t sum = sum_of(i);
      if (sum < found.largest.size() && (explored.complete || found.is_known[sum])) result.bound = found.largest[sum];
    } else if (const Truth truth = _truth.of(_roots[i], found, explored.complete); truth != Truth::unknown) {
      result.verdict = truth == Truth::yes ? Verdict::holds : Verdict::fails;
    }
    if (!explored.complete) result.reason = "not all states were reached: " + explored.stop_reason;
  }

  std::size_t sum_of(std::size_t property) const {
    const auto is_bound = [](const Property& p) { return p.is_upper_bound; };
    const auto end = _properties.begin() + static_cast<std::ptrdiff_t>(property);
    return static_cast<std::size_t>(std::count_if(_properties.begin(), end, is_bound));
  }

  /// What is left after the search: sets of states, and paths to show.
  void label_and_show() {
    const auto wants_work = [&](const PropertyResult& r) {
      return !is_settled(r) || _options.sat_counts || _options.witness;
    };
    if (std::none_of(_outcome.properties.begin(), _outcome.properties.end(), wants_work)) return;
    if (!_outcome.exploration.complete && !_options.witness) return;
    const auto label = [&](Phases& phases, const std::function<void()>& poll) {
      Labels labels(_net, _pool, phases, _roots, _options.witness);
      for (std::size_t i = 0; i < _properties.size(); ++i) {
        const auto start = Clock::now();
        begin_property(i, Progress::Phase::checking);
        decide(i, phases, labels);
        begin_property(i, Progress::Phase::showing);
        if (_options.witness) show(i, phases, labels, poll);
        labels.property_done();
        _outcome.properties[i].seconds = seconds_since(start);
      }
    };
    in_limits(label, [&](const std::string& reason) { leave_open(reason); });
  }

  void take_test() {
    const auto start = Clock::now();
    _outcome.test = TestResult{.kind = _options.test->kind};
    if (!_outcome.exploration.complete) {
      _outcome.test->reason = "not all states were reached: " + _outcome.exploration.stop_reason;
      return;
    }
    const auto run = [&](Phases& phases, const std::function<void()>&) {
      Labels labels(_net, _pool, phases, {_eating}, false);
      _outcome.test = run_test(_options.test->kind, phases, labels.sat(_eating));
    };
    in_limits(run, [&](const std::string& reason) { _outcome.test->reason = reason; });
    _outcome.test->seconds = seconds_since(start);
  }

  /// work(phases, poll) on the states that were explored; give_up(reason) where all ranks know that it ran out of
  /// memory or into a limit.
  template <typename Work, typename GiveUp>
  void in_limits(Work&& work, GiveUp&& give_up) {
    try {
      std::unique_ptr<Phases> phases;
      const ExploreOptions limits = limits_of_labelling(phases);
      LimitCheck limit(limits, _space->state);
      const std::function<void()> poll = [&] { limit.expect_room(); };
      _ranks.together(poll);
      phases = make_phases(*_space, _options.au, poll);
      const Finally note([&] { _figures.queries = phases->queries(); });
      work(*phases, poll);
    } catch (const ResourceError& error) {
      if (!_ranks.is_agreed(error)) throw;
      note_stop(error.what(), error.signal());
      give_up(error.what());
    } catch (const std::bad_alloc&) {
      if (!_ranks.is_alone()) throw;
      note_stop("out of memory", 0);
      give_up("out of memory");
    }
  }

  void note_stop(const std::string& reason, int signal) {
    _outcome.check_stop_reason = reason;
    if (signal != 0) _outcome.stop_signal = signal;
  }

  void begin_property(std::size_t i, Progress::Phase phase) {
    _property = i + 1;
    _phase = phase;
  }

  /// `phases`: as soon as they are there, they tell what labelling is at.
  ExploreOptions limits_of_labelling(const std::unique_ptr<Phases>& phases) const {
    ExploreOptions limits = _explore;
    limits.limits.max_states.reset();
    if (!_explore.progress) return limits;
    limits.progress = [this, &phases](Progress progress) {
      progress.phase = _phase;
      progress.property = _property;
      progress.properties = _properties.size();
      if (phases) progress.step = phases->step();
      _explore.progress(progress);
    };
    return limits;
  }

  static bool is_settled(const PropertyResult& result) {
    return result.is_upper_bound ? result.bound.has_value() : result.verdict != Verdict::unknown;
  }

  void decide(std::size_t i, const Phases& phases, Labels& labels) {
    PropertyResult& result = _outcome.properties[i];
    if (result.is_upper_bound || !_outcome.exploration.complete) return;
    if (_options.sat_counts) result.sat_states = phases.size(labels.sat(_roots[i]));
    if (result.verdict != Verdict::unknown) return;
    result.verdict = labels.holds_initially(_roots[i]) ? Verdict::holds : Verdict::fails;
  }

  void show(std::size_t i, Phases& phases, Labels& labels, const std::function<void()>& poll) {
    PropertyResult& result = _outcome.properties[i];
    const bool is_complete = _outcome.exploration.complete;
    if (!is_settled(result) || !can_show(i)) return;
    WitnessFinder finder(
        _net, _pool, phases, labels, [&](CoreId id) { return _truth.of(id, _space->state.goals, is_complete); },
        is_complete, poll);
    Formula formula = _properties[i].formula;
    if (result.is_upper_bound)
      formula = Formula::of(
          Formula::Kind::ef,
          {Formula::atom_of(Expression::of(Expression::Kind::less_equal,
                                           {Expression::constant_of(*result.bound), _properties[i].bound_of}))});
    Evidence evidence = finder.show(formula, result.is_upper_bound || result.verdict == Verdict::holds);
    if (evidence.has_path()) result.witness = std::move(evidence);
  }

  bool can_show(std::size_t i) {
    if (_outcome.exploration.complete || _properties[i].is_upper_bound) return true;
    return is_shown_by_search(_properties[i].formula) && is_decided(i, _space->state.goals, false);
  }

  void leave_open(const std::string& reason) {
    for (PropertyResult& result : _outcome.properties) {
      if (!is_settled(result)) result.reason = reason;
      if (is_settled(result) && _options.witness && !result.witness) result.witness_reason = reason;
    }
  }

  const Net& _net;
  const std::vector<Property>& _properties;
  const CheckOptions& _options;
  Ranks& _ranks;
  Clock::time_point _start;
  Structure _structure;
  CorePool _pool;
  InitialTruth _truth;
  bool _needs_all;
  ExploreOptions _explore;
  std::vector<CoreId> _roots;  // per property
  CoreId _eating = CorePool::always;
  std::map<const Formula*, CoreId> _parts;
  std::size_t _decided = 0;  // so many of the first properties are decided
  // What is under way after the search, for the progress.
  Progress::Phase _phase = Progress::Phase::checking;
  std::size_t _property = 0;
  std::unique_ptr<StateSpace> _space;
  GoalState _nothing_found;
  RankFigures _figures;
  CheckOutcome _outcome;
};

}  // namespace

CheckOutcome check(const Net& net, const std::vector<Property>& properties, const CheckOptions& options, Ranks& ranks) {
  return Checker(net, properties, options, ranks).check();
}

}  // namespace dcheck
