// What --estimate and --export take, and what is said about anything else.

#include <gtest/gtest.h>

#include "unit/options_test_support.hpp"

namespace dcheck {
namespace {

TEST(ExportOptions, TheEndingSaysTheFormat) {
  const auto targets =
      read({"net.pnml", "--export", "a.aut", "--export", "b.dot", "--export", "c.csv", "--export", "d.tra"})
          .options.exports.targets;
  ASSERT_EQ(targets.size(), 4U);
  EXPECT_EQ(targets[0].format, ExportFormat::aut);
  EXPECT_EQ(targets[1].format, ExportFormat::dot);
  EXPECT_EQ(targets[2].format, ExportFormat::csv);
  EXPECT_EQ(targets[3].format, ExportFormat::prism);
  EXPECT_EQ(read({"net.pnml", "--export", "d.tra", "--export-for", "storm"}).options.exports.targets[0].format,
            ExportFormat::storm);
  EXPECT_EQ(complaint({"net.pnml", "--export", "graph.xml"}),
            "dcheck: --export: 'graph.xml' does not end in .aut, .dot, .csv or .tra, which says how to write it");
  EXPECT_EQ(complaint({"net.pnml", "--export", "d.tra", "--export-for", "prsm"}),
            "dcheck: --export-for: prsm is none of prism, mrmc, storm");
}

TEST(ExportOptions, ExportingMeansExploringEverything) {
  EXPECT_TRUE(read({"net.pnml", "--export", "a.aut"}).options.full);
  EXPECT_EQ(read({"net.pnml", "--export", "a.aut"}).options.exports.most_states, 1'000'000U);
  EXPECT_EQ(read({"net.pnml", "--export", "a.aut", "--export-states", "7"}).options.exports.most_states, 7U);
  EXPECT_TRUE(has(complaint({"net.pnml", "--export", "a.aut", "--export-states", "0"}), "--export-states"));
  EXPECT_EQ(complaint({"net.pnml", "--export-states", "7"}),
            "dcheck: --export-for and --export-states are about --export FILE, which is not given");
}

TEST(EstimateOption, StandsAloneOrWithTheNumberOfStates) {
  EXPECT_FALSE(read({"net.pnml"}).options.exports.estimate.has_value());
  const Options plain = read({"--estimate", "net.pnml"}).options;
  EXPECT_EQ(plain.model, "net.pnml");
  ASSERT_TRUE(plain.exports.estimate.has_value());
  EXPECT_FALSE(plain.exports.estimate->states.has_value());
  EXPECT_EQ(read({"net.pnml", "--estimate=5000"}).options.exports.estimate->states, 5000U);
  EXPECT_TRUE(has(complaint({"net.pnml", "--estimate=many"}), "dcheck: --estimate: "));
  EXPECT_EQ(complaint({"net.pnml", "--estimate", "--export", "a.aut"}),
            "dcheck: --estimate explores too little to --export it");
}

}  // namespace
}  // namespace dcheck
