// Estimates: what a decision diagram counts is what exploring finds, and stores take what is foretold.

#include "dcheck/estimate/estimate.hpp"

#include <gtest/gtest.h>

#include <set>

#include "dcheck/base/error.hpp"
#include "dcheck/estimate/estimate_text.hpp"
#include "dcheck/parse/model.hpp"
#include "dcheck/store/packed_bytes.hpp"
#include "dcheck/store/slot_store.hpp"
#include "estimate/place_order.hpp"
#include "estimate/saturation.hpp"
#include "store/dense_store.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"
#include "support/run_dcheck.hpp"

namespace dcheck::test {
namespace {

constexpr std::size_t many_bytes = std::size_t{64} << 20;

/// All places in an order that has nothing to do with the net.
std::vector<Place> shuffled_places(const Net& net, Dice& dice) {
  std::vector<Place> order;
  for (std::size_t p = 0; p < net.place_count(); ++p) {
    const auto at = static_cast<std::ptrdiff_t>(dice.between(0, static_cast<std::int64_t>(order.size())));
    order.insert(order.begin() + at, static_cast<Place>(p));
  }
  return order;
}

TEST(Saturation, CountsWhatTheReferenceFindsInWhateverOrderOfPlaces) {
  std::size_t nets = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Dice dice(seed);
    NetFlavour flavour = NetFlavour::from(dice);
    flavour.guards = flavour.huge = flavour.jumps = false;
    const Net net = random_net(seed, flavour);
    const NaiveGraph truth = explore_naively(net, {1500, 1000});
    if (!truth.is_complete()) continue;
    ++nets;
    const Structure structure = analyse(net);
    for (int i = 0; i < 3; ++i) {
      Diagram diagram(many_bytes, endless_patience());
      const std::vector<Place> order =
          i == 2 ? shuffled_places(net, dice) : tier_order(net, structure, i == 1, endless_patience());
      Saturation saturation(net, order, structure.dead, diagram);
      const Diagram::Node all = saturation.reach();
      ASSERT_EQ(diagram.size(all), truth.states()) << "seed " << seed << " order " << i;

      std::vector<bool> is_kept(net.place_count() + 1, false);
      std::vector<std::size_t> kept;
      for (std::size_t p = 0; p < net.place_count(); ++p) {
        if (!dice.one_in(2)) continue;
        kept.push_back(p);
        is_kept[saturation.tier_of(static_cast<Place>(p))] = true;
      }
      std::set<std::vector<Tokens>> projected;
      for (const auto& marking : truth.markings) {
        std::vector<Tokens> row;
        for (const std::size_t p : kept) row.push_back(marking[p]);
        projected.insert(row);
      }
      ASSERT_EQ(diagram.size(diagram.project(all, is_kept)), projected.size()) << "seed " << seed << " order " << i;
    }
  }
  EXPECT_GT(nets, 50U);
}

TEST(Saturation, EndsWhereADiagramGrowsTooLargeOrItsPatienceEnds) {
  const Model model = read_model(model_path("kanban.spn"), {{"N", "80"}});
  const Structure structure = analyse(model.net);
  const auto order = tier_order(model.net, structure, false, endless_patience());
  Diagram small(std::size_t{1} << 20, endless_patience());
  EXPECT_THROW(Saturation(model.net, order, {}, small).reach(), ResourceError);
  Patience none([] { throw ResourceError("over"); });
  Diagram diagram(many_bytes, none);
  EXPECT_THROW(Saturation(model.net, order, {}, diagram).reach(), ResourceError);
}

TEST(Saturation, AnUnboundedNetEndsTheCount) {
  const Model model = parse_spn("place p init 1; place q; trans t : p -> p + q;", "net.spn", {});
  Diagram diagram(many_bytes, endless_patience());
  const std::vector<Place> order{Place{0}, Place{1}};
  EXPECT_THROW(Saturation(model.net, order, {}, diagram).reach(), ResourceError);
}

Estimate estimate_of(const std::string& model, const ParameterTexts& parameters, const EstimateOptions& options = {}) {
  return estimate(read_model(model_path(model), parameters).net, options);
}

TEST(Estimate, OfASmallNetIsExact) {
  const Estimate found = estimate_of("kanban.spn", {{"N", "3"}});
  EXPECT_TRUE(found.states.is_exact);
  EXPECT_EQ(found.states.likely, 58'400);
  EXPECT_EQ(found.explored_states, 58'400U);
}

TEST(Estimate, OfALargeNetIsCountedWithItsRows) {
  EstimateOptions options;
  options.seconds = 20;  // however busy the machine is
  options.explore.limits.max_states = 100'000;
  const Estimate found = estimate_of("kanban.spn", {{"N", "12"}}, options);
  EXPECT_TRUE(found.states.is_exact) << found.how;
  EXPECT_EQ(found.states.likely, 5'519'907'575.0);
  EXPECT_LE(found.rows.likely, found.states.likely);
  ASSERT_EQ(found.stores.size(), 3U);
  EXPECT_GT(found.stores.front().bytes.likely, 0);
  EXPECT_GT(found.seconds.high, found.seconds.low);
}

TEST(Estimate, WhatDiagramsCannotCountIsARangeAboveWhatWasExplored) {
  const Model model = parse_spn(
      "place p[1..12] init 3; place q[1..12]; for i in 1..12 { trans t[i] when p[i] * q[i] < 9 : p[i] -> q[i];"
      " trans u[i] : q[i] -> p[i]; }",
      "net.spn", {});
  EstimateOptions options;
  options.seconds = 0.5;
  options.explore.lanes.kind = LaneChoice::Kind::off;
  options.explore.limits.max_states = 20'000;
  const Estimate found = estimate(model.net, options);
  EXPECT_FALSE(found.states.is_exact);
  EXPECT_GE(found.states.low, static_cast<double>(found.explored_states));
  EXPECT_LE(found.states.low, found.states.likely);
  EXPECT_LT(found.states.likely, found.states.high);
  EXPECT_NE(found.how.find("random walks"), std::string::npos) << found.how;
}

TEST(Estimate, TakesTheNumberOfStatesThatIsGiven) {
  EstimateOptions options;
  options.states = 1'000'000'000;
  options.seconds = 0.3;
  options.explore.lanes.kind = LaneChoice::Kind::off;
  const Estimate found = estimate_of("kanban.spn", {{"N", "9"}}, options);
  EXPECT_EQ(found.states.likely, 1e9);
  EXPECT_NEAR(found.rows.likely, 1e9, 1);
}

TEST(Estimate, TellsRangesAndHowTheyWereFound) {
  Estimate found;
  found.states = {1000, 2000, 8000, false};
  found.rows = Amount::exactly(5);
  found.how = "somehow";
  found.stores = {{StoreChoice::Kind::delta, Amount::exactly(4096)}};
  const std::string text = estimate_text(found, "net: 1 place\n");
  EXPECT_EQ(text.rfind("net: 1 place\n\n  states     1,000 to 8,000, likely 2,000\n             somehow\n", 0), 0U)
      << text;
  EXPECT_NE(text.find("delta      4.00 KiB"), std::string::npos) << text;
  const std::string json = estimate_json(found, "1", "net");
  EXPECT_NE(json.find("\"states_exact\": false"), std::string::npos) << json;
}

// Store bytes.

TEST(PackedBytes, OfSlotsAreWhatTheStoreTakes) {
  for (const unsigned bits : {14U, 20U, 30U, 32U, 40U, 50U, 64U}) {
    for (const std::uint64_t keys : {100U, 5000U, 90'000U, 700'000U}) {
      if (bits < 20 && keys > 10'000) continue;
      SlotStore store(bits);
      Dice dice(bits + keys);
      std::vector<std::uint64_t> key(1);
      while (store.size() < keys) {
        key[0] = dice.next() & (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1);
        store.insert(key);
      }
      const auto foretold = static_cast<double>(slot_store_bytes(bits, keys));
      const auto taken = static_cast<double>(store.bytes());
      const double granularity = 2.2 * (1 << 20);  // arrays grow by whole huge pages
      EXPECT_NEAR(foretold, taken, 0.1 * taken + granularity) << bits << " bits, " << keys << " keys";
    }
  }
}

TEST(PackedBytes, OfDenseRowsAreWhatTheStoreTakes) {
  for (const std::uint64_t keys : {1000U, 100'000U, 600'000U}) {
    DenseStore store(2, 12, {3, 5});
    for (std::uint64_t i = 0; i < keys; ++i) {
      const std::uint64_t key[] = {i * 0x9E3779B97F4A7C15U, i & 0xFFFF'FFFF};
      const std::uint64_t hash = store.linear_hash(key);
      RowStore::Inserted inserted;
      store.insert(key, std::span(&hash, 1), {}, std::span(&inserted, 1));
    }
    const auto taken = static_cast<double>(store.bytes());
    EXPECT_NEAR(static_cast<double>(DenseStore::bytes_for(12, keys)), taken, 0.1 * taken + 4.4 * (1 << 20)) << keys;
  }
}

}  // namespace
}  // namespace dcheck::test
