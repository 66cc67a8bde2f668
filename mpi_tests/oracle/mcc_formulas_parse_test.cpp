// Every formula file of the contest's P/T nets is read whole, and its texts mean the same when read again.

#include <gtest/gtest.h>

#include <array>

#include "dcheck/parse/formula.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

constexpr std::size_t expected_nets = 43, formulas_per_file = 16;
constexpr std::array examinations{"CTLCardinality", "CTLFireability", "ReachabilityCardinality",
                                  "ReachabilityFireability", "UpperBounds"};

bool is_reachability(const Formula& formula) {
  return (formula.kind == Formula::Kind::ef || formula.kind == Formula::Kind::ag) &&
         formula.children.front().kind == Formula::Kind::atom;
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
    const Property again = parse_property(property.text, property.id, model);
    EXPECT_TRUE(again.formula == property.formula && again.bound_of == property.bound_of) << property.text;
  }
  return found.size();
}

TEST(MccFormulas, EveryFileOfEveryNetIsRead) {
  std::size_t nets = 0, properties = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shared_dir() / "mcc")) {
    const std::string name = entry.path().filename();
    if (name.find("-PT-") == std::string::npos) continue;
    SCOPED_TRACE(name);
    const Model model = read_model(entry.path() / "model.pnml", {});
    ++nets;
    for (const std::string examination : examinations) properties += check_file(entry.path(), examination, model);
  }
  EXPECT_EQ(nets, expected_nets);
  EXPECT_EQ(properties, expected_nets * examinations.size() * formulas_per_file);
}

}  // namespace
}  // namespace dcheck::test
