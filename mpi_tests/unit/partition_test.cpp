// Sharing out classes: even weights first, then few cut edges.

#include "dcheck/owners/partition.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

/// A grid of classes of weight 10, an edge of weight 1 between neighbours.
ClassGraph grid(std::uint32_t width, std::uint32_t height) {
  std::vector<ClassArcs> arcs;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x) {
      if (x + 1 < width) arcs.push_back({y * width + x, y * width + x + 1, 1});
      if (y + 1 < height) arcs.push_back({(y + 1) * width + x, y * width + x, 1});
    }
  return make_class_graph(std::vector<std::uint64_t>(std::size_t{width} * height, 10), arcs);
}

TEST(Partition, AGraphHasOneEdgeForAllArcsBetweenTwoClasses) {
  const ClassGraph graph = make_class_graph({1, 2, 3}, {{0, 1, 4}, {1, 0, 5}, {2, 2, 7}, {1, 2, 1}});
  ASSERT_EQ(graph.size(), 3U);
  ASSERT_EQ(graph.edges_of(0).size(), 1U);
  EXPECT_EQ(graph.edges_of(0)[0].to, 1U);
  EXPECT_EQ(graph.edges_of(0)[0].weight, 9U);
  EXPECT_EQ(graph.edges_of(1).size(), 2U);
  EXPECT_EQ(graph.edges_of(2).size(), 1U) << "an arc inside a class is no edge";
}

TEST(Partition, AGridIsCutAcrossItsShortSide) {
  const ClassGraph graph = grid(24, 8);
  const auto owner = partition(graph, 2);
  EXPECT_LT(imbalance(weights_of_ranks(graph, 2, owner)), 0.03);
  EXPECT_LE(cut_weight(graph, owner), 10U) << "the best cut has 8 edges";
}

TEST(Partition, WeightsAreEvenForAnyNumberOfRanks) {
  const ClassGraph graph = grid(40, 40);
  for (const int ranks : {1, 2, 3, 7, 16, 52}) {
    auto owner = partition(graph, ranks);
    rebalance(graph, ranks, 0.05, owner);
    EXPECT_LE(imbalance(weights_of_ranks(graph, ranks, owner)), 0.07) << ranks;
    EXPECT_LT(cut_weight(graph, owner), 1100U) << "a third of all edges";
  }
}

TEST(Partition, RandomGraphsAreSharedOutCompletely) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Dice dice(seed);
    const auto classes = static_cast<std::uint32_t>(dice.between(0, 60));
    std::vector<std::uint64_t> weight;
    for (std::uint32_t c = 0; c < classes; ++c) weight.push_back(static_cast<std::uint64_t>(dice.between(0, 20)));
    std::vector<ClassArcs> arcs;
    for (std::uint32_t i = 0; classes != 0 && i < 3 * classes; ++i)
      arcs.push_back({static_cast<std::uint32_t>(dice.between(0, classes - 1)),
                      static_cast<std::uint32_t>(dice.between(0, classes - 1)),
                      static_cast<std::uint32_t>(dice.between(1, 9))});
    const ClassGraph graph = make_class_graph(weight, arcs);
    const int ranks = static_cast<int>(dice.between(1, 9));
    auto owner = partition(graph, ranks);
    ASSERT_EQ(owner.size(), classes);
    for (const std::uint16_t rank : owner) ASSERT_LT(rank, ranks);
    const double before = imbalance(weights_of_ranks(graph, ranks, owner));
    rebalance(graph, ranks, 0.01, owner);
    EXPECT_LE(imbalance(weights_of_ranks(graph, ranks, owner)), before);
    const auto shares = weights_of_ranks(graph, ranks, owner);
    EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}),
              std::accumulate(weight.begin(), weight.end(), std::uint64_t{0}));
  }
}

}  // namespace
}  // namespace dcheck::test
