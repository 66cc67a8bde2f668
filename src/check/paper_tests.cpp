#include "check/paper_tests.hpp"

#include <stdexcept>
#include <utility>

namespace dcheck {

namespace {

class TestRun {
 public:
  TestRun(PaperTest test, Phases& phases, const StateSet& eating) : _phases(phases), _eating(eating) {
    _result.kind = test;
  }

  TestResult run() {
    if (is_about_eating(_result.kind)) _result.eating_states = _phases.size(_eating);
    StateSet sat = satisfying_states();
    _result.sat_states = _phases.size(sat);
    _phases.give_back(std::move(sat));
    return _result;
  }

 private:
  StateSet satisfying_states() {
    switch (_result.kind) {
      case PaperTest::backward_ex:
        return grown([&](const StateSet& sat) { return _phases.ex(sat); });
      case PaperTest::forward_ex:
        return grown([&](const StateSet& sat) { return _phases.ex_forward(sat); });
      case PaperTest::simple_eu: {
        StateSet sat = states_of(Expression::Kind::initial);
        _result.iterations = _phases.eu_in_steps(_phases.reached(), sat);
        return sat;
      }
      case PaperTest::optimised_eu: {
        StateSet sat = states_of(Expression::Kind::initial);
        _phases.eu(_phases.reached(), sat, std::nullopt);
        note_sweeps();
        return sat;
      }
      case PaperTest::au: {
        StateSet sat = always_eats();
        note_sweeps();
        return sat;
      }
      case PaperTest::ag:
        return live_states();
    }
    throw std::logic_error("a test that does not exist");
  }

  StateSet states_of(Expression::Kind kind) { return _phases.label(Expression::of(kind)); }

  /// From the initial state, sat <- sat + next(sat) until all states are there or nothing was added.
  template <typename Next>
  StateSet grown(Next&& next) {
    StateSet sat = states_of(Expression::Kind::initial);
    const std::uint64_t all = _phases.size(_phases.reached());
    _result.iterations = 0;
    for (std::uint64_t size = _phases.size(sat), before = 0; size != all && size != before; ++*_result.iterations) {
      StateSet more = next(sat);
      more.add(sat);
      std::swap(sat, more);
      _phases.give_back(std::move(more));
      before = std::exchange(size, _phases.size(sat));
    }
    return sat;
  }

  /// A[true U eating].
  StateSet always_eats() {
    StateSet sat = _phases.copy_of(_eating);
    _phases.au(_phases.reached(), sat, std::nullopt);
    return sat;
  }

  /// AG (!deadlock -> AF eating), as what cannot reach a state where that is wrong.
  StateSet live_states() {
    StateSet sat = always_eats();
    StateSet dead = states_of(Expression::Kind::deadlock);
    sat.add(dead);
    _phases.give_back(std::move(dead));
    sat.complement(_phases.reached());
    _phases.eu(_phases.reached(), sat, std::nullopt);
    sat.complement(_phases.reached());
    return sat;
  }

  /// Of the rank that has swept its rows most often.
  void note_sweeps() {
    if (const auto sweeps = _phases.sweeps()) _result.iterations = _phases.ranks().max(*sweeps);
  }

  Phases& _phases;
  const StateSet& _eating;
  TestResult _result;
};

}  // namespace

TestResult run_test(PaperTest test, Phases& phases, const StateSet& eating) {
  return TestRun(test, phases, eating).run();
}

}  // namespace dcheck
