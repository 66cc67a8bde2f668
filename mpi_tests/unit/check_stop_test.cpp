// Somebody asks one of the ranks to stop, at any moment: all ranks stop, say the same, and what they say is true.

#include <gtest/gtest.h>

#include <csignal>

#include "dcheck/base/error.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"
#include "support/check_on_ranks.hpp"
#include "support/paths.hpp"

namespace dcheck::test {
namespace {

struct Asked {
  Model model;
  std::vector<Property> properties;
};

Asked ask(const std::string& model, const std::string& size, const std::string& formulas) {
  Asked asked{read_model(source_dir() + "/models/" + model, {{"N", size}}), {}};
  asked.properties = parse_formulas(formulas, "test", asked.model);
  return asked;
}

/// When a run was stopped.
struct Tally {
  std::size_t before = 0, exploring = 0, checking = 0, never = 0;
};

void judge(const CheckOutcome& outcome, const CheckOutcome& truth, Tally& tally) {
  ++(outcome.stop_signal == 0 ? tally.never : outcome.exploration.stop_signal != 0 ? tally.exploring : tally.checking);
  const Exploration& exploration = outcome.exploration;
  EXPECT_LE(exploration.states, truth.exploration.states);
  EXPECT_TRUE(!exploration.complete || exploration.states == truth.exploration.states);
  for (std::size_t i = 0; i < outcome.properties.size(); ++i) {
    const PropertyResult& result = outcome.properties[i];
    if (result.verdict != Verdict::unknown) {
      EXPECT_EQ(result.verdict, truth.properties[i].verdict) << result.formula;
    } else {
      EXPECT_EQ(outcome.stop_signal, SIGTERM) << result.formula;
      EXPECT_NE(result.reason.find("stopped by SIGTERM"), std::string::npos) << result.reason;
    }
    const bool is_counted = result.sat_states.has_value();
    EXPECT_TRUE(!is_counted || result.sat_states == truth.properties[i].sat_states) << result.formula;
  }
}

void stop_often(const Asked& asked, const CheckOptions& options, int most_calls_log2, Tally& tally) {
  const CheckOutcome truth = check(asked.model.net, asked.properties, options);
  Dice dice(3);
  for (int run = 0; run < 100; ++run) {
    RankChoice choice = random_ranks(dice);
    choice.ranks = static_cast<int>(dice.between(2, 5));
    // Early moments matter as much as late ones.
    const std::int64_t most = std::int64_t{1} << dice.between(0, most_calls_log2);
    choice.signal = RankSignal{static_cast<Rank>(dice.between(0, choice.ranks - 1)), SIGTERM,
                               static_cast<std::uint64_t>(dice.between(1, most))};
    SCOPED_TRACE(describe(choice));
    try {
      const std::vector<CheckOutcome> outcomes = check_on_ranks(asked.model.net, asked.properties, options, choice);
      for (const CheckOutcome& other : outcomes) EXPECT_EQ(differences(outcomes[0], other), std::vector<std::string>());
      judge(outcomes[0], truth, tally);
    } catch (const ResourceError& error) {  // before there was a plan
      ++tally.before;
      EXPECT_EQ(error.signal(), SIGTERM);
      EXPECT_STREQ(error.what(), "stopped by SIGTERM");
    }
  }
}

TEST(CheckStop, AllRanksStopAndWhatTheySayIsTrue) {
  const std::string formulas = "home: AG EF initial; until: A[pm[1] <= 2 U pm[4] == 9]; next: EX EX pm[1] == 1;";
  const Asked asked = ask("kanban.spn", "2", formulas);
  Tally tally;
  for (const LaneChoice::Kind lanes : {LaneChoice::Kind::off, LaneChoice::Kind::automatic})
    for (const bool by_query : {false, true}) {
      CheckOptions options;
      options.sat_counts = true;
      options.explore.lanes.kind = lanes;
      if (by_query) options.au = AuMethod::query;
      stop_often(asked, options, 12, tally);
    }
  EXPECT_GT(tally.before, 10U);
  EXPECT_GT(tally.exploring, 10U);
  EXPECT_GT(tally.checking, 10U);
  EXPECT_GT(tally.never, 0U);
}

TEST(CheckStop, AWitnessIsLookedForNoLonger) {
  const Asked asked = ask("philosophers.spn", "4", "fails: AG !deadlock; shown: EF (eating && EX EX eating);");
  CheckOptions options;
  options.witness = true;
  Tally tally;
  stop_often(asked, options, 11, tally);
  EXPECT_GT(tally.exploring + tally.checking, 10U);
}

TEST(CheckStop, ARequestThatCameBeforeTheRunEndsItAtOnce) {
  const Asked asked = ask("kanban.spn", "3", "home: AG EF initial;");
  StopRequest request;
  request.ask(SIGINT);
  request.ask(SIGTERM);  // the first one counts
  CheckOptions options;
  options.explore.limits.stop = &request;
  try {
    check(asked.model.net, asked.properties, options);
    ADD_FAILURE() << "it was checked";
  } catch (const ResourceError& error) {
    EXPECT_EQ(error.signal(), SIGINT);
    EXPECT_STREQ(error.what(), "stopped by SIGINT");
  }
}

}  // namespace
}  // namespace dcheck::test
