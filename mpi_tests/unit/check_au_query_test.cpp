// AU by asking for successors: where questions, answers and notices cross each other in every order that the loopback
// can think of, no state is forgotten and none joins too soon. check_ranks_test has random nets besides.

#include <gtest/gtest.h>

#include "dcheck/explore/limit_check.hpp"
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

Asked asked_of(const std::string& text, const std::string& formulas) {
  Asked asked{parse_spn(text, "net.spn", {}), {}};
  asked.properties = parse_formulas(formulas, "test", asked.model);
  return asked;
}

/// Three counters run down to zero in any order: a state joins only after all of its up to three successors, which are
/// notified one after the other, often while their source is asking. Some states are not to last.
const Asked& countdown() {
  static const Asked asked = asked_of(
      "place a init 4, b init 4, c init 4, d init 1, e;\n"
      "trans ta : a -> ; trans tb : b -> ; trans tc : c -> ;\n"
      "trans go : d -> e; trans back : e -> d;\n",
      "all: A[true U a + b + c == 0]; some: A[a != 2 || b != 1 U a + c == 1]; late: A[d == 1 U a + b + c <= 3];"
      "idle: AF e == 1;");
  return asked;
}

std::uint64_t queries_of(const CheckOutcome& outcome) {
  std::uint64_t sum = 0;
  for (const RankFigures& rank : outcome.ranks) sum += rank.queries;
  return sum;
}

class AuQuery : public testing::TestWithParam<LaneChoice::Kind> {};

TEST_P(AuQuery, FindsWhatCountingFindsWhateverTheOrderOfDelivery) {
  CheckOptions options;
  options.sat_counts = true;
  options.explore.lanes.kind = GetParam();
  if (GetParam() == LaneChoice::Kind::places)
    options.explore.lanes.places = {*countdown().model.net.find_place("a"), *countdown().model.net.find_place("d")};
  const CheckOutcome counted = check(countdown().model.net, countdown().properties, options);
  options.au = AuMethod::query;
  Dice dice(GetParam() == LaneChoice::Kind::off ? 21 : 22);
  std::uint64_t queries = 0;
  for (int i = 0; i < 120 && !HasFailure(); ++i) {
    const RankChoice choice = random_ranks(dice);
    const CheckOutcome found =
        std::move(check_on_ranks(countdown().model.net, countdown().properties, options, choice)[0]);
    for (std::size_t p = 0; p < found.properties.size(); ++p)
      EXPECT_EQ(found.properties[p].sat_states, counted.properties[p].sat_states)
          << found.properties[p].id << ", " << describe(choice);
    queries += queries_of(found);
  }
  EXPECT_GT(queries, 0U);
}

TEST_P(AuQuery, EndsEarlyOnceTheInitialStateHasJoined) {
  CheckOptions options;
  options.explore.lanes.kind = GetParam();
  options.au = AuMethod::query;
  if (GetParam() == LaneChoice::Kind::places) options.explore.lanes.places = {*countdown().model.net.find_place("b")};
  const CheckOutcome counted = check(countdown().model.net, countdown().properties, {});
  Dice dice(31);
  for (int i = 0; i < 40; ++i) {
    const RankChoice choice = random_ranks(dice);
    const auto outcomes = check_on_ranks(countdown().model.net, countdown().properties, options, choice);
    for (std::size_t p = 0; p < counted.properties.size(); ++p)
      EXPECT_EQ(outcomes[0].properties[p].verdict, counted.properties[p].verdict) << describe(choice);
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, AuQuery,
                         testing::Values(LaneChoice::Kind::off, LaneChoice::Kind::automatic, LaneChoice::Kind::places));

TEST(AuQueryAlone, AsksNobody) {
  CheckOptions options;
  options.sat_counts = true;
  options.au = AuMethod::query;
  const CheckOutcome outcome = check(countdown().model.net, countdown().properties, options);
  EXPECT_TRUE(outcome.ranks.empty());
  EXPECT_TRUE(outcome.properties[0].sat_states);
}

TEST(AuQueryLimits, MemoryThatRunsOutOnOneRankLeavesTheSameUnknownOnAll) {
  Asked asked{read_model(source_dir() + "/models/philosophers.spn", {{"N", "5"}}), {}};
  std::string nested = "AF eating";
  for (int i = 0; i < 8; ++i) nested = "AF (" + nested + " && !initial)";
  asked.properties = parse_formulas("all: " + nested + ";", "test", asked.model);
  std::size_t known = 0, unknown = 0;
  for (std::uint64_t kilobytes = 0; known < 3 && kilobytes < 65'536; kilobytes += 40 + kilobytes / 16) {
    CheckOptions options;
    options.au = AuMethod::query;
    options.explore.lanes.kind = (known + unknown) % 2 == 0 ? LaneChoice::Kind::off : LaneChoice::Kind::automatic;
    options.explore.limits.max_memory_bytes = resident_bytes() + (kilobytes << 10);
    const RankChoice choice{.ranks = 3, .seed = kilobytes, .exchange = {}};
    try {
      const auto outcomes = check_on_ranks(asked.model.net, asked.properties, options, choice);
      for (const CheckOutcome& other : outcomes) EXPECT_EQ(differences(outcomes[0], other), std::vector<std::string>());
      ++(outcomes[0].properties[0].verdict == Verdict::unknown ? unknown : known);
    } catch (const ResourceError&) {
      ++unknown;
    }
  }
  EXPECT_EQ(known, 3U);
  EXPECT_GT(unknown, 0U);
}

}  // namespace
}  // namespace dcheck::test
