// The reference checker of the tests against verdicts that the contest's tools agree on, on nets that are small
// enough for it: what judges the engine is judged here by people who don't know us.

#include <gtest/gtest.h>

#include <iostream>

#include "dcheck/parse/formula.hpp"
#include "support/mcc_corpus.hpp"
#include "support/reference_checker.hpp"

namespace dcheck::test {
namespace {

constexpr std::uint64_t most_states = 3'500;

/// The number of verdicts that were compared.
std::size_t agreements(const ContestNet& contest) {
  const Model model = read_model(contest.model(), {});
  const NaiveGraph graph = explore_naively(model.net);
  EXPECT_TRUE(graph.is_complete());
  EXPECT_EQ(graph.states(), contest.states());
  EXPECT_EQ(graph.arcs, contest.expected.at("transitions"));
  std::size_t compared = 0;
  for (const std::string& examination : verdict_examinations()) {
    for (const Property& property : read_formulas(contest.formulas(examination), model)) {
      const auto& known = contest.expected.at(examination).at(property.id);
      if (known.is_null()) continue;
      EXPECT_EQ(satisfying_states(property.formula, model.net, graph)[0], known.get<bool>()) << property.id;
      ++compared;
    }
  }
  for (const Property& property : read_formulas(contest.formulas("UpperBounds"), model)) {
    const auto& known = contest.expected.at("UpperBounds").at(property.id);
    EXPECT_TRUE(property.is_upper_bound) << property.id;
    if (known.is_null() || !property.is_upper_bound) continue;
    Tokens most = value_naively(property.bound_of, graph.markings[0]);
    for (const auto& marking : graph.markings) most = std::max(most, value_naively(property.bound_of, marking));
    EXPECT_EQ(most, known.get<Tokens>()) << property.id;
    ++compared;
  }
  return compared;
}

class ReferenceCheckerOnContestNets : public ContestTest {};

TEST_F(ReferenceCheckerOnContestNets, AgreesWithTheContest) {
  std::size_t nets = 0, compared = 0;
  for (const ContestNet& contest : contest_nets(most_states)) {
    SCOPED_TRACE(contest.name);
    compared += agreements(contest);
    ++nets;
  }
  std::cout << compared << " answers on " << nets << " nets with at most " << most_states << " states\n";
  EXPECT_EQ(nets, 19U);
  EXPECT_EQ(compared, nets * 80);
}

}  // namespace
}  // namespace dcheck::test
