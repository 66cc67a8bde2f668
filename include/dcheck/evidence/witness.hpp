#pragma once
// Finds the evidence for a verdict: paths and lassos through the explored states. See ctl/evidence.hpp
// for what is shown. Paths of EF and EU are the shortest through the states that were explored.
//
// On several ranks all of them find the same evidence, in step: markings are plain numbers that every rank can work
// with, and what the sets say about them is asked in lists, since every question is a meeting of all ranks.

#include <functional>
#include <map>

#include "dcheck/ctl/evidence.hpp"
#include "dcheck/ctl/truth.hpp"
#include "dcheck/label/labelling.hpp"

namespace dcheck {

class WitnessFinder {
 public:
  /// `truth` tells whether an EF or AG of a predicate holds in the initial marking, where the labels cannot
  /// because not all states were explored. A limit ends the search, as it ends operators. Everything must outlive the
  /// finder.
  WitnessFinder(const Net& net, CorePool& pool, Operators& operators, Labelling& labels,
                std::function<Truth(CoreId)> truth, bool is_complete)
      : _net(net),
        _pool(pool),
        _operators(operators),
        _labels(labels),
        _initial_truth(std::move(truth)),
        _is_complete(is_complete) {}

  /// @pre The formula is known to hold, or to fail, in the initial marking.
  Evidence show(const Formula& formula, bool holds);

 private:
  /// Where a path was, and how it ended.
  struct Walk {
    std::vector<Transition> steps = {};
    std::vector<Marking> markings = {};  // one more than steps
    bool is_lasso = false;
    std::size_t loop = 0;
  };

  Evidence show_at(const Formula& formula, bool holds, const Marking& marking);
  void show_boolean(Evidence& evidence, const Marking& marking);
  void show_step(Evidence& evidence, const Marking& marking);
  void show_path(Evidence& evidence, const Marking& marking);
  void show_stay(Evidence& evidence, const Marking& marking);
  void add_part(Evidence& evidence, std::size_t at, std::size_t child, bool holds, const Marking& marking);
  void add_parts_along(Evidence& evidence, const Walk& walk, std::size_t end, std::size_t child, bool holds);

  Truth truth_at(const Formula& formula, const Marking& marking) { return truths_at(formula, {&marking, 1})[0]; }
  std::vector<Truth> truths_at(const Formula& formula, std::span<const Marking> markings);
  Walk shortest_path(CoreId lasts, CoreId ends, const Marking& from);
  /// Distances that are known for `from`, and how far it is.
  std::pair<const Levels*, std::uint64_t> levels_to(CoreId lasts, CoreId ends, const Marking& from);

  /// Whether a path may go on to a marking, and whether it may end there.
  struct Stay {
    bool stays = false, may_end = false;
  };
  using StayTest = std::function<std::vector<Stay>(std::span<const Marking>)>;
  /// A path that stays where it may until it repeats, is dead, or may end.
  Walk stay(const Marking& from, const StayTest& test);
  std::optional<Walk> search_stay(const Marking& from, const StayTest& test);

  struct Successors {
    std::vector<Transition> steps;
    std::vector<Marking> markings;  // as many
  };
  Successors successors(const Marking& marking);

  const Net& _net;
  CorePool& _pool;
  Operators& _operators;
  Labelling& _labels;
  std::function<Truth(CoreId)> _initial_truth;
  bool _is_complete;
  std::map<std::pair<CoreId, CoreId>, Levels> _levels;
  std::size_t _parts = 0, _expanded = 0;
};

}  // namespace dcheck
