// The replayer itself: evidence made by hand is accepted, and every way to spoil it is refused.

#include "support/replayer.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "support/token_walk.hpp"

namespace dcheck::test {
namespace {

using Kind = Formula::Kind;
using Steps = std::vector<std::uint32_t>;
using Parts = std::vector<EvidencePart>;

Evidence evidence_of(const Formula& claim, bool holds, Evidence::Kind kind, const Steps& steps = {}, Parts parts = {}) {
  Evidence evidence{.claim = claim, .holds = holds, .kind = kind, .parts = std::move(parts)};
  for (const std::uint32_t t : steps) evidence.path.push_back(Transition{t});
  return evidence;
}

Evidence marking(const Formula& claim, bool holds) {
  return evidence_of(claim, holds, Evidence::Kind::marking);
}

Evidence path(const Formula& claim, bool holds, const Steps& steps, Parts parts = {}) {
  return evidence_of(claim, holds, Evidence::Kind::path, steps, std::move(parts));
}

Evidence lasso(const Formula& claim, bool holds, const Steps& steps, std::size_t loop, Parts parts = {}) {
  Evidence evidence = evidence_of(claim, holds, Evidence::Kind::lasso, steps, std::move(parts));
  evidence.loop = loop;
  return evidence;
}

Evidence parts_of(const Formula& claim, bool holds, Parts parts) {
  return evidence_of(claim, holds, Evidence::Kind::parts, {}, std::move(parts));
}

Evidence all_paths(const Formula& claim, bool holds) {
  return evidence_of(claim, holds, Evidence::Kind::all_paths);
}

Formula either(std::uint32_t place, std::uint32_t other) {
  return disjunction_of({token_at(place), token_at(other)});
}

Formula no(const Formula& f) {
  return Formula::of(Kind::negation, {f});
}

/// 0 -> 1 by t0, 1 -> 2 by t1, 2 -> 1 by t2, 1 -> 3 by t3; place 3 is dead.
class ReplayerTest : public testing::Test {
 protected:
  ReplayerTest() : _net(token_walk(4, {{0, 1}, {1, 2}, {2, 1}, {1, 3}})), _graph(explore_naively(_net)) {}

  /// Accepted as it is, with and without the graph; refused as another verdict, for another formula, and as soon as
  /// one of the general mutations is made.
  void expect_accepted(const Evidence& good) const {
    EXPECT_EQ(refutes(_net, good.claim, good.holds, good), std::nullopt);
    EXPECT_EQ(refutes(_net, good.claim, good.holds, good, &_graph), std::nullopt);
    EXPECT_NE(refutes(_net, good.claim, !good.holds, good), std::nullopt);
    EXPECT_NE(refutes(_net, Formula::of(Kind::negation, {good.claim}), !good.holds, good), std::nullopt);
    expect_refused_once_changed(good);
  }

  void expect_refused(const Evidence& bad, const std::string& because) const {
    const auto reason = refutes(_net, bad.claim, bad.holds, bad);
    ASSERT_NE(reason, std::nullopt) << "expected: " << because;
    EXPECT_NE(reason->find(because), std::string::npos) << *reason << "\nexpected: " << because;
    EXPECT_EQ(reason->find('\n'), std::string::npos);
  }

  void expect_refused_once_changed(const Evidence& good) const {
    const auto refused = [&](const char* what, const std::function<void(Evidence&)>& change) {
      Evidence bad = good;
      change(bad);
      EXPECT_NE(refutes(_net, good.claim, good.holds, bad), std::nullopt) << what;
    };
    refused("other claim", [](Evidence& e) { e.claim = no(e.claim); });
    refused("other verdict", [](Evidence& e) { e.holds = !e.holds; });
    for (const auto kind : {Evidence::Kind::marking, Evidence::Kind::parts, Evidence::Kind::path, Evidence::Kind::lasso,
                            Evidence::Kind::all_paths}) {
      if (kind != good.kind) refused("other kind", [&](Evidence& e) { e.kind = kind; });
    }
    refused("a step that does not exist", [](Evidence& e) { e.path.push_back(Transition{99}); });
    for (std::size_t step = 0; step < good.path.size(); ++step) {
      for (std::uint32_t t = 0; t < 4; ++t) {
        if (Transition{t} != good.path[step])
          refused("other transition", [&](Evidence& e) { e.path[step] = Transition{t}; });
      }
    }
    if (!good.path.empty()) refused("truncated", [](Evidence& e) { e.path.pop_back(); });
    for (std::size_t loop = 0; loop < 5; ++loop) {
      if (loop != good.loop) refused("other loop", [&](Evidence& e) { e.loop = loop; });
    }
    for (std::size_t i = 0; i < good.parts.size(); ++i) {
      refused("missing part", [&](Evidence& e) { e.parts.erase(e.parts.begin() + static_cast<std::ptrdiff_t>(i)); });
      refused("part twice", [&](Evidence& e) { e.parts.push_back(e.parts[i]); });
      refused("part at another position", [&](Evidence& e) { ++e.parts[i].at; });
      refused("part far out", [&](Evidence& e) { e.parts[i].at = 1'000'000; });
      refused("part for no child", [&](Evidence& e) { e.parts[i].child = 7; });
      refused("part of another verdict", [&](Evidence& e) { e.parts[i].evidence.holds ^= true; });
      refused("part of another claim",
              [&](Evidence& e) { e.parts[i].evidence.claim = no(no(e.parts[i].evidence.claim)); });
    }
  }

  Net _net;
  NaiveGraph _graph;
};

TEST_F(ReplayerTest, AnAtomIsEvaluatedInTheMarking) {
  expect_accepted(marking(token_at(0), true));
  expect_accepted(marking(token_at(1), false));
  expect_refused(marking(token_at(0), false), "the atom holds");
  expect_refused(marking(token_at(1), true), "the atom fails");
}

TEST_F(ReplayerTest, BooleanCombinationsNeedThePartsThatDecide) {
  const Formula both = Formula::of(Kind::conjunction, {token_at(0), no(token_at(1))});
  const Evidence not_at_1 = parts_of(no(token_at(1)), true, {{0, 0, marking(token_at(1), false)}});
  expect_accepted(not_at_1);
  expect_accepted(parts_of(both, true, {{0, 0, marking(token_at(0), true)}, {0, 1, not_at_1}}));
  const Formula neither = Formula::of(Kind::conjunction, {token_at(0), token_at(1), token_at(2)});
  expect_accepted(parts_of(neither, false, {{0, 2, marking(token_at(2), false)}}));
  expect_refused(parts_of(neither, false, {{0, 0, marking(token_at(0), false)}}), "the atom holds");
  expect_refused(parts_of(neither, false, {{0, 1, marking(token_at(1), false)}, {0, 2, marking(token_at(2), false)}}),
                 "one part");
  const Formula some = Formula::of(Kind::disjunction, {token_at(3), token_at(0)});
  expect_accepted(parts_of(some, true, {{0, 1, marking(token_at(0), true)}}));
  expect_refused(parts_of(some, true, {{0, 0, marking(token_at(3), true)}}), "the atom fails");
  expect_accepted(parts_of(Formula::of(Kind::conjunction, {}), true, {}));
  expect_refused(parts_of(Formula::of(Kind::disjunction, {}), true, {}), "one part");
}

TEST_F(ReplayerTest, NextIsOneStep) {
  expect_accepted(path(Formula::of(Kind::ex, {token_at(1)}), true, {0}, {{1, 0, marking(token_at(1), true)}}));
  expect_accepted(path(Formula::of(Kind::ax, {token_at(2)}), false, {0}, {{1, 0, marking(token_at(2), false)}}));
  const Formula next_2 = Formula::of(Kind::ex, {token_at(2)});
  expect_refused(path(next_2, true, {0, 1}, {{2, 0, marking(token_at(2), true)}}), "one step");
  expect_refused(path(next_2, true, {0}, {{1, 0, marking(token_at(2), true)}}), "the atom fails");
  expect_refused(path(next_2, true, {1}, {{1, 0, marking(token_at(2), true)}}), "t1, which is not enabled");
}

TEST_F(ReplayerTest, AReachedStateNeedsItsPartAtTheEnd) {
  const Formula reach_3 = Formula::of(Kind::ef, {token_at(3)});
  expect_accepted(path(reach_3, true, {0, 3}, {{2, 0, marking(token_at(3), true)}}));
  expect_accepted(path(reach_3, true, {0, 1, 2, 3}, {{4, 0, marking(token_at(3), true)}}));
  expect_refused(path(reach_3, true, {0, 1}, {{2, 0, marking(token_at(3), true)}}), "the atom fails");
  expect_refused(path(reach_3, true, {0, 3}), "a part is missing");
  expect_refused(lasso(reach_3, true, {0, 1, 2}, 1, {{3, 0, marking(token_at(3), true)}}), "should be a path");
  expect_accepted(path(Formula::of(Kind::ef, {token_at(0)}), true, {}, {{0, 0, marking(token_at(0), true)}}));
  const Formula not_3 = negation_of(token_at(3));
  const Formula stays = Formula::of(Kind::ag, {not_3});
  expect_accepted(path(stays, false, {0, 3}, {{2, 0, marking(not_3, false)}}));
  expect_refused(path(stays, false, {0, 1}, {{2, 0, marking(not_3, false)}}), "the atom holds");
}

TEST_F(ReplayerTest, AnUntilHoldsAlongTheWholePath) {
  const Formula until = Formula::of(Kind::eu, {either(0, 1), token_at(3)});
  expect_accepted(path(until, true, {0, 3}, {{2, 1, marking(token_at(3), true)}}));
  expect_refused(path(until, true, {0, 1, 2, 3}, {{4, 1, marking(token_at(3), true)}}),
                 "position 2, child 0: the atom");
  expect_refused(path(until, true, {0, 3}), "a part is missing");
  expect_refused(path(until, true, {0, 3}, {{2, 1, marking(token_at(3), true)}, {2, 0, marking(either(0, 1), true)}}),
                 "nothing is asked for");

  const Formula leads = Formula::of(Kind::ex, {token_at(1)});
  const Formula nested = Formula::of(Kind::eu, {leads, token_at(1)});
  const Evidence step = path(leads, true, {0}, {{1, 0, marking(token_at(1), true)}});
  const Evidence good = path(nested, true, {0}, {{0, 0, step}, {1, 1, marking(token_at(1), true)}});
  expect_accepted(good);
  Evidence left_out = path(nested, true, {0}, {{1, 1, marking(token_at(1), true)}});
  expect_refused(left_out, "1 parts are missing");
  left_out.parts_left_out = 1;
  EXPECT_EQ(refutes(_net, nested, true, left_out), std::nullopt);
  EXPECT_EQ(refutes(_net, nested, true, left_out, &_graph), std::nullopt);
  Evidence without_end = path(nested, true, {0}, {{0, 0, step}});
  without_end.parts_left_out = 1;
  expect_refused(without_end, "position 1, child 1: a part is missing");
}

TEST_F(ReplayerTest, WhatStaysIsALassoOrEndsInADeadlock) {
  const Formula not_3 = negation_of(token_at(3));
  const Formula stays = Formula::of(Kind::eg, {not_3});
  expect_accepted(lasso(stays, true, {0, 1, 2}, 1));
  expect_refused(lasso(stays, true, {0, 1, 2}, 0), "does not close");
  expect_refused(lasso(stays, true, {0, 1, 2}, 3), "no step in its loop");
  expect_refused(path(stays, true, {0, 1, 2}), "ends where");
  expect_refused(path(stays, true, {0, 3}), "position 2, child 0: the atom fails");
  const Formula never_2 = Formula::of(Kind::af, {token_at(2)});
  expect_accepted(path(never_2, false, {0, 3}));
  expect_refused(lasso(never_2, false, {0, 1, 2}, 1), "the atom holds");
  expect_refused(path(never_2, false, {0}), "ends where");
}

TEST_F(ReplayerTest, WhatStaysAndIsNoAtomNeedsAPartAtEveryPosition) {
  const Formula f = no(token_at(3));
  const Formula stays = Formula::of(Kind::eg, {f});
  const auto part = [&](std::size_t at) {
    return EvidencePart{at, 0, parts_of(f, true, {{0, 0, marking(token_at(3), false)}})};
  };
  expect_accepted(lasso(stays, true, {0, 1, 2}, 1, {part(0), part(1), part(2)}));
  EXPECT_EQ(refutes(_net, stays, true, lasso(stays, true, {0, 1, 2}, 1, {part(0), part(1), part(2), part(3)})),
            std::nullopt);
  const Formula never = Formula::of(Kind::af, {f});
  expect_refused(path(never, false, {0, 3}, {}), "position 2, child 0: a part is missing");
}

TEST_F(ReplayerTest, AFailingUntilOnAllPathsEndsOrNeverComes) {
  const Formula breaks = Formula::of(Kind::au, {token_at(0), token_at(3)});
  const Parts both{{1, 0, marking(token_at(0), false)}, {1, 1, marking(token_at(3), false)}};
  expect_accepted(path(breaks, false, {0}, both));
  expect_refused(path(breaks, false, {0}, {both[0]}), "position 1, child 1: a part is missing");
  expect_refused(path(breaks, false, {0}, {both[1]}), "ends where");
  expect_refused(path(breaks, false, {}, {{0, 0, marking(token_at(0), false)}, {0, 1, marking(token_at(3), false)}}),
                 "the atom holds");
  const Formula always = Formula::atom_of(Expression::of(Expression::Kind::always));
  const Formula never_3 = Formula::of(Kind::au, {always, token_at(3)});
  expect_accepted(lasso(never_3, false, {0, 1, 2}, 1));
  expect_refused(path(never_3, false, {0, 3}), "the atom holds");
  const Formula never_2 = Formula::of(Kind::au, {always, token_at(2)});
  expect_accepted(path(never_2, false, {0, 3}));
  expect_refused(lasso(never_2, false, {0, 1, 2}, 1), "position 2, child 1: the atom holds");

  const Formula g = no(no(token_at(2)));
  const Formula nested = Formula::of(Kind::au, {always, g});
  const auto part = [&](std::size_t at) {
    const Evidence inner = parts_of(no(token_at(2)), true, {{0, 0, marking(token_at(2), false)}});
    return EvidencePart{at, 1, parts_of(g, false, {{0, 0, inner}})};
  };
  expect_accepted(path(nested, false, {0, 3}, {part(0), part(1), part(2)}));
}

TEST_F(ReplayerTest, NestedPathsStartWhereTheyStand) {
  const Formula dies = Formula::of(Kind::ex, {Formula::atom_of(Expression::of(Expression::Kind::deadlock))});
  const Formula may_die = Formula::of(Kind::ef, {dies});
  const Evidence inner = path(dies, true, {3}, {{1, 0, marking(dies.children[0], true)}});
  expect_accepted(path(may_die, true, {0}, {{1, 0, inner}}));
  expect_refused(path(may_die, true, {0, 1}, {{2, 0, inner}}), "position 2, child 0: step 0 fires t3");
}

TEST_F(ReplayerTest, StatementsAboutAllPathsAreBelievedOnlyWithoutAGraph) {
  const Formula reach_0 = Formula::of(Kind::ef, {token_at(0)});
  const Formula home = Formula::of(Kind::ag, {reach_0});
  expect_accepted(path(home, false, {0}, {{1, 0, all_paths(reach_0, false)}}));
  const Evidence lie = path(home, false, {}, {{0, 0, all_paths(reach_0, false)}});
  EXPECT_EQ(refutes(_net, home, false, lie), std::nullopt);
  EXPECT_EQ(refutes(_net, home, false, lie, &_graph), "position 0, child 0: EF holds here, says the reference");
  expect_refused(all_paths(reach_0, true), "a path or a lasso");
  expect_refused(path(reach_0, false, {}), "nothing to show");

  const Formula nested = Formula::of(Kind::eg, {Formula::of(Kind::ef, {token_at(2)})});
  Evidence left_out = path(nested, true, {0, 3}, {{2, 0, all_paths(nested.children[0], true)}});
  left_out.parts_left_out = 9;
  EXPECT_NE(refutes(_net, nested, true, left_out, &_graph), std::nullopt);
}

TEST_F(ReplayerTest, AnUpperBoundIsReachedAtTheEndOfThePath) {
  const Expression sum =
      Expression::of(Expression::Kind::add, {Expression::tokens_in(Place{2}), Expression::tokens_in(Place{3})});
  const Formula any = token_at(0);
  EXPECT_EQ(refutes_bound(_net, sum, 1, path(any, true, {0, 1})), std::nullopt);
  EXPECT_EQ(refutes_bound(_net, sum, 1, path(any, true, {0})), "the path leads to 0, not to 1");
  EXPECT_NE(refutes_bound(_net, sum, 1, path(any, true, {0, 2})), std::nullopt);
  EXPECT_NE(refutes_bound(_net, sum, 2, path(any, true, {0, 1})), std::nullopt);
  EXPECT_NE(refutes_bound(_net, sum, 1, lasso(any, true, {0, 1}, 0)), std::nullopt);
}

}  // namespace
}  // namespace dcheck::test
