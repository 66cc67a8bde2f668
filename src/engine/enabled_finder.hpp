#pragma once
// Finds the transitions that are enabled in a stored key of one lane, without its working form. A tree of marked fields
// wakes those that can be enabled at all; whoever wakes is tested on the stored words, with one of its tests at hand;
// dependent places are computed only when all else holds. Cost: what is marked and woken, not the size of the net.

#include "dcheck/rows/plan.hpp"
#include "dcheck/rows/watch_tree.hpp"

namespace dcheck {

class EnabledFinder {
 public:
  /// The plan must outlive the finder; it says how often places are marked, until learn() knows better.
  explicit EnabledFinder(const Plan& plan);

  /// Orders tests anew: `share` says how often each key place was marked in keys that were met.
  void learn(std::span<const float> share);

  /// visit(transition) for every enabled transition, in any order.
  template <typename Visit>
  void for_each(const std::uint64_t* key, Visit&& visit) {
    _tree.for_each_woken(key, [&](Range run) {
      for (std::uint32_t i = run.begin; i < run.end; ++i) {
        const Sleeper& sleeper = _sleepers[i];
        if ((key[sleeper.test.word] & sleeper.test.mask) != sleeper.test.value) continue;
        if (sleeper.is_all || passes(sleeper.transition, key)) visit(sleeper.transition);
      }
    });
  }

  /// scale * tokens of the place.
  Tokens scaled(Place place, const std::uint64_t* key) const { return scaled(_readings[index(place)], key); }
  Tokens scale(Place place) const { return _readings[index(place)].scale; }

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
  /// The bits of `mask` are those of `value`: bits that must be set, fields that must be empty.
  struct BitTest {
    std::uint64_t mask = 0, value = 0;
    std::uint32_t word = 0;
    float pass = 1;  // how often it passes, about
  };
  /// least <= scale * m(place) <= most.
  struct ValueTest {
    Reading reading;
    Tokens least = 0, most = 0;
    Place place{};
  };
  struct Tests {
    Range bits, values;  // what fails most often for the least work first
    std::int32_t guard = -1;
  };
  /// A transition that sleeps, with one of its bit tests at hand.
  struct Sleeper {
    BitTest test;
    PlanTransition transition{};
    bool is_all = false;  // it was woken, and this test passed: it is enabled
  };

  void make_readings();
  Term term_of(Place key_place, Tokens coefficient) const;
  std::size_t field_of(Place key_place) const;

  void make_tests(const RowTransition& t, Tests& tests);
  bool add_as_bits(Place place, Tokens least, std::vector<BitTest>& bits) const;
  void make_tree();
  Sleeper sleeper_for(PlanTransition transition) const;
  bool passes(PlanTransition transition, const std::uint64_t* key);

  Tokens scaled(const Reading& reading, const std::uint64_t* key) const {
    // Modulo 2^64 on the way; what comes out fits.
    std::uint64_t sum = reading.constant + ((key[reading.word] & reading.mask) >> reading.shift);
    for (std::uint32_t i = reading.terms.begin; i < reading.terms.end; ++i) {
      const Term& term = _terms[i];
      sum += term.coefficient * ((key[term.word] & term.mask) >> term.shift);
    }
    return static_cast<Tokens>(sum);
  }

  const Plan& _plan;
  std::vector<float> _share;       // per place: how often it is marked
  std::vector<Reading> _readings;  // per place
  std::vector<Term> _terms;
  std::vector<BitTest> _bits;
  std::vector<ValueTest> _values;
  std::vector<Tests> _tests;  // as Plan::transitions()
  WatchTree _tree;
  std::vector<Sleeper> _sleepers;  // as WatchTree::sleepers()
  std::vector<std::uint64_t> _working;
};

}  // namespace dcheck
