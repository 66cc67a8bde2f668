// The nets of the Model Checking Contest beside the project, with the counts its tools agree on.

#include <gtest/gtest.h>

#include <iostream>

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

TEST_F(ModelCheckingContest, ColouredNetsAreRefusedWithOneLine) {
  std::size_t coloured = 0;
  for (const auto& entry : std::filesystem::directory_iterator(contest_folder())) {
    const std::string name = entry.path().filename();
    if (name.find("-COL-") == std::string::npos) continue;
    SCOPED_TRACE(name);
    ++coloured;
    const Outcome run = run_dcheck({entry.path() / "model.pnml"}, 30);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(count_lines(run.err), 1U) << run.err;
    EXPECT_TRUE(run.out.empty());
    EXPECT_NE(run.err.find("yet"), std::string::npos) << run.err;
  }
  EXPECT_GE(coloured, 12U);
}

}  // namespace
}  // namespace dcheck::test
