// What the structure of a net says about leaves, and the rows that wait.

#include "dcheck/leaf/leaf_candidates.hpp"

#include <gtest/gtest.h>

#include "dcheck/parse/model.hpp"

namespace dcheck::test {
namespace {

constexpr std::string_view cells = R"(
  param N = 3;
  place pm[1..4], pback[1..4], pout[1..4];
  place pkan[1..4] init N;
  for i in 1..4 {
    trans tok[i]   : pm[i] -> pout[i];
    trans tback[i] : pm[i] -> pback[i];
    trans tredo[i] : pback[i] -> pm[i];
  }
  trans tin  : pkan[1] -> pm[1];
  trans sync : pout[1] + pkan[2] + pkan[3] -> pkan[1] + pm[2] + pm[3];
  trans join : pout[2] + pout[3] + pkan[4] -> pkan[2] + pkan[3] + pm[4];
  trans tout : pout[4] -> pkan[4];
)";

class CandidatesOfKanban : public testing::Test {
 protected:
  LeafCandidates::Places places(const std::vector<std::string>& names) const {
    LeafCandidates::Places result;
    for (const std::string& name : names) result.push_back(*_net.find_place(name));
    std::sort(result.begin(), result.end());
    return result;
  }
  LeafCandidates::Places cell(int i) const {
    const std::string at = "[" + std::to_string(i) + "]";
    return places({"pm" + at, "pback" + at, "pout" + at, "pkan" + at});
  }
  std::size_t number_of(const LeafCandidates::Places& group) const {
    for (std::size_t i = 0; i < _candidates.groups().size(); ++i)
      if (_candidates.groups()[i].places == group) return i;
    return _candidates.groups().size();
  }
  bool is_near(const LeafCandidates::Places& group, const LeafCandidates::Places& leaf, LeafCandidates::Reach reach) {
    const std::vector<std::size_t> near = _candidates.near(leaf, reach);
    return std::find(near.begin(), near.end(), number_of(group)) != near.end();
  }

  const Net _net = parse_spn(cells, "cells.spn", {}).net;
  const Structure _structure = analyse(_net);
  const LeafCandidates _candidates{_net, _structure, 1024};
};

TEST_F(CandidatesOfKanban, AreCellsFirstWithTheNumberOfTheirMarkings) {
  ASSERT_FALSE(_candidates.groups().empty());
  EXPECT_EQ(_candidates.groups()[0].places.size(), 4U);
  EXPECT_EQ(_candidates.groups()[0].lanes, 20);  // three tokens on four places
  for (int i = 1; i <= 4; ++i) EXPECT_LT(number_of(cell(i)), _candidates.groups().size()) << i;
}

TEST_F(CandidatesOfKanban, WithTooManyLanesAreLeftOut) {
  const LeafCandidates few(_net, _structure, 10);
  for (const LeafCandidates::Group& group : few.groups()) EXPECT_LE(group.lanes, 10);
}

TEST_F(CandidatesOfKanban, JoinedTakeInWhatASemiflowDecides) {
  EXPECT_EQ(_candidates.joined(places({"pm[4]", "pback[4]"}), places({"pout[4]"})), cell(4));
  EXPECT_EQ(_candidates.joined(places({"pm[4]"}), places({"pout[4]"})).size(), 2U);
}

TEST_F(CandidatesOfKanban, ThatASymmetryExchangesHaveOneSignature) {
  EXPECT_EQ(_candidates.signature(cell(2)), _candidates.signature(cell(3)));
  EXPECT_NE(_candidates.signature(cell(1)), _candidates.signature(cell(4)));
  EXPECT_NE(_candidates.signature(cell(2)), _candidates.signature(places({"pm[2]", "pback[2]"})));
}

TEST_F(CandidatesOfKanban, LieNearWhereTheyShareTransitions) {
  using Reach = LeafCandidates::Reach;
  EXPECT_TRUE(is_near(cell(2), cell(1), Reach::touching));
  EXPECT_TRUE(is_near(cell(4), cell(1), Reach::apart));
  EXPECT_FALSE(is_near(cell(4), cell(1), Reach::overlapping));
  EXPECT_FALSE(is_near(places({"pout[1]"}), cell(1), Reach::overlapping));  // brings nothing
}

}  // namespace
}  // namespace dcheck::test
