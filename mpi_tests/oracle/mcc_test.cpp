// The nets of the Model Checking Contest beside the project, with the counts its tools agree on.

#include <gtest/gtest.h>

#include <iostream>

#include "dcheck/parse/model.hpp"
#include "support/mcc_corpus.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

/// Runs one net and compares; true where it ran to the end.
bool agrees_with_the_contest(const ContestNet& net, const std::string& lanes) {
  SCOPED_TRACE(net.name + " lanes " + lanes);
  const Outcome run =
      run_dcheck({net.model(), "--lanes", lanes, "--deadlock", "--full", "--quiet", "--json", "-"}, 120);
  EXPECT_FALSE(run.timed_out);
  const Json& known = net.expected;
  const bool has_deadlock = known.at("ReachabilityDeadlock").at("ReachabilityDeadlock");
  EXPECT_EQ(run.exit_code, has_deadlock ? 0 : 1) << run.err;
  const Json found = Json::parse(run.out, nullptr, false);
  EXPECT_FALSE(found.is_discarded());
  if (found.is_discarded()) return false;
  EXPECT_EQ(found.at("complete"), true);
  EXPECT_EQ(found.at("states"), net.states());
  EXPECT_EQ(found.at("arcs"), known.at("transitions"));
  EXPECT_EQ(found.at("max_tokens_in_place"), known.at("max_token_in_place"));
  EXPECT_EQ(found.at("max_tokens_in_marking"), known.at("max_token_per_marking"));
  EXPECT_EQ(found.at("properties").at(0).at("id"), "ReachabilityDeadlock");
  EXPECT_EQ(found.at("properties").at(0).at("verdict"), has_deadlock);
  EXPECT_EQ(found.at("deadlocks") > 0, has_deadlock);
  return found.at("complete") == true;
}

void compare_all(const std::string& lanes) {
  int ran = 0;
  for (const ContestNet& net : contest_nets()) ran += agrees_with_the_contest(net, lanes) ? 1 : 0;
  std::cout << ran << " P/T nets of the contest ran with lanes " << lanes << "\n";
  EXPECT_GE(ran, 43) << "the corpus in " << shared_dir() << " has 43 P/T nets";
}

class ModelCheckingContest : public ContestTest {};

TEST_F(ModelCheckingContest, EveryPlaceTransitionNetHasItsKnownCountsInLanes) {
  compare_all("auto");
}

TEST_F(ModelCheckingContest, EveryPlaceTransitionNetHasItsKnownCountsWithoutLanes) {
  compare_all("off");
}

TEST_F(ModelCheckingContest, EveryColouredNetHasItsKnownCountsAndIsUnfoldedWithinTwoSeconds) {
  for (const std::string lanes : {"auto", "off"}) {
    int ran = 0;
    for (const ContestNet& net : coloured_contest_nets()) ran += agrees_with_the_contest(net, lanes) ? 1 : 0;
    EXPECT_GE(ran, 12) << "the corpus in " << shared_dir() << " has 12 coloured nets";
  }
  for (const ContestNet& net : coloured_contest_nets()) {
    const Outcome run = run_dcheck({net.model(), "--ctl", "initial"}, 30);
    EXPECT_EQ(run.exit_code, 0) << net.name << ": " << run.err;
    EXPECT_LT(run.cpu_seconds, 2) << net.name;
    EXPECT_NE(run.out.find("unfolded from"), std::string::npos) << run.out;
  }
}

TEST_F(ModelCheckingContest, ColouredNetsAreThePlaceTransitionNetsOfTheSameNameWhenUnfolded) {
  int pairs = 0;
  for (const ContestNet& net : coloured_contest_nets()) {
    std::string twin = net.name;
    twin.replace(twin.find("-COL-"), 5, "-PT-");
    const auto twin_model = contest_folder() / twin / "model.pnml";
    if (!std::filesystem::exists(twin_model)) continue;
    SCOPED_TRACE(net.name);
    ++pairs;
    const Net unfolded = read_model(net.model(), {}).net, written = read_model(twin_model, {}).net;
    EXPECT_EQ(unfolded.place_count(), written.place_count());
    EXPECT_EQ(unfolded.transition_count(), written.transition_count());
  }
  EXPECT_GE(pairs, 9);
}

}  // namespace
}  // namespace dcheck::test
