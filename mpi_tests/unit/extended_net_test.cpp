// Capacities, priorities, read and reset arcs, weights that depend on the marking, immediate transitions: random nets
// with them have the states and arcs after the translation that a search by their definition finds.

#include "parse/extended/extended_net.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "dcheck/base/error.hpp"
#include "parse/extended/translate.hpp"
#include "support/naive_explorer.hpp"
#include "support/net_text.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

using parse::ExtendedNet;
using parse::ExtendedTransition;
using Marking = std::vector<Tokens>;

constexpr std::size_t most_states = 3'000;

/// The definition of extended_net.hpp, one marking at a time.
class Definition {
 public:
  explicit Definition(const ExtendedNet& net) : _net(net) {}

  struct Result {
    std::set<Marking> states;
    std::set<std::tuple<Marking, std::size_t, Marking>> arcs;
    bool is_complete = true;
    bool is_odd = false;  // several markings to begin with, or immediate transitions without end
  };

  Result explore() {
    Marking initial;
    for (const auto& place : _net.places) initial.push_back(place.initial);
    std::deque<Marking> open;
    const auto reach = [&](const Marking& marking) {
      if (_result.states.insert(marking).second) open.push_back(marking);
    };
    const std::set<Marking> first = settled(initial);
    if (first.size() != 1) _result.is_odd = true;
    for (const Marking& marking : first) reach(marking);
    while (!open.empty() && _result.states.size() <= most_states && !_result.is_odd) {
      const Marking marking = open.front();
      open.pop_front();
      for (const std::size_t t : enabled(marking)) {
        for (const Marking& next : settled(fired(t, marking))) {
          _result.arcs.emplace(marking, t, next);
          reach(next);
        }
      }
    }
    _result.is_complete = open.empty();
    return _result;
  }

 private:
  static Tokens weight_of(const parse::VariableArc& arc, const Marking& marking) {
    for (const auto& [condition, weight] : arc.cases)
      if (holds_naively(condition, Net(), marking)) return value_naively(weight, marking);
    return 0;
  }

  bool is_enabled_alone(std::size_t t, const Marking& marking) const {
    const ExtendedTransition& transition = _net.transitions[t];
    const Marking taken = arcs_of(transition.inputs, transition.variable_inputs, marking);
    for (std::size_t p = 0; p < marking.size(); ++p)
      if (taken[p] > marking[p]) return false;
    for (const Arc& arc : transition.tests)
      if (marking[index(arc.place)] < arc.weight) return false;
    for (const Arc& arc : transition.inhibitors)
      if (marking[index(arc.place)] >= arc.weight) return false;
    for (const auto& arc : transition.variable_inhibitors) {
      const Tokens weight = weight_of(arc, marking);
      if (weight > 0 && marking[index(arc.place)] >= weight) return false;
    }
    for (const Expression& guard : transition.guards)
      if (!holds_naively(guard, Net(), marking)) return false;
    if (_net.goes_on && !holds_naively(*_net.goes_on, Net(), marking)) return false;
    const Marking next = fired(t, marking);
    for (std::size_t p = 0; p < marking.size(); ++p)
      if (_net.places[p].capacity && next[p] > *_net.places[p].capacity && next[p] > marking[p]) return false;
    return true;
  }

  static Marking arcs_of(const std::vector<Arc>& arcs, const std::vector<parse::VariableArc>& variable,
                         const Marking& marking) {
    Marking sums(marking.size());
    for (const Arc& arc : arcs) sums[index(arc.place)] += arc.weight;
    for (const auto& arc : variable) sums[index(arc.place)] += weight_of(arc, marking);
    return sums;
  }

  Marking fired(std::size_t t, const Marking& marking) const {
    const ExtendedTransition& transition = _net.transitions[t];
    const Marking taken = arcs_of(transition.inputs, transition.variable_inputs, marking);
    const Marking put = arcs_of(transition.outputs, transition.variable_outputs, marking);
    Marking next = marking;
    for (std::size_t p = 0; p < next.size(); ++p) next[p] += put[p] - taken[p];
    return next;
  }

  bool precedes(std::size_t a, std::size_t b) const {
    const auto level = [&](std::size_t t) {
      return std::pair(_net.transitions[t].is_immediate, _net.transitions[t].priority);
    };
    if (level(a) > level(b)) return true;
    for (const auto& [first, second] : _net.precedes)
      if (index(first) == a && index(second) == b) return true;
    return false;
  }

  std::vector<std::size_t> enabled(const Marking& marking) const {
    std::vector<std::size_t> alone, result;
    for (std::size_t t = 0; t < _net.transitions.size(); ++t)
      if (is_enabled_alone(t, marking)) alone.push_back(t);
    for (const std::size_t t : alone)
      if (std::ranges::none_of(alone, [&](std::size_t other) { return precedes(other, t); })) result.push_back(t);
    return result;
  }

  /// What is reached by immediate transitions, as far as they fire.
  std::set<Marking> settled(const Marking& marking) {
    if (!_net.is_without_vanishing) return {marking};
    std::set<Marking> result, open;
    settle(marking, open, result);
    return result;
  }

  void settle(const Marking& marking, std::set<Marking>& above, std::set<Marking>& result) {
    const std::vector<std::size_t> next = enabled(marking);
    if (next.empty() || !_net.transitions[next.front()].is_immediate) {
      result.insert(marking);
      return;
    }
    if (!above.insert(marking).second || above.size() > 200) {
      _result.is_odd = true;
      return;
    }
    for (const std::size_t t : next)
      if (!_result.is_odd) settle(fired(t, marking), above, result);
    above.erase(marking);
  }

  const ExtendedNet& _net;
  Result _result;
};

/// A net in which tokens move along with some that are made and some that go, so that many have bounds.
class RandomExtendedNet {
 public:
  explicit RandomExtendedNet(std::uint64_t seed) : _dice(seed) {}

  ExtendedNet made(bool has_immediate, bool has_variable) {
    _net.name = "random";
    const std::int64_t places = _dice.between(2, 5);
    for (std::int64_t p = 0; p < places; ++p) {
      const Place place = _net.add_place("p" + std::to_string(p));
      _net[place].initial = _dice.between(0, 3);
      if (_dice.one_in(6)) _net[place].capacity = _net[place].initial + _dice.between(0, 2);
    }
    const std::int64_t transitions = _dice.between(2, 6);
    for (std::int64_t t = 0; t < transitions; ++t) add_transition(t, has_immediate, has_variable);
    if (_dice.one_in(8)) _net.goes_on = random_predicate(_dice, _net.places.size(), 1);
    _net.is_without_vanishing = has_immediate && !_dice.one_in(4);
    if (!has_immediate && _dice.one_in(3) && transitions > 2) {
      _net.precedes.emplace_back(Transition{0}, Transition{1});
      _net.precedes.emplace_back(Transition{1}, Transition{2});
      _net.precedes.emplace_back(Transition{0}, Transition{2});  // the definition above takes pairs as they are
    }
    return _net;
  }

 private:
  Place some_place() {
    return Place{static_cast<std::uint32_t>(_dice.between(0, static_cast<Tokens>(_net.places.size()) - 1))};
  }

  void add_transition(std::int64_t number, bool has_immediate, bool has_variable) {
    const Transition id = _net.add_transition("t" + std::to_string(number), 0);
    ExtendedTransition& t = _net[id];
    t.is_immediate = has_immediate && _dice.one_in(2);
    t.priority = _dice.one_in(2) ? 0 : _dice.between(0, 2);
    const std::int64_t moved = _dice.between(1, 2);
    for (std::int64_t i = 0; i < moved; ++i) {
      t.inputs.push_back({some_place(), 1});
      t.outputs.push_back({some_place(), 1});
    }
    if (_dice.one_in(6)) t.outputs.clear();
    if (_dice.one_in(5)) t.tests.push_back({some_place(), _dice.between(1, 2)});
    if (_dice.one_in(5)) t.inhibitors.push_back({some_place(), _dice.between(1, 3)});
    if (_dice.one_in(6)) t.guards.push_back(random_predicate(_dice, _net.places.size(), 1));
    if (has_variable && _dice.one_in(2)) add_variable_arcs(t);
  }

  void add_variable_arcs(ExtendedTransition& t) {
    const Place from = some_place();
    Expression all = Expression::tokens_in(from);
    std::vector<parse::WeightCase> cases{{Expression::of(Expression::Kind::always), all}};
    if (_dice.one_in(2)) {
      const Expression many = Expression::of(Expression::Kind::less, {Expression::constant_of(1), all});
      cases = {{many, Expression::of(Expression::Kind::subtract, {all, Expression::constant_of(1)})},
               {Expression::of(Expression::Kind::negation, {many}), Expression::constant_of(_dice.between(0, 1))}};
    }
    t.variable_inputs.push_back({from, cases, 0});
    if (_dice.one_in(2)) t.variable_outputs.push_back({some_place(), cases, 0});
    if (_dice.one_in(4)) t.variable_inhibitors.push_back({some_place(), cases, 0});
  }

  Dice _dice;
  ExtendedNet _net;
};

void compare(std::uint64_t seed, bool has_immediate, bool has_variable, std::size_t& compared) {
  const ExtendedNet net = RandomExtendedNet(seed).made(has_immediate, has_variable);
  const Definition::Result expected = Definition(net).explore();
  const parse::SourceText source("", "random");
  try {
    const parse::Translation translation = translated(net, source);
    if (expected.is_odd || !expected.is_complete) return;
    const NaiveGraph graph = explore_naively(translation.net, {.states = most_states + 1});
    ++compared;
    EXPECT_EQ(std::set<Marking>(graph.markings.begin(), graph.markings.end()), expected.states)
        << "seed " << seed << "\n"
        << text_of(translation.net);
    EXPECT_EQ(graph.arcs, expected.arcs.size()) << "seed " << seed;
    std::map<Transition, std::size_t> origin;
    for (std::size_t t = 0; t < translation.became.size(); ++t)
      for (const Transition became : translation.became[t]) origin[became] = t;
    std::set<std::tuple<Marking, std::size_t, Marking>> arcs;
    for (std::size_t state = 0; state < graph.states(); ++state)
      for (const NaiveArc& arc : graph.successors[state])
        arcs.emplace(graph.markings[state], origin.at(arc.transition), graph.markings[arc.target]);
    EXPECT_EQ(arcs, expected.arcs) << "seed " << seed;
  } catch (const InputError& error) {
    // A refusal is no wrong answer; it says why.
    EXPECT_TRUE(std::string(error.what()).starts_with("random:1:1: ")) << error.what();
  }
}

TEST(ExtendedNet, WithPrioritiesAndCapacitiesHasTheStatesOfItsDefinition) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) compare(seed, false, false, compared);
  EXPECT_GT(compared, 500U);
}

TEST(ExtendedNet, WithVariableArcsHasTheStatesOfItsDefinition) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) compare(seed, false, true, compared);
  EXPECT_GT(compared, 150U);
}

TEST(ExtendedNet, WithImmediateTransitionsHasTheStatesOfItsDefinition) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) compare(seed, true, seed % 3 == 0, compared);
  EXPECT_GT(compared, 300U);
}

}  // namespace
}  // namespace dcheck::test
