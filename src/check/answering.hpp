#pragma once
// The way from explored states to answers: what the search has decided, then labels, then evidence.

#include "check/agenda.hpp"
#include "dcheck/check/check.hpp"
#include "dcheck/evidence/witness.hpp"
#include "dcheck/explore/limit_check.hpp"

namespace dcheck {

/// On several ranks all of them do this in step: what is decided here follows from what is the same on all.
class Answering {
 public:
  /// `why_incomplete`: one line, where not all states were reached. All must outlive it.
  Answering(const Net& net, Ranks& ranks, Agenda& agenda, const std::vector<Property>& properties,
            const CheckOptions& options, std::string why_incomplete);

  /// What a file of these states has to say beside them: rank 0's bytes.
  void keep_with(std::string search) { _search = std::move(search); }

  /// Without any state: what the formulas and the initial marking tell.
  Answers without_states();
  /// `found`: of the agenda's goals in this space.
  Answers on(const StateSpace& space, const GoalState& found);

 private:
  static bool is_settled(const PropertyResult& result);
  static bool needs_truth(const PropertyResult& result);
  void take_what_search_decided();
  void search_locally();
  std::uint64_t local_steps(std::span<const std::size_t> open) const;
  void decide_locally(std::span<const std::size_t> open, std::uint64_t steps, std::uint64_t bytes);
  void label_and_show();
  bool is_condensed() const;
  std::vector<LabelWish> label_wishes() const;
  void label_side_by_side(Operators& operators, Labelling& labels, std::size_t wishes);
  std::unique_ptr<Operators> make_operators_for(const RunLimit& limit);
  void take_test();
  /// work(operators) on the states, as within_limits() does it.
  template <typename Work, typename GiveUp>
  void with_operators(Work&& work, GiveUp&& give_up);
  /// give_up(reason) where all ranks know that work() ran out of memory or into a limit.
  template <typename Work, typename GiveUp>
  void within_limits(Work&& work, GiveUp&& give_up);
  void note_stop(const std::string& reason, int signal);
  /// `operators`: as soon as they are there, they tell what labelling is at.
  ExploreOptions limits_of_labelling(const std::unique_ptr<Operators>& operators) const;
  // keeping.cpp
  StateKeeper* keeper() const { return _options.explore.limits.keeper; }
  bool is_saving() const;
  bool is_break_due() const;
  RunLimit limit_with_breaks(LimitCheck& limit) const;
  /// Whether an earlier run has left answers, and what they are but for the sets.
  bool has_answers() const;
  void take_answers();
  void go_on_with_labels(Operators& operators, Labelling& labels);
  void keep_answers(const LabelsSoFar& labels, const Operators* operators);
  void keep_labels(Operators& operators, const Labelling& labels);
  void add_saved_set(std::size_t i, Operators& operators, Labelling& labels);
  void save_states(const Operators* operators);

  void label_all(Operators& operators, Labelling& labels, std::size_t wishes);
  void decide(std::size_t i, const Operators& operators, Labelling& labels);
  void show(std::size_t i, Operators& operators, Labelling& labels);
  bool can_show(std::size_t i) const;
  void leave_open(const std::string& reason);

  const Net& _net;
  Ranks& _ranks;
  Agenda& _agenda;
  const std::vector<Property>& _properties;
  const CheckOptions& _options;
  std::string _why_incomplete;
  const StateSpace* _space = nullptr;
  GoalState _found;
  std::size_t _path_steps = 0;  // that may have to be done
  // What is under way, for the progress.
  Progress::Phase _phase = Progress::Phase::checking;
  std::size_t _property = 0;
  LabellingStep _making_graph;
  Answers _answers;

  // What is kept in files.
  std::string _search;
  std::optional<LabelsSoFar> _left;  // by an earlier run, until it is gone on with
  std::size_t _next = 0;             // property whose turn it is
  std::uint64_t _known = 0;          // at the last checkpoint, as a number that grows
  bool _is_kept = false, _is_saved = false;
  std::map<std::size_t, StateSet> _sets;  // by property: to be saved
};

}  // namespace dcheck
