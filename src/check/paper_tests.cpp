#include "check/paper_tests.hpp"

#include <stdexcept>
#include <utility>

namespace dcheck {

namespace {

class TestRun {
 public:
  TestRun(PaperTest test, Operators& operators, const StateSet& eating) : _operators(operators), _eating(eating) {
    _result.kind = test;
  }

  TestResult result() {
    if (is_about_eating(_result.kind)) _result.eating_states = _operators.size(_eating);
    StateSet sat = satisfying_states();
    _result.sat_states = _operators.size(sat);
    _operators.give_back(std::move(sat));
    return _result;
  }

 private:
  StateSet satisfying_states() {
    switch (_result.kind) {
      case PaperTest::backward_ex:
        return grown([&](const StateSet& sat) { return _operators.ex(sat); });
      case PaperTest::forward_ex:
        return grown([&](const StateSet& sat) { return _operators.ex_forward(sat); });
      case PaperTest::simple_eu: {
        StateSet sat = states_of(Expression::Kind::initial);
        _result.iterations = _operators.eu_in_steps(_operators.reached(), sat);
        return sat;
      }
      case PaperTest::optimised_eu: {
        StateSet sat = states_of(Expression::Kind::initial);
        _operators.eu(_operators.reached(), sat, std::nullopt);
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

  StateSet states_of(Expression::Kind kind) { return _operators.label(Expression::of(kind)); }

  /// From the initial state, sat <- sat + next(sat) until all states are there or nothing was added.
  template <typename Next>
  StateSet grown(Next&& next) {
    StateSet sat = states_of(Expression::Kind::initial);
    const std::uint64_t all = _operators.size(_operators.reached());
    _result.iterations = 0;
    for (std::uint64_t size = _operators.size(sat), before = 0; size != all && size != before; ++*_result.iterations) {
      StateSet more = next(sat);
      more.add(sat);
      std::swap(sat, more);
      _operators.give_back(std::move(more));
      before = std::exchange(size, _operators.size(sat));
    }
    return sat;
  }

  /// A[true U eating].
  StateSet always_eats() {
    StateSet sat = _operators.copy_of(_eating);
    _operators.au(_operators.reached(), sat, std::nullopt);
    return sat;
  }

  /// AG (!deadlock -> AF eating), as what cannot reach a state where that is wrong.
  StateSet live_states() {
    StateSet sat = always_eats();
    StateSet dead = states_of(Expression::Kind::deadlock);
    sat.add(dead);
    _operators.give_back(std::move(dead));
    sat.complement(_operators.reached());
    _operators.eu(_operators.reached(), sat, std::nullopt);
    sat.complement(_operators.reached());
    return sat;
  }

  /// Of the rank that has swept its rows most often.
  void note_sweeps() {
    if (const auto sweeps = _operators.sweeps()) _result.iterations = _operators.ranks().max(*sweeps);
  }

  Operators& _operators;
  const StateSet& _eating;
  TestResult _result;
};

}  // namespace

TestResult test_result(PaperTest test, Operators& operators, const StateSet& eating) {
  return TestRun(test, operators, eating).result();
}

}  // namespace dcheck
