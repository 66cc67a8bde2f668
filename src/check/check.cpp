#include "dcheck/check/check.hpp"

#include <algorithm>
#include <stdexcept>

#include "check/agenda.hpp"
#include "check/answering.hpp"
#include "dcheck/base/stopwatch.hpp"
#include "dcheck/explore/limit_check.hpp"
#include "dcheck/net/serialize.hpp"
#include "dcheck/ranks/share.hpp"

namespace dcheck {

namespace {

/// Collective: rank 0 analyses for all.
Structure analyse_together(const Net& net, const ExploreOptions& limits, Ranks& ranks) {
  Structure structure;
  ranks.together([&] {
    Patience patience = patience_within(limits);
    patience.look();
    if (ranks.rank() == rank_0) structure = analyse(net, semiflow_budget, patience);
  });
  share(ranks, structure);
  return structure;
}

/// Whether the search may end as soon as everything is decided.
bool may_end_early(const std::vector<Property>& properties, const CheckOptions& options) {
  if (options.full || options.sat_counts || properties.empty()) return false;
  return !options.witness || std::ranges::all_of(properties, [](const Property& property) {
    return Agenda::is_shown_by_search(property.formula);
  });
}

/// Everything follows from the formulas and the initial marking.
Exploration nothing_explored(const Net& net) {
  Exploration figures;
  figures.is_enough = true;
  figures.stop_reason = "everything that was asked is decided";
  figures.states = figures.rows = 1;
  if (evaluate(Expression::of(Expression::Kind::deadlock), net, net.initial())) figures.deadlocks = 1;
  figures.max_tokens.assign(net.initial().begin(), net.initial().end());
  figures.max_tokens_in_marking = tokens_in(net.initial());
  return figures;
}

RankFigures figures_of_nothing(const Ranks& ranks) {
  RankFigures figures;
  if (ranks.rank() == rank_0) figures.states = figures.rows = 1;
  return figures;
}

/// Collective. Rank 0 of several gets the figures of all in their order, others nothing. Who reports adds the peak
/// memory, which is asked for at the very end.
std::vector<RankFigures> gather_figures(const Ranks& ranks, RankFigures figures) {
  if (ranks.is_alone()) return {};
  figures.traffic = ranks.exchange().figures();
  return gather(ranks, figures);
}

}  // namespace

Answers answer(const StateSpace& space, const Structure& structure, const std::vector<Property>& properties,
               const CheckOptions& options) {
  Agenda agenda = space.ranks.alike([&] { return Agenda(space.net, structure, properties, options.witness); });
  Answering answering(space.net, space.ranks, agenda, properties, options, "the exploration was stopped");
  return answering.on(space, look_for_goals(space, agenda.goals()));
}

CheckOutcome check(const Net& net, const std::vector<Property>& properties, const CheckOptions& options, Ranks& ranks) {
  if (options.test && !properties.empty()) throw std::logic_error("a test leaves no states for properties");
  const Stopwatch watch;
  CheckOutcome outcome;
  const Structure structure = analyse_together(net, options.explore, ranks);
  Agenda agenda = ranks.alike([&] { return Agenda(net, structure, properties, options.witness); });
  ExploreOptions search = options.explore;
  search.goals = agenda.goals();
  search.goals.may_end_early = may_end_early(properties, options);
  search.is_labelled = options.test || !properties.empty();

  RankFigures figures;
  if (search.goals.is_enough({}) && !options.witness) {
    outcome.exploration = ranks.alike([&] { return nothing_explored(net); });
    Answering answering(net, ranks, agenda, properties, options, outcome.exploration.stop_reason);
    static_cast<Answers&>(outcome) = answering.without_states();
    figures = figures_of_nothing(ranks);
  } else {
    const double prepared = watch.seconds();
    Explored explored = explore(net, structure, search, ranks);
    outcome.exploration = std::move(explored.figures);
    outcome.exploration.plan_seconds += prepared;
    outcome.space = std::move(explored.space);
    figures = explored.own;
    Answering answering(net, ranks, agenda, properties, options, outcome.exploration.stop_reason);
    answering.keep_with(std::move(explored.kept));
    // States that an earlier run has left were explored for other questions.
    const bool is_found_anew = outcome.exploration.resumed && outcome.space->is_complete;
    static_cast<Answers&>(outcome) = answering.on(
        *outcome.space, is_found_anew ? look_for_goals(*outcome.space, agenda.goals()) : outcome.space->state.goals);
  }
  if (outcome.stop_signal == 0) outcome.stop_signal = outcome.exploration.stop_signal;
  figures.queries = outcome.queries;
  figures.seconds = watch.seconds();
  outcome.ranks = gather_figures(ranks, figures);
  return outcome;
}

}  // namespace dcheck
