// Paper five's six tests through check(): the same numbers on any number of ranks, with and without lanes.

#include <gtest/gtest.h>

#include <algorithm>

#include "dcheck/parse/model.hpp"
#include "support/check_on_ranks.hpp"
#include "support/naive_explorer.hpp"
#include "support/paths.hpp"
#include "support/random_case.hpp"
#include "support/reference_checker.hpp"

namespace dcheck::test {
namespace {

constexpr LaneChoice::Kind with_and_without_lanes[] = {LaneChoice::Kind::off, LaneChoice::Kind::automatic};

Model model_of(const std::string& name, int n) {
  return read_model(source_dir() + "/models/" + name + ".spn", {{"N", std::to_string(n)}});
}

TestChoice choice_of(PaperTest test, const Model& model) {
  TestChoice choice{test};
  for (const Definition& definition : model.definitions)
    if (definition.name == "eating") choice.eating = definition.formula;
  return choice;
}

/// Of rank 0; all ranks must have the same test.
CheckOutcome outcome_of(const Net& net, const CheckOptions& options, const RankChoice& choice) {
  std::vector<CheckOutcome> outcomes = check_on_ranks(net, {}, options, choice);
  for (const CheckOutcome& outcome : outcomes) {
    EXPECT_EQ(outcome.test->sat_states, outcomes[0].test->sat_states);
    EXPECT_EQ(outcome.test->iterations, outcomes[0].test->iterations);
  }
  return std::move(outcomes[0]);
}
TestResult run(const Net& net, const CheckOptions& options, const RankChoice& choice) {
  return outcome_of(net, options, choice).test.value();
}

struct Expected {
  PaperTest test;
  std::uint64_t sat_states, iterations;
};

/// On one to four ranks, with and without lanes.
void expect_everywhere(const Model& model, const std::vector<Expected>& tests) {
  for (const Expected& expected : tests)
    for (const LaneChoice::Kind lanes : with_and_without_lanes)
      for (int ranks = 1; ranks <= 4; ++ranks) {
        CheckOptions options;
        options.test = choice_of(expected.test, model);
        options.explore.lanes.kind = lanes;
        const TestResult result = run(model.net, options, {.ranks = ranks, .seed = 7, .exchange = {}});
        const auto about = ::testing::Message() << name_of(expected.test) << " on " << ranks << " ranks";
        EXPECT_EQ(result.sat_states, expected.sat_states) << about;
        EXPECT_EQ(result.iterations, expected.iterations) << about;
        EXPECT_EQ(result.reason, "") << about;
      }
}

TEST(PaperTests, KanbanTakesThePapersIterationsOnAnyNumberOfRanks) {
  using enum PaperTest;
  expect_everywhere(model_of("kanban", 1), {{backward_ex, 160, 18}, {forward_ex, 160, 18}, {simple_eu, 160, 19}});
  expect_everywhere(model_of("kanban", 2), {{backward_ex, 4600, 36}, {simple_eu, 4600, 37}});
}

// Not all states are found, so that the last iteration of EX finds nothing, and counts: 3 N + 1 as in the paper.
TEST(PaperTests, PhilosophersTakeThePapersIterationsOnAnyNumberOfRanks) {
  using enum PaperTest;
  expect_everywhere(model_of("philosophers", 4), {{backward_ex, 320, 13}, {forward_ex, 320, 13}, {simple_eu, 320, 13}});
}

TEST(PaperTests, EatingIsCertainInAsManyStatesByBothMethods) {
  const Model model = model_of("philosophers", 4);
  const NaiveGraph truth = explore_naively(model.net, {});
  const Formula eating = choice_of(PaperTest::au, model).eating;
  const auto count = [&](const Formula& formula) {
    return static_cast<std::uint64_t>(std::ranges::count(satisfying_states(formula, model.net, truth), true));
  };
  const std::uint64_t eat = count(eating), certain = count(Formula::of(Formula::Kind::af, {eating}));
  ASSERT_GT(certain, eat);
  for (const AuMethod au : {AuMethod::count, AuMethod::query})
    for (const LaneChoice::Kind lanes : with_and_without_lanes)
      for (int ranks = 1; ranks <= 5; ++ranks) {
        CheckOptions options;
        options.au = au;
        options.explore.lanes.kind = lanes;
        options.test = choice_of(PaperTest::au, model);
        const RankChoice choice{.ranks = ranks, .seed = 3, .exchange = {}};
        const TestResult result = run(model.net, options, choice);
        EXPECT_EQ(result.eating_states, eat);
        EXPECT_EQ(result.sat_states, certain);
        EXPECT_TRUE(result.iterations || lanes != LaneChoice::Kind::off);
        options.test->kind = PaperTest::ag;
        EXPECT_EQ(run(model.net, options, choice).sat_states, 2U);
      }
}

TEST(PaperTests, OptimisedEuFindsTheSameAndTellsItsSweepsWithoutLanes) {
  const Model model = model_of("kanban", 2);
  for (const LaneChoice::Kind lanes : {LaneChoice::Kind::off, LaneChoice::Kind::places})
    for (const int ranks : {1, 3}) {
      CheckOptions options;
      options.explore.lanes.kind = lanes;
      if (lanes == LaneChoice::Kind::places) options.explore.lanes.places = {*model.net.find_place("pm[4]")};
      options.test = TestChoice{PaperTest::optimised_eu};
      const TestResult result = run(model.net, options, {.ranks = ranks, .seed = 9, .exchange = {}});
      EXPECT_EQ(result.sat_states, 4600U);
      ASSERT_EQ(result.iterations.has_value(), lanes == LaneChoice::Kind::off);
      if (!result.iterations) continue;
      EXPECT_GT(*result.iterations, 1U);
      EXPECT_TRUE(ranks > 1 || *result.iterations < 37) << *result.iterations << ", more than in steps";
    }
}

TEST(PaperTests, ALimitLeavesTheSameReasonOnAllRanks) {
  const Model model = model_of("kanban", 2);
  CheckOptions options;
  options.test = TestChoice{PaperTest::backward_ex};
  options.explore.limits.max_states = 100;
  for (const int ranks : {1, 3}) {
    const std::vector<CheckOutcome> outcomes =
        check_on_ranks(model.net, {}, options, {.ranks = ranks, .seed = 2, .exchange = {}});
    for (const CheckOutcome& outcome : outcomes) {
      EXPECT_FALSE(outcome.test->sat_states);
      EXPECT_NE(outcome.test->reason.find("not all states were reached"), std::string::npos) << outcome.test->reason;
    }
  }
}

// All four ways from which states the initial one can be reached, on nets that nobody chose.
TEST(PaperTests, RandomNetsHaveTheReferencesStatesAndBothExTestsTakeAsLong) {
  Formula home = Formula::atom_of(Expression::of(Expression::Kind::initial));
  home = Formula::of(Formula::Kind::ef, {home});
  Dice dice(77);
  std::size_t compared = 0, long_ones = 0;
  std::uint64_t asked = 0, others = 0;
  for (std::uint64_t seed = 40'000; compared < 60; ++seed) {
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {.states = 500, .tokens = 100});
    if (!truth.is_complete() || truth.states() < 8) continue;
    ++compared;
    const std::vector<bool> sat = satisfying_states(home, net, truth);
    CheckOptions options;
    options.explore.lanes = random_lanes(dice, net);
    const RankChoice choice = random_ranks(dice);
    std::vector<TestResult> results;
    for (const PaperTest test :
         {PaperTest::backward_ex, PaperTest::forward_ex, PaperTest::simple_eu, PaperTest::optimised_eu}) {
      options.test = TestChoice{test};
      const CheckOutcome outcome = outcome_of(net, options, choice);
      results.push_back(*outcome.test);
      for (const RankFigures& rank : outcome.ranks) (test == PaperTest::forward_ex ? asked : others) += rank.queries;
      EXPECT_EQ(*results.back().sat_states, static_cast<std::uint64_t>(std::ranges::count(sat, true)))
          << name_of(test) << ", net " << seed << ", " << describe(choice);
    }
    EXPECT_EQ(results[0].iterations, results[1].iterations) << "net " << seed << ", " << describe(choice);
    if (*results[0].iterations > 3) ++long_ones;
  }
  EXPECT_GT(long_ones, 10U);
  EXPECT_GT(asked, 0U);
  EXPECT_EQ(others, 0U) << "only steps forwards ask";
}

}  // namespace
}  // namespace dcheck::test
