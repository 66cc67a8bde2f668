#pragma once
// The engine for one lane and dense rows, above all for keys of more than a word: nets with hundreds of places and few
// tokens. It never makes the working form. Marked fields of the stored key wake the transitions that watch them; a
// woken transition is tested on the stored words; dependent places are computed only when all else holds. Cost of a
// state: its marked places, not the net's.

#include "engine/drive.hpp"
#include "engine/frontiers.hpp"
#include "engine/goal_watch.hpp"

namespace dcheck {

class DirectEngine {
 public:
  DirectEngine(StateSpace& space, const SearchGoals& goals);
  bool explore(const Interruption& interruption);
  bool handle_rows(std::uint64_t count);

 private:
  /// scale * m(place) = constant + field + sum of coefficient * other fields.
  struct Reading {
    std::uint64_t mask = 0;
    std::uint32_t word = 0, shift = 0;
    Range terms;
    std::uint64_t constant = 0;
    Tokens scale = 1;
  };
  struct Term {
    std::uint64_t mask;
    std::uint32_t word, shift;
    std::uint64_t coefficient;
  };
  /// All bits of `mask` are set in the word.
  struct BitTest {
    std::uint64_t mask;
    std::uint32_t word;
  };
  /// least <= scale * m(place) <= most.
  struct ValueTest {
    std::uint32_t place;
    Tokens least, most;
  };
  /// A place that gets tokens: whether they fit its field, and whether they are a new maximum. Dropped
  /// once the place has met its proven bound.
  struct Rise {
    std::uint32_t place;
    std::uint64_t gain, most_that_fit;  // of scale * m(place)
    Tokens bound;                       // of m(place); none proven: the largest number there is
  };
  struct Firing {
    Range bits, values, deltas;
    std::uint32_t rises_begin = 0, rises_count = 0;
    Tokens total_gain = 0;  // what it adds to the scaled total, where the plan has one
    bool adds_tokens = false;
    std::int32_t guard = -1;
    bool stays = false;
    std::uint64_t hash_delta = 0;
  };
  /// A transition that sleeps on a field, with one of its bit tests at hand.
  struct Sleeper {
    std::uint64_t mask = 0;
    std::uint32_t word = 0;
    PlanTransition transition{};
    bool is_all = false;  // the watched field marked and this test passed: it is enabled
  };
  struct WatchedField {
    std::uint64_t mask = 0;
    Range sleepers;
  };

  void make_readings();
  void make_firing(const RowTransition& t, Firing& firing);
  void make_rises(const RowTransition& t, Firing& firing);
  void make_watch();
  Firing& firing_of(PlanTransition t) { return _firings[index(t)]; }
  const Firing& firing_of(PlanTransition t) const { return _firings[index(t)]; }
  void add_test(Place place, Tokens least, Tokens most, std::vector<BitTest>& bits);

  void visit();
  void look_at_goals();
  void fire(PlanTransition transition);
  Sleeper sleeper_for(PlanTransition transition, std::size_t field) const;
  bool is_enabled(const Firing& firing);
  bool rises_fit(Firing& firing);
  void see_total(PlanTransition transition);
  void add_up(PlanTransition transition);
  void park(PlanTransition transition);

  Tokens scaled(const Reading& reading, const std::uint64_t* key) const {
    // Modulo 2^64 on the way; what comes out fits.
    std::uint64_t sum = reading.constant + ((key[reading.word] & reading.mask) >> reading.shift);
    for (std::uint32_t i = reading.terms.begin; i < reading.terms.end; ++i) {
      const Term& term = _terms[i];
      sum += term.coefficient * ((key[term.word] & term.mask) >> term.shift);
    }
    return static_cast<Tokens>(sum);
  }

  StateSpace& _space;
  const Plan& _plan;
  ExploreState& _state;
  QueueFrontier _rows;
  GoalWatch _goals;
  std::vector<Reading> _readings;  // per place
  std::vector<Term> _terms;
  std::vector<BitTest> _bits;
  std::vector<ValueTest> _values;
  std::vector<Rise> _rises;
  std::vector<Firing> _firings;         // as Plan::transitions()
  std::vector<PlanTransition> _always;  // transitions that no field can wake
  std::vector<Sleeper> _sleepers;
  std::vector<WatchedField> _fields;         // per key place
  std::vector<std::uint32_t> _field_of_bit;  // per stored bit
  std::vector<std::uint64_t> _watched_bits;  // per stored word: fields on which something sleeps
  std::vector<std::uint64_t> _stored, _working;
  std::uint64_t _hash = 0;
  bool _is_alive = false;
  std::vector<std::uint64_t> _total_of_bit;  // per stored bit: what it adds to the scaled total
  Tokens _total = 0, _best_total = 0;        // scaled; of the current state, once it is needed
  bool _knows_total = false;
};

}  // namespace dcheck
