// The nets of the Model Checking Contest beside the project, with the counts its tools agree on.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

using Json = nlohmann::json;

std::vector<std::filesystem::path> nets_of_kind(const std::string& kind) {
  std::vector<std::filesystem::path> nets;
  const std::filesystem::path corpus = shared_dir() / "mcc";
  if (!std::filesystem::is_directory(corpus)) return nets;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    const bool is_kind = entry.path().filename().string().find(kind) != std::string::npos;
    if (is_kind && std::filesystem::exists(entry.path() / "model.pnml")) nets.push_back(entry.path());
  }
  std::sort(nets.begin(), nets.end());
  return nets;
}

/// Runs one net and compares; true where it ran to the end.
bool agrees_with_the_contest(const std::filesystem::path& net, const std::string& lanes) {
  SCOPED_TRACE(net.filename().string() + " lanes " + lanes);
  const Outcome run =
      run_dcheck({net / "model.pnml", "--lanes", lanes, "--deadlock", "--full", "--quiet", "--json", "-"}, 120);
  EXPECT_FALSE(run.timed_out);
  const Json known = Json::parse(std::ifstream(net / "expected.json"));
  const bool has_deadlock = known.at("ReachabilityDeadlock").at("ReachabilityDeadlock");
  EXPECT_EQ(run.exit_code, has_deadlock ? 0 : 1) << run.err;
  const Json found = Json::parse(run.out, nullptr, false);
  EXPECT_FALSE(found.is_discarded());
  if (found.is_discarded()) return false;
  EXPECT_EQ(found.at("complete"), true);
  EXPECT_EQ(found.at("states"), known.at("states"));
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
  for (const auto& net : nets_of_kind("-PT-")) ran += agrees_with_the_contest(net, lanes) ? 1 : 0;
  std::cout << ran << " P/T nets of the contest ran with lanes " << lanes << "\n";
  EXPECT_GE(ran, 43) << "the corpus in " << shared_dir() << " has 43 P/T nets";
}

TEST(ModelCheckingContest, EveryPlaceTransitionNetHasItsKnownCountsInLanes) {
  compare_all("auto");
}

TEST(ModelCheckingContest, EveryPlaceTransitionNetHasItsKnownCountsWithoutLanes) {
  compare_all("off");
}

TEST(ModelCheckingContest, ColouredNetsAreRefusedWithOneLine) {
  const auto nets = nets_of_kind("-COL-");
  EXPECT_GE(nets.size(), 12U);
  for (const auto& net : nets) {
    SCOPED_TRACE(net.filename().string());
    const Outcome run = run_dcheck({net / "model.pnml"}, 30);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(count_lines(run.err), 1U) << run.err;
    EXPECT_TRUE(run.out.empty());
    EXPECT_NE(run.err.find("yet"), std::string::npos) << run.err;
  }
}

}  // namespace
}  // namespace dcheck::test
