// Runs that are saved and loaded, or stopped and gone on with, on any number of ranks: the answers are those of a run
// that nobody disturbed.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "dcheck/archive/file_keeper.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"
#include "support/check_on_ranks.hpp"
#include "support/paths.hpp"
#include "support/random_rows.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

const char* const formulas =
    "home: AG EF initial; back: EF AG EX EF initial; all: AF EX initial; until: A[ !deadlock U EX EX initial ];"
    "away: E[ !initial U EX initial ]; stuck: EF deadlock; stay: EG !deadlock;";

struct Asked {
  Model model;
  std::vector<Property> properties;
};

Asked ask(const std::string& name, const std::string& size) {
  Asked asked{read_model(source_dir() + "/models/" + name, {{"N", size}}), {}};
  asked.properties = parse_formulas(formulas, "test", asked.model);
  return asked;
}

class StatesThatLast : public testing::Test {
 protected:
  std::string file() const { return (_folder.path() / "states.h5").string(); }
  bool is_there() const { return std::filesystem::exists(file()); }

  /// What keeps the states of each rank.
  static auto keeper_with(const KeeperOptions& options) {
    return [options](Ranks& ranks) -> std::unique_ptr<StateKeeper> {
      return std::make_unique<FileKeeper>(options, RunRecord{}, ranks, nullptr,
                                          [](const std::string& line) { ADD_FAILURE() << line; });
    };
  }
  KeeperOptions saving() const { return {.save = file()}; }
  KeeperOptions loading() const { return {.from = file(), .kind = FileKind::save}; }
  /// Goes on from a checkpoint where one is there.
  KeeperOptions continuing(double every_seconds) const {
    return {.from = is_there() ? file() : "",
            .kind = FileKind::checkpoint,
            .checkpoint = file(),
            .every_seconds = every_seconds};
  }

  static void expect_same(const CheckOutcome& found, const CheckOutcome& truth) {
    EXPECT_EQ(found.exploration.states, truth.exploration.states);
    EXPECT_EQ(found.exploration.arcs, truth.exploration.arcs);
    EXPECT_EQ(found.exploration.deadlocks, truth.exploration.deadlocks);
    EXPECT_EQ(found.exploration.max_tokens, truth.exploration.max_tokens);
    EXPECT_EQ(found.exploration.max_tokens_in_marking, truth.exploration.max_tokens_in_marking);
    EXPECT_EQ(found.exploration.levels, truth.exploration.levels);
    for (std::size_t i = 0; i < truth.properties.size(); ++i) {
      EXPECT_EQ(found.properties[i].verdict, truth.properties[i].verdict) << truth.properties[i].id;
      EXPECT_EQ(found.properties[i].sat_states, truth.properties[i].sat_states) << truth.properties[i].id;
    }
  }

  TemporaryDirectory _folder;
};

CheckOptions random_options(Dice& dice) {
  CheckOptions options;
  options.full = true;
  options.sat_counts = dice.one_in(2);
  options.local = LocalChoice::off;
  options.graph = std::array{GraphChoice::automatic, GraphChoice::keep,
                             GraphChoice::off}[static_cast<std::size_t>(dice.between(0, 2))];
  if (dice.one_in(2)) options.explore.lanes.kind = LaneChoice::Kind::off;
  options.explore.lanes.look_after_rows = 64;
  return options;
}

TEST_F(StatesThatLast, SavedStatesAnswerAsThoseThatWereExplored) {
  Dice dice(11);
  for (const auto& [name, size] :
       {std::pair("kanban.spn", "2"), std::pair("philosophers.spn", "4"), std::pair("database.spn", "4")}) {
    const Asked asked = ask(name, size);
    for (int run = 0; run < 6; ++run) {
      CheckOptions options = random_options(dice);
      options.sat_counts = true;
      const CheckOutcome truth = check(asked.model.net, asked.properties, options);
      RankChoice choice = random_ranks(dice);
      choice.keeper = keeper_with(saving());
      SCOPED_TRACE(describe(choice));
      const CheckOutcome saved = std::move(check_on_ranks(asked.model.net, asked.properties, options, choice)[0]);
      EXPECT_EQ(saved.save_failure, "");
      expect_same(saved, truth);
      for (int load = 0; load < 3; ++load) {
        choice = random_ranks(dice);
        choice.keeper = keeper_with(loading());
        SCOPED_TRACE(describe(choice));
        CheckOptions other = options;
        choose_rows(dice, other.explore);
        const CheckOutcome loaded = std::move(check_on_ranks(asked.model.net, asked.properties, other, choice)[0]);
        EXPECT_EQ(loaded.exploration.resumed, truth.exploration.states);
        expect_same(loaded, truth);
      }
    }
  }
}

TEST_F(StatesThatLast, StoppedRunsGoOnWithOnOtherRanksAsIfNothingHadHappened) {
  Dice dice(12);
  std::size_t resumed = 0, while_checking = 0;
  for (const auto& [name, size] :
       {std::pair("kanban.spn", "2"), std::pair("philosophers.spn", "5"), std::pair("fms.spn", "2")}) {
    const Asked asked = ask(name, size);
    for (int run = 0; run < 40; ++run) {
      std::filesystem::remove(file());
      CheckOptions options = random_options(dice);
      options.explore.levels = dice.one_in(4);
      const CheckOutcome truth = check(asked.model.net, asked.properties, options);
      for (int part = 0; part < 12; ++part) {
        const bool is_last = part == 11;
        RankChoice choice = random_ranks(dice);
        if (options.explore.levels) choice.allocation.kind = AllocationChoice::Kind::hash;
        choice.ranks = static_cast<int>(dice.between(2, 5));
        choice.keeper = keeper_with(continuing(dice.one_in(2) ? 1e-3 : 0));
        if (!is_last)
          choice.signal =
              RankSignal{static_cast<Rank>(dice.between(0, choice.ranks - 1)), SIGTERM,
                         static_cast<std::uint64_t>(dice.between(1, std::int64_t{1} << dice.between(4, 13)))};
        CheckOptions own = options;
        choose_rows(dice, own.explore);
        SCOPED_TRACE(describe(choice) + ", part " + std::to_string(part));
        std::optional<CheckOutcome> outcome;
        try {
          outcome = std::move(check_on_ranks(asked.model.net, asked.properties, own, choice)[0]);
        } catch (const ResourceError&) {  // before anything was explored
          continue;
        }
        if (outcome->exploration.resumed) ++resumed;
        if (outcome->exploration.resumed && outcome->exploration.resumed == truth.exploration.states) ++while_checking;
        if (outcome->stop_signal != 0) continue;
        expect_same(*outcome, truth);
        break;
      }
    }
  }
  EXPECT_GT(resumed, 100U);
  EXPECT_GT(while_checking, 20U);
}

}  // namespace
}  // namespace dcheck::test
