// The reference checker itself: labels known by hand, and laws that tie its separate fixed points together.

#include "support/reference_checker.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/random_formula.hpp"
#include "support/token_walk.hpp"

namespace dcheck::test {
namespace {

using Kind = Formula::Kind;
using States = std::vector<bool>;

Formula either(std::uint32_t place, std::uint32_t other) {
  return Formula::of(Kind::disjunction, {token_at(place), token_at(other)});
}

/// State i is the token on place i: 0 -> 1, 1 <-> 2, 1 -> 3, and 3 is dead.
class ReferenceChecker : public testing::Test {
 protected:
  ReferenceChecker() : _net(token_walk(4, {{0, 1}, {1, 2}, {2, 1}, {1, 3}})), _graph(explore_naively(_net)) {}

  States of(Kind kind, std::vector<Formula> children) const {
    return satisfying_states(Formula::of(kind, std::move(children)), _net, _graph);
  }

  Net _net;
  NaiveGraph _graph;
};

TEST_F(ReferenceChecker, LabelsNextByTheSuccessorsAndTreatsADeadStateAsWithoutAny) {
  EXPECT_EQ(of(Kind::ex, {token_at(2)}), (States{0, 1, 0, 0}));
  EXPECT_EQ(of(Kind::ax, {token_at(2)}), (States{0, 0, 0, 1}));
  EXPECT_EQ(of(Kind::ax, {token_at(1)}), (States{1, 0, 1, 1}));
}

TEST_F(ReferenceChecker, LabelsWhatIsReachedOnSomePathOrOnAll) {
  EXPECT_EQ(of(Kind::ef, {token_at(3)}), (States{1, 1, 1, 1}));
  EXPECT_EQ(of(Kind::ef, {token_at(2)}), (States{1, 1, 1, 0}));
  EXPECT_EQ(of(Kind::af, {token_at(1)}), (States{1, 1, 1, 0}));
  EXPECT_EQ(of(Kind::af, {token_at(3)}), (States{0, 0, 0, 1}));  // the loop between 1 and 2 never gets there
  EXPECT_EQ(of(Kind::af, {either(2, 3)}), (States{1, 1, 1, 1}));
}

TEST_F(ReferenceChecker, LabelsWhatStaysOnSomePathOrOnAll) {
  EXPECT_EQ(of(Kind::eg, {either(1, 2)}), (States{0, 1, 1, 0}));
  EXPECT_EQ(of(Kind::eg, {either(1, 3)}), (States{0, 1, 0, 1}));  // a path that ends in a dead state is whole
  EXPECT_EQ(of(Kind::ag, {token_at(3)}), (States{0, 0, 0, 1}));
  EXPECT_EQ(of(Kind::ag, {Formula::of(Kind::negation, {token_at(0)})}), (States{0, 1, 1, 1}));
}

TEST_F(ReferenceChecker, LabelsUntil) {
  EXPECT_EQ(of(Kind::eu, {either(0, 1), token_at(3)}), (States{1, 1, 0, 1}));
  EXPECT_EQ(of(Kind::eu, {token_at(1), token_at(2)}), (States{0, 1, 1, 0}));
  EXPECT_EQ(of(Kind::au, {either(0, 1), either(2, 3)}), (States{1, 1, 1, 1}));
  EXPECT_EQ(of(Kind::au, {either(0, 1), token_at(2)}), (States{0, 0, 1, 0}));
  const Formula always = Formula::atom_of(Expression::of(Expression::Kind::always));
  EXPECT_EQ(of(Kind::au, {always, token_at(1)}), (States{1, 1, 1, 0}));
}

TEST_F(ReferenceChecker, LabelsBooleanCombinationsAlsoWithoutChildren) {
  EXPECT_EQ(of(Kind::conjunction, {}), (States{1, 1, 1, 1}));
  EXPECT_EQ(of(Kind::disjunction, {}), (States{0, 0, 0, 0}));
  EXPECT_EQ(of(Kind::conjunction, {either(0, 1), either(1, 2)}), (States{0, 1, 0, 0}));
}

TEST_F(ReferenceChecker, KnowsTheShortestPathThatShowsAVerdict) {
  const auto shortest = [&](Kind kind, std::vector<Formula> children) {
    return shortest_evidence(Formula::of(kind, std::move(children)), _net, _graph);
  };
  EXPECT_EQ(shortest(Kind::ef, {token_at(3)}), 2U);
  EXPECT_EQ(shortest(Kind::ef, {token_at(0)}), 0U);
  EXPECT_EQ(shortest(Kind::ef, {Formula::of(Kind::conjunction, {token_at(0), token_at(1)})}), std::nullopt);
  EXPECT_EQ(shortest(Kind::eu, {either(0, 1), token_at(2)}), 2U);
  EXPECT_EQ(shortest(Kind::eu, {token_at(1), token_at(2)}), std::nullopt);
  EXPECT_EQ(shortest(Kind::ag, {either(0, 1)}), 2U);
  EXPECT_EQ(shortest(Kind::ag, {Formula::of(Kind::ef, {token_at(1)})}), 2U);
  EXPECT_EQ(shortest(Kind::eg, {token_at(0)}), std::nullopt);
}

TEST_F(ReferenceChecker, KnowsWhichVerdictsHaveAPathAsEvidence) {
  const auto needs = [&](const Formula& f) { return needs_path(f, _net, _graph); };
  const Formula reaches = Formula::of(Kind::ef, {token_at(3)});
  const Formula stays = Formula::of(Kind::ag, {Formula::of(Kind::ef, {token_at(3)})});
  EXPECT_TRUE(needs(reaches));
  EXPECT_FALSE(needs(stays));
  EXPECT_FALSE(needs(token_at(0)));
  EXPECT_TRUE(needs(Formula::of(Kind::negation, {reaches})));
  EXPECT_TRUE(needs(Formula::of(Kind::conjunction, {token_at(0), reaches})));
  EXPECT_FALSE(needs(Formula::of(Kind::disjunction, {token_at(0), reaches})));  // the atom may be shown instead
  EXPECT_TRUE(needs(Formula::of(Kind::disjunction, {token_at(1), reaches})));
}

TEST_F(ReferenceChecker, RefusesAGraphThatWasCut) {
  const NaiveGraph cut = explore_naively(_net, {.states = 2, .tokens = 10});
  EXPECT_THROW(satisfying_states(token_at(0), _net, cut), std::logic_error);
}

Formula no(const Formula& f) {
  return Formula::of(Kind::negation, {f});
}

TEST(ReferenceCheckerLaws, DualOperatorsAreNegationsOfEachOther) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const NaiveGraph graph = explore_naively(net, {300, 50});
    if (!graph.is_complete()) continue;
    Dice dice(seed);
    const Formula f = random_formula(dice, net, 1), g = random_formula(dice, net, 1);
    const auto label = [&](const Formula& formula) { return satisfying_states(formula, net, graph); };
    const auto labels = [&](Kind kind, std::vector<Formula> children) {
      return label(Formula::of(kind, std::move(children)));
    };
    const auto always = Formula::atom_of(Expression::of(Expression::Kind::always));
    const Formula neither = Formula::of(Kind::conjunction, {no(f), no(g)});
    EXPECT_EQ(labels(Kind::ax, {f}), label(no(Formula::of(Kind::ex, {no(f)}))));
    EXPECT_EQ(labels(Kind::ag, {f}), label(no(Formula::of(Kind::ef, {no(f)}))));
    EXPECT_EQ(labels(Kind::eg, {f}), label(no(Formula::of(Kind::af, {no(f)}))));
    EXPECT_EQ(labels(Kind::ef, {f}), labels(Kind::eu, {always, f}));
    EXPECT_EQ(labels(Kind::af, {f}), labels(Kind::au, {always, f}));
    EXPECT_EQ(labels(Kind::au, {f, g}),
              label(no(Formula::of(Kind::disjunction,
                                   {Formula::of(Kind::eu, {no(g), neither}), Formula::of(Kind::eg, {no(g)})}))));
  }
}

void collect_kinds(const Formula& formula, std::set<Kind>& kinds, std::set<Expression::Kind>& atoms) {
  kinds.insert(formula.kind);
  if (formula.kind == Kind::atom) atoms.insert(formula.predicate.kind);
  for (const Formula& child : formula.children) collect_kinds(child, kinds, atoms);
}

TEST(RandomFormula, CoversAllOperatorsAndAtomsAndBothVerdicts) {
  std::set<Kind> kinds;
  std::set<Expression::Kind> atoms;
  std::map<Kind, std::pair<int, int>> verdicts;  // of the top operator: holds, fails
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const Net net = random_net(seed % 100);
    const NaiveGraph graph = explore_naively(net, {200, 50});
    if (!graph.is_complete()) continue;
    Dice dice(seed);
    const Formula formula = random_formula(dice, net, 3);
    collect_kinds(formula, kinds, atoms);
    auto& [holds, fails] = verdicts[formula.kind];
    (satisfying_states(formula, net, graph)[0] ? holds : fails)++;
  }
  EXPECT_EQ(kinds.size(), 12U);
  for (const auto kind : {Expression::Kind::always, Expression::Kind::never, Expression::Kind::fireable,
                          Expression::Kind::deadlock, Expression::Kind::initial, Expression::Kind::less})
    EXPECT_TRUE(atoms.contains(kind)) << static_cast<int>(kind);
  for (const auto& [kind, counts] : verdicts) {
    EXPECT_GT(counts.first, 10) << "operator " << static_cast<int>(kind);
    EXPECT_GT(counts.second, 10) << "operator " << static_cast<int>(kind);
  }
}

TEST(RandomFormula, TheSameSeedGivesTheSameFormula) {
  const Net net = random_net(7);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Dice a(seed), b(seed);
    ASSERT_EQ(random_formula(a, net, 4), random_formula(b, net, 4));
    ASSERT_EQ(random_sum(a, net), random_sum(b, net));
  }
}

}  // namespace
}  // namespace dcheck::test
