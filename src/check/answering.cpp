#include "check/answering.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "check/paper_tests.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/base/finally.hpp"
#include "dcheck/base/stopwatch.hpp"
#include "dcheck/ctl/local/local_search.hpp"
#include "dcheck/explore/limit_check.hpp"

namespace dcheck {

namespace {

// A step of the local search takes about 100 ns, an operation on a row 20 to 200, in each walk of a path operator
// again. So the search costs a small part of the labels it may save, and where these are cheap, a part of the
// exploration.
constexpr std::uint64_t walked_per_local_step = 5;
constexpr std::uint64_t explored_per_local_step = 10;
constexpr std::uint64_t always_local_steps = 2'000'000;
constexpr std::uint64_t most_local_bytes = std::uint64_t{64} << 20;

}  // namespace

Answering::Answering(const Net& net, Ranks& ranks, Agenda& agenda, const std::vector<Property>& properties,
                     const CheckOptions& options, std::string why_incomplete)
    : _net(net),
      _ranks(ranks),
      _agenda(agenda),
      _properties(properties),
      _options(options),
      _why_incomplete(std::move(why_incomplete)) {
  for (const Property& property : properties) {
    _answers.properties.push_back({.id = property.id, .formula = property.text});
    _answers.properties.back().is_upper_bound = property.is_upper_bound;
  }
}

Answers Answering::without_states() {
  const Stopwatch watch;
  _ranks.alike([&] { take_what_search_decided(); });
  _answers.seconds = watch.seconds();
  return std::move(_answers);
}

Answers Answering::on(const StateSpace& space, const GoalState& found) {
  const Stopwatch watch;
  _space = &space;
  _found = found;
  _ranks.alike([&] { take_what_search_decided(); });
  if (has_answers())
    take_answers();
  else
    search_locally();
  label_and_show();
  if (_options.test) take_test();
  if (!_is_saved) save_states(nullptr);
  _answers.seconds = watch.seconds();
  return std::move(_answers);
}

bool Answering::needs_truth(const PropertyResult& result) {
  return !result.is_upper_bound && result.verdict == Verdict::unknown;
}

bool Answering::is_settled(const PropertyResult& result) {
  return result.is_upper_bound ? result.bound.has_value() : result.verdict != Verdict::unknown;
}

void Answering::take_what_search_decided() {
  const bool is_complete = _space != nullptr && _space->is_complete;
  for (std::size_t i = 0; i < _properties.size(); ++i) {
    PropertyResult& result = _answers.properties[i];
    if (result.is_upper_bound) {
      const std::size_t sum = _agenda.sum(i);
      if (sum < _found.largest.size() && (is_complete || _found.is_known[sum])) result.bound = _found.largest[sum];
    } else if (const Truth truth = _agenda.truth(_agenda.root(i), _found, is_complete); truth != Truth::unknown) {
      result.verdict = truth == Truth::yes ? Verdict::holds : Verdict::fails;
    }
    if (!is_complete) result.reason = "not all states were reached: " + _why_incomplete;
  }
}

/// What a few states around the initial marking tell.
void Answering::search_locally() {
  if (_options.local == LocalChoice::off || _options.au == AuMethod::query) return;
  if (_options.witness || _options.sat_counts) return;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < _properties.size(); ++i)
    if (needs_truth(_answers.properties[i])) open.push_back(i);
  if (open.empty()) return;
  const std::uint64_t steps = local_steps(open);
  const MemoryBudget& budget = _space->budget();
  std::uint64_t bytes[] = {std::min(most_local_bytes, (budget.limit - std::min(budget.limit, budget.used)) / 4)};
  _ranks.agree(bytes, Combine::min);
  const auto search = [&] { _ranks.together([&] { decide_locally(open, steps, bytes[0]); }); };
  // Where the exploration was stopped by a limit, this ends at once, and the exploration's reason stays the only one.
  if (_space->is_complete) return within_limits(search, [&](const std::string& reason) { leave_open(reason); });
  try {
    search();
  } catch (const ResourceError& error) {
    if (!_ranks.is_agreed(error)) throw;
  }
}

/// A part of the work of the labels that may be saved, or of the exploration's, whichever is less.
std::uint64_t Answering::local_steps(std::span<const std::size_t> open) const {
  std::vector<LabelWish> wishes;
  for (const std::size_t i : open) wishes.push_back({_agenda.root(i), false});
  const std::uint64_t operations = _ranks.sum(_space->state.counts.row_operations);
  const std::uint64_t walks = path_steps(_agenda.pool(), make_schedule(_agenda.pool(), wishes));
  return std::min(walks * operations / walked_per_local_step,
                  always_local_steps + operations / explored_per_local_step);
}

void Answering::decide_locally(std::span<const std::size_t> open, std::uint64_t steps, std::uint64_t bytes) {
  Patience patience = patience_within(_options.explore);
  patience.look();
  LocalSearch local(_net, _agenda.pool(), bytes);
  for (std::size_t left = open.size(); left > 0; --left) {
    const std::size_t i = open[open.size() - left];
    const std::uint64_t before = local.steps();
    const Truth truth = local.decide(_agenda.root(i), steps / left, patience);
    steps -= std::min(steps, local.steps() - before);
    if (truth == Truth::unknown) continue;
    _answers.properties[i].verdict = truth == Truth::yes ? Verdict::holds : Verdict::fails;
    ++_answers.labels.decided_locally;
  }
}

/// What is left after the search: sets of states, and paths to show.
void Answering::label_and_show() {
  const auto wants_work = [&](const PropertyResult& r) {
    return !is_settled(r) || _options.sat_counts || _options.witness || is_saving();
  };
  if (!is_condensed() && std::ranges::none_of(_answers.properties, wants_work)) return;
  if (!_space->is_complete && !_options.witness) return;
  _path_steps = path_steps(_agenda.pool(), make_schedule(_agenda.pool(), label_wishes()));
  const auto label = [&](Operators& operators) {
    const std::vector<LabelWish> wishes = label_wishes();
    Labelling labels(_agenda.pool(), operators, _net, wishes, _options.witness);
    _next = 0;
    go_on_with_labels(operators, labels);
    while (true) try {
        label_all(operators, labels, wishes.size());
        return save_states(&operators);
      } catch (const ResourceError& error) {
        if (!_ranks.is_agreed(error)) throw;
        keep_labels(operators, labels);
        if (error.signal() != RunLimit::break_signal || keeper()->ends_run()) throw;
      }
  };
  with_operators(label, [&](const std::string& reason) { leave_open(reason); });
}

void Answering::label_all(Operators& operators, Labelling& labels, std::size_t wishes) {
  const Stopwatch together;
  if (_next == 0 && operators.takes_many_at_once() && !_options.witness) label_side_by_side(operators, labels, wishes);
  const double share = together.seconds() / static_cast<double>(std::max<std::size_t>(1, wishes));
  for (; _next < _properties.size(); ++_next) {
    const Stopwatch watch;
    _property = _next + 1;
    _phase = Progress::Phase::checking;
    decide(_next, operators, labels);
    add_saved_set(_next, operators, labels);
    _phase = Progress::Phase::showing;
    if (_options.witness) show(_next, operators, labels);
    labels.finish(_next);
    _answers.properties[_next].seconds = watch.seconds() + share;
  }
}

bool Answering::is_condensed() const {
  return _options.explore.store.kind == StoreChoice::Kind::condensed;
}

std::vector<LabelWish> Answering::label_wishes() const {
  std::vector<LabelWish> wishes;
  for (std::size_t i = 0; i < _properties.size(); ++i) {
    // What is decided needs no columns, unless its states are to be counted.
    const bool is_counted =
        !_properties[i].is_upper_bound && (is_saving() || (_options.sat_counts && !_answers.properties[i].sat_states));
    const bool has_columns = _space->is_complete && (is_counted || !is_settled(_answers.properties[i]));
    wishes.push_back({has_columns ? _agenda.root(i) : CorePool::always, has_columns && is_counted});
  }
  return wishes;
}

/// As many wishes at once as memory has columns for; one alone is left to those who take the steps one by one.
void Answering::label_side_by_side(Operators& operators, Labelling& labels, std::size_t wishes) {
  const std::uint64_t bytes = operators.reached().plain_bytes();
  const auto fits = [&](std::size_t first, std::size_t last) {
    return !_ranks.any(!_space->budget().has_room_for(2 * bytes * labels.columns_for(first, last)));
  };
  for (std::size_t first = 0; first < wishes;) {
    std::size_t last = wishes;
    while (last > first + 1 && !fits(first, last)) last = first + (last - first) / 2;
    if (last > first + 1 || fits(first, last)) labels.fulfil_together(first, last);
    first = last;
  }
}

void Answering::take_test() {
  const Stopwatch watch;
  _answers.test = TestResult{.kind = _options.test->kind};
  if (!_space->is_complete) {
    _answers.test->reason = "not all states were reached: " + _why_incomplete;
    return;
  }
  const auto take = [&](Operators& operators) {
    const CoreId eating = _agenda.pool().intern(_options.test->eating);
    Labelling labels(_agenda.pool(), operators, _net, {}, false);
    _answers.test = test_result(_options.test->kind, operators, labels.sat(eating));
  };
  with_operators(take, [&](const std::string& reason) { _answers.test->reason = reason; });
  _answers.test->seconds = watch.seconds();
}

template <typename Work, typename GiveUp>
void Answering::with_operators(Work&& work, GiveUp&& give_up) {
  const auto on_states = [&] {
    std::unique_ptr<Operators> operators;
    const ExploreOptions limits = limits_of_labelling(operators);
    LimitCheck limit(limits, _space->state);
    _ranks.together([&] { limit.expect_room(); });
    operators = make_operators_for(limit_with_breaks(limit));
    const Finally note([&] { _answers.queries = operators ? operators->queries() : 0; });
    try {
      work(*operators);
    } catch (const ResourceError& error) {
      if (!operators->graph() || !_ranks.is_agreed(error) || error.signal() != 0) throw;
      // It may have been the graph that took the memory. What was decided stays; the rest is tried without it.
      operators.reset();
      limit.look_anew();
      _ranks.together([&] { limit.expect_room(); });
      _answers.labels.graph = {false, "it was given up: " + std::string(error.what())};
      _answers.labels.graph_arcs = _answers.labels.graph_bytes = _answers.labels.condensed_bytes = 0;
      operators = make_operators(*_space, _options.au, limit_with_breaks(limit));
      work(*operators);
    }
  };
  within_limits(on_states, give_up);
}

std::unique_ptr<Operators> Answering::make_operators_for(const RunLimit& limit) {
  LabelFigures& figures = _answers.labels;
  if (_options.test)
    figures.graph = {false, "a test is taken without it"};
  else if (_options.au == AuMethod::query)
    figures.graph = {false, "successors are to be queried"};
  else if (!_space->is_complete)
    figures.graph = {false, "not all states were reached"};
  else if (is_condensed())
    figures.graph = decide_graph(*_space, GraphChoice::keep, std::max<std::size_t>(1, _path_steps));
  else
    figures.graph = decide_graph(*_space, _options.graph, _path_steps);
  if (!figures.graph->is_kept) return make_operators(*_space, _options.au, limit);
  const Stopwatch watch;
  std::unique_ptr<Operators> operators;
  try {
    operators = make_graph_operators(*_space, limit, _making_graph);
  } catch (const ResourceError& error) {
    if (!_ranks.is_agreed(error) || error.signal() != 0) throw;
    figures.graph = {false, error.what()};
    return make_operators(*_space, _options.au, limit);
  }
  figures.graph_seconds = watch.seconds();
  figures.graph_arcs = _ranks.sum(operators->graph()->arcs);
  figures.graph_bytes = _ranks.sum(operators->graph()->bytes);
  if (is_condensed()) {
    _ranks.together([&] { _space->state.rows->condense(); });
    figures.condensed_bytes = _ranks.sum(_space->state.store_bytes() + _space->state.payload_bytes());
  }
  return operators;
}

template <typename Work, typename GiveUp>
void Answering::within_limits(Work&& work, GiveUp&& give_up) {
  try {
    work();
  } catch (const ResourceError& error) {
    if (!_ranks.is_agreed(error)) throw;
    note_stop(error.what(), error.signal());
    give_up(error.what());
    if (!_is_kept) keep_answers({}, nullptr);
  } catch (const std::bad_alloc&) {
    if (!_ranks.is_alone()) throw;
    note_stop("out of memory", 0);
    give_up("out of memory");
  }
}

void Answering::note_stop(const std::string& reason, int signal) {
  _answers.stop_reason = reason;
  _answers.stop_signal = signal;
}

ExploreOptions Answering::limits_of_labelling(const std::unique_ptr<Operators>& operators) const {
  ExploreOptions limits = _options.explore;
  limits.limits.max_states.reset();
  if (!_options.explore.progress) return limits;
  limits.progress = [this, &operators](Progress progress) {
    progress.phase = _phase;
    progress.property = _property;
    progress.properties = _properties.size();
    progress.step = operators ? operators->step() : _making_graph;
    _options.explore.progress(progress);
  };
  return limits;
}

}  // namespace dcheck
