#pragma once
// The engine for one lane and dense rows, above all for keys of more than a word: nets with hundreds of places and few
// tokens. It never makes the working form: enabled transitions are found and fired on the stored key.

#include "engine/drive.hpp"
#include "engine/enabled_finder.hpp"
#include "engine/frontiers.hpp"
#include "engine/goal_watch.hpp"

namespace dcheck {

class DirectEngine {
 public:
  DirectEngine(StateSpace& space, const SearchGoals& goals);
  bool explore(const Interruption& interruption);
  bool handle_rows(std::uint64_t count);

 private:
  /// A place that gets tokens: whether they fit its field, and whether they are a new maximum. Dropped
  /// once the place has met its proven bound.
  struct Rise {
    Place place;
    std::uint64_t gain, most_that_fit;  // of scale * m(place)
    Tokens bound;                       // of m(place); none proven: the largest number there is
  };
  struct Firing {
    Range deltas;
    std::uint32_t rises_begin = 0, rises_count = 0;
    Tokens total_gain = 0;  // what it adds to the scaled total, where the plan has one
    bool adds_tokens = false;
    bool stays = false;
    std::uint32_t bindings = 1;
    std::uint64_t hash_delta = 0;
  };
  void make_total();
  void make_firing(const RowTransition& t, Firing& firing);
  void make_rises(const RowTransition& t, Firing& firing);
  Firing& firing_of(PlanTransition t) { return _firings[index(t)]; }
  const Firing& firing_of(PlanTransition t) const { return _firings[index(t)]; }

  void visit();
  void note_marked();
  void look_at_goals();
  void fire(PlanTransition transition);
  bool rises_fit(Firing& firing);
  void see_total(PlanTransition transition);
  void add_up(PlanTransition transition);
  void park(PlanTransition transition);

  StateSpace& _space;
  const Plan& _plan;
  ExploreState& _state;
  QueueFrontier _rows;
  GoalWatch _goals;
  EnabledFinder _finder;
  std::vector<Rise> _rises;
  std::vector<Firing> _firings;  // as Plan::transitions()
  std::vector<std::uint64_t> _stored;
  std::vector<std::uint64_t> _marked_of_bit;     // per stored bit: in how many of the noted states
  std::uint64_t _noted = 0, _next_lesson = 256;  // states
  std::vector<std::uint64_t> _working;
  std::uint64_t _hash = 0;
  bool _is_alive = false;
  std::vector<std::uint64_t> _total_of_bit;  // per stored bit: what it adds to the scaled total
  Tokens _total = 0, _best_total = 0;        // scaled; of the current state, once it is needed
  bool _knows_total = false;
};

}  // namespace dcheck
