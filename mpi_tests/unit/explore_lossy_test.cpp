// Explorations that keep hashes alone: what they find is true, what they do not find says nothing.

#include <gtest/gtest.h>

#include "dcheck/check/check.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/check_on_ranks.hpp"
#include "support/random_case.hpp"
#include "support/replayer.hpp"

namespace dcheck::test {
namespace {

using Kind = StoreChoice::Kind;

constexpr std::uint64_t ring = 10'000;

/// A counter that goes up to `ring` and stops there, beside one that goes round for ever, of `side` places.
Net long_way_net(Tokens side) {
  NetBuilder build("long way");
  const Place done = build.add_place("done");
  const Place to_do = build.add_place("to_do", ring);
  const Transition step = build.add_transition("step");
  build.add_input(step, to_do, 1);
  build.add_output(step, done, 1);
  for (Tokens i = 0; i < side; ++i) build.add_place("side" + std::to_string(i), i == 0 ? 1 : 0);
  for (Tokens i = 0; i < side; ++i) {
    const Transition round = build.add_transition("round" + std::to_string(i));
    build.add_input(round, static_cast<Place>(2 + i), 1);
    build.add_output(round, static_cast<Place>(2 + (i + 1) % side), 1);
  }
  return build.build();
}

/// EF done >= most.
Property reaches(Tokens most) {
  Property property;
  property.id = "p";
  property.formula =
      Formula::of(Formula::Kind::ef,
                  {Formula::atom_of(Expression::of(Expression::Kind::less_equal,
                                                   {Expression::constant_of(most), Expression::tokens_in(Place{0})}))});
  return property;
}

CheckOptions lossy(Kind kind) {
  CheckOptions options;
  options.explore.store.kind = kind;
  options.explore.store.hash_bits = 64;
  options.explore.store.table_bytes = 1 << 20;
  options.witness = true;
  return options;
}

TEST(ExploreLossy, ALongWayIsFoundReplayedAndShown) {
  const Net net = long_way_net(3);
  for (const Kind kind : {Kind::compaction, Kind::bitstate})
    for (const LaneChoice::Kind lanes : {LaneChoice::Kind::off, LaneChoice::Kind::places}) {
      CheckOptions options = lossy(kind);
      options.explore.lanes.kind = lanes;
      if (lanes == LaneChoice::Kind::places) options.explore.lanes.places = {Place{2}, Place{3}};
      const CheckOutcome outcome = check(net, {reaches(ring)}, options);
      ASSERT_EQ(outcome.properties[0].verdict, Verdict::holds);
      ASSERT_TRUE(outcome.properties[0].witness);
      EXPECT_GE(outcome.properties[0].witness->path.size(), ring);
      EXPECT_EQ(refutes(net, reaches(ring).formula, true, *outcome.properties[0].witness), std::nullopt);
      EXPECT_FALSE(outcome.exploration.complete);
    }
}

TEST(ExploreLossy, WhatIsNotFoundIsUnknownHoweverImprobableItIsThatStatesAreMissing) {
  const Net net = long_way_net(1);
  for (const Kind kind : {Kind::compaction, Kind::bitstate}) {
    CheckOptions options = lossy(kind);
    options.full = true;
    // It never holds, which no bound tells.
    Property property = reaches(0);
    property.formula = Formula::of(
        Formula::Kind::ef,
        {Formula::atom_of(Expression::of(Expression::Kind::equal,
                                         {Expression::of(Expression::Kind::multiply, {Expression::tokens_in(Place{0}),
                                                                                      Expression::tokens_in(Place{1})}),
                                          Expression::constant_of(7)}))});
    const CheckOutcome outcome = check(net, {property}, options);
    EXPECT_EQ(outcome.exploration.states, ring + 1);
    EXPECT_LT(outcome.exploration.omission, 1e-4);
    EXPECT_FALSE(outcome.exploration.complete);
    EXPECT_EQ(outcome.properties[0].verdict, Verdict::unknown);
    EXPECT_FALSE(outcome.properties[0].reason.empty());
  }
}

TEST(ExploreLossy, RanksExploreByThemselvesAndShareWhatTheyFind) {
  const Net net = long_way_net(5);
  for (const Kind kind : {Kind::compaction, Kind::bitstate}) {
    RankChoice ranks;
    ranks.ranks = 3;
    const std::vector<CheckOutcome> outcomes = check_on_ranks(net, {reaches(ring / 2)}, lossy(kind), ranks);
    for (const CheckOutcome& outcome : outcomes) {
      EXPECT_EQ(outcome.properties[0].verdict, Verdict::holds);
      ASSERT_TRUE(outcome.properties[0].witness);
      EXPECT_EQ(refutes(net, reaches(ring / 2).formula, true, *outcome.properties[0].witness), std::nullopt);
      EXPECT_LE(outcome.exploration.states, 5 * (ring + 1));
    }
    for (const RankFigures& rank : outcomes[0].ranks) EXPECT_EQ(rank.traffic.records, 0U);
  }
}

TEST(ExploreLossy, TablesThatAreFarTooSmallGiveNoWrongVerdictAndNoWayThatCannotBeFired) {
  for (const RandomCases::On on : {RandomCases::On::one_rank, RandomCases::On::several_ranks}) {
    RandomCases cases(5'000'001, on, RandomCases::Stores::lossy);
    for (int i = 0; i < 400 && !HasFailure(); ++i) {
      cases.advance();
      for (const std::string& wrong : cases.run()) ADD_FAILURE() << wrong << "\n" << cases.describe();
    }
    EXPECT_GT(cases.tally().verdicts, 200U);
    EXPECT_GT(cases.tally().witnesses, 20U);
    EXPECT_GT(cases.tally().unknown, 50U);
  }
}

}  // namespace
}  // namespace dcheck::test
