// A labelling that is interrupted again and again finds what one finds that is not, on any number of ranks; and a space
// answers as often as it is asked.

#include "dcheck/label/labelling.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "dcheck/base/error.hpp"
#include "dcheck/check/check.hpp"
#include "dcheck/comm/transport/loopback.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"
#include "support/check_on_ranks.hpp"
#include "support/hurdles.hpp"
#include "support/paths.hpp"
#include "support/random_formula.hpp"
#include "support/reference_checker.hpp"

namespace dcheck::test {
namespace {

/// How many states satisfy each formula, by a labelling that is begun again after each error.
std::vector<std::uint64_t> sizes(const StateSpace& space, const Structure& structure,
                                 const std::vector<Formula>& formulas, AuMethod au, const RunLimit& limit) {
  CorePool pool(space.net, structure);
  std::vector<LabelWish> wishes;
  for (const Formula& formula : formulas) wishes.push_back({pool.intern(formula), true});
  const std::unique_ptr<Operators> operators = make_operators(space, au, limit);
  Labelling labels(pool, *operators, space.net, wishes, false);
  std::vector<std::uint64_t> result;
  for (std::size_t i = 0; i < wishes.size();) try {
      labels.fulfil(i);
      const CoreId root = wishes[i].root;
      result.push_back(operators->size(labels.sat(root)));
      EXPECT_EQ(labels.holds_initially(root), operators->contains(labels.sat(root), space.net.initial()));
      labels.finish(i++);
    } catch (const ResourceError&) {
    }
  return result;
}

TEST(Labelling, ThatIsInterruptedAgainAndAgainOnRanksFindsTheReferencesSets) {
  std::atomic<std::uint64_t> met{0};
  for (std::uint64_t seed = 1; seed <= 260; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const NaiveGraph truth = explore_naively(net, {1000, 300});
    if (!truth.is_complete() || net.place_count() == 0) continue;
    const Structure structure = analyse(net);
    Dice dice(seed);
    std::vector<Formula> formulas;
    std::vector<std::uint64_t> expected;
    for (int i = 0; i < 4; ++i) {
      formulas.push_back(random_formula(dice, net, 3));
      const std::vector<bool> states = satisfying_states(formulas.back(), net, truth);
      expected.push_back(static_cast<std::uint64_t>(std::ranges::count(states, true)));
    }
    const RankChoice choice = random_ranks(dice);
    const AuMethod au = dice.one_in(2) ? AuMethod::count : AuMethod::query;
    const auto kind = dice.one_in(2) ? Hurdles::Kind::pause : Hurdles::Kind::error;
    const auto every = static_cast<std::uint64_t>(dice.between(5, 40));
    SCOPED_TRACE(describe(choice));
    run_loopback({.ranks = choice.ranks, .seed = choice.seed}, [&](Transport& transport) {
      Cluster cluster(transport);
      Ranks ranks(cluster, choice.exchange);
      ExploreOptions options;
      options.allocation = choice.allocation;
      const Explored explored = explore(net, structure, options, ranks);
      Hurdles hurdles(kind, every);
      EXPECT_EQ(sizes(*explored.space, structure, formulas, au, hurdles.limit()), expected);
      met += hurdles.met();
      cluster.close();
    });
  }
  EXPECT_GT(met, 500U);
}

Model kanban() {
  return read_model(source_dir() + "/models/kanban.spn", {{"N", "3"}});
}

TEST(Labelling, ThatIsInterruptedAloneFindsTheSameSets) {
  const Model model = kanban();
  const Structure structure = analyse(model.net);
  std::vector<Formula> formulas;
  for (const char* const text : {"EF pm[1] == 3", "AF pm[1] < 3", "E[pm[1] >= 1 U pout[4] == 3]", "AG EF initial"})
    formulas.push_back(parse_property(text, "test", model).formula);
  for (const auto lanes : {LaneChoice::Kind::off, LaneChoice::Kind::automatic}) {
    ExploreOptions options;
    options.lanes.kind = lanes;
    const Explored explored = explore(model.net, structure, options);
    for (const AuMethod au : {AuMethod::count, AuMethod::query}) {
      const std::vector<std::uint64_t> expected = sizes(*explored.space, structure, formulas, au, {});
      for (const auto kind : {Hurdles::Kind::pause, Hurdles::Kind::error}) {
        Hurdles hurdles(kind, 12);
        EXPECT_EQ(sizes(*explored.space, structure, formulas, au, hurdles.limit()), expected);
        EXPECT_TRUE(lanes == LaneChoice::Kind::automatic || hurdles.met() != 0);
      }
    }
  }
}

TEST(Answer, IsThatOfCheckHoweverOftenASpaceIsAsked) {
  std::size_t asked = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed), other = random_net(seed + 1000);
    if (!explore_naively(net, {1000, 300}).is_complete() || !explore_naively(other, {1000, 300}).is_complete())
      continue;
    if (net.place_count() == 0 || other.place_count() == 0) continue;
    const Structure structure = analyse(net), structure_of_other = analyse(other);
    const Explored explored = explore(net, structure, {}), explored_too = explore(other, structure_of_other, {});
    Dice dice(seed);
    for (int round = 0; round < 3; ++round) {
      const auto expect_same = [&](const Net& of, const Explored& states, const Structure& analysed) {
        std::vector<Property> properties;
        for (int i = 0; i < 3; ++i)
          properties.push_back({std::to_string(i), "?", random_formula(dice, of, 3), false, {}});
        properties.push_back({"bound", "?", {}, true, random_sum(dice, of)});
        CheckOptions options;
        options.sat_counts = dice.one_in(2);
        const CheckOutcome expected = check(of, properties, options);
        const Answers answers = answer(*states.space, analysed, properties, options);
        ASSERT_EQ(answers.properties.size(), properties.size());
        for (std::size_t i = 0; i < properties.size(); ++i) {
          EXPECT_EQ(answers.properties[i].verdict, expected.properties[i].verdict);
          EXPECT_EQ(answers.properties[i].bound, expected.properties[i].bound);
          EXPECT_EQ(answers.properties[i].sat_states, expected.properties[i].sat_states);
        }
        ++asked;
      };
      expect_same(net, explored, structure);
      expect_same(other, explored_too, structure_of_other);
    }
  }
  EXPECT_GT(asked, 300U);
}

}  // namespace
}  // namespace dcheck::test
