// Every formula file of the contest's P/T nets and of ours is read whole, and its texts mean the same when read again.

#include <gtest/gtest.h>

#include <array>

#include "dcheck/parse/formula.hpp"
#include "support/mcc_corpus.hpp"
#include "support/our_nets.hpp"

namespace dcheck::test {
namespace {

constexpr std::size_t expected_nets = 43 + 12, formulas_per_file = 16;
constexpr std::array examinations{"CTLCardinality", "CTLFireability", "ReachabilityCardinality",
                                  "ReachabilityFireability", "UpperBounds"};

bool is_reachability(const Formula& formula) {
  return (formula.kind == Formula::Kind::ef || formula.kind == Formula::Kind::ag) &&
         formula.children.front().kind == Formula::Kind::atom;
}

/// A text that a formula was written as means the same when it is read again.
void expect_same_again(const Property& property, const Model& model) {
  const Property again = parse_property(property.text, property.id, model);
  EXPECT_TRUE(again.formula == property.formula && again.bound_of == property.bound_of) << property.text;
}

/// Reads one file of a net and returns how many properties it has.
std::size_t check_file(const std::filesystem::path& folder, const std::string& examination, const Model& model) {
  const auto found = read_formulas(folder / (examination + ".xml"), model);
  EXPECT_EQ(found.size(), formulas_per_file);
  for (const Property& property : found) {
    SCOPED_TRACE(property.id);
    EXPECT_EQ(property.id.rfind(folder.filename().string() + "-" + examination + "-", 0), 0U);
    EXPECT_EQ(property.is_upper_bound, examination == "UpperBounds");
    EXPECT_TRUE(examination.rfind("Reachability", 0) != 0 || is_reachability(property.formula));
    expect_same_again(property, model);
  }
  return found.size();
}

class MccFormulas : public ContestTest {};

TEST_F(MccFormulas, EveryFileOfEveryNetIsRead) {
  std::size_t nets = 0, properties = 0;
  for (const auto& entry : std::filesystem::directory_iterator(contest_folder())) {
    const std::string name = entry.path().filename();
    if (!std::filesystem::exists(entry.path() / "model.pnml")) continue;
    SCOPED_TRACE(name);
    const Model model = read_model(entry.path() / "model.pnml", {});
    ++nets;
    for (const std::string examination : examinations) properties += check_file(entry.path(), examination, model);
  }
  EXPECT_EQ(nets, expected_nets);
  EXPECT_EQ(properties, expected_nets * examinations.size() * formulas_per_file);
}

TEST(FormulasOfOurNets, MeanTheSameWhenTheirTextsAreReadAgain) {
  std::size_t properties = 0;
  for (const OurNet& net : our_nets()) {
    const Model model = read_model(net.pnml(), {});
    for (const Property& property : read_formulas(net.formulas(), model)) {
      SCOPED_TRACE(property.id);
      ++properties;
      EXPECT_EQ(property.is_upper_bound, property.id.find("UpperBounds") != std::string::npos);
      EXPECT_TRUE(property.id.find("Reachability") == std::string::npos || is_reachability(property.formula));
      expect_same_again(property, model);
    }
  }
  EXPECT_GE(properties, 240U);
}

}  // namespace
}  // namespace dcheck::test
