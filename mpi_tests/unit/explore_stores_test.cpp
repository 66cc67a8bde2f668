// What the store, the order and the waiting set are to an exploration, beside its counts.

#include <gtest/gtest.h>

#include "dcheck/explore/explore.hpp"
#include "dcheck/net/net_builder.hpp"

namespace dcheck::test {
namespace {

using Kind = StoreChoice::Kind;

constexpr Tokens most = 9;
constexpr std::uint64_t states = 1000, farthest = 27;  // steps from the initial marking

/// Places that count from 0 to `most` and back, each for itself: any state is near, but long ways lead there.
Net up_and_down_net() {
  NetBuilder build("up and down");
  for (const std::string name : {"a", "b", "c"}) {
    const Place up = build.add_place(name);
    const Place down = build.add_place(name + "_left", most);
    for (const bool is_up : {true, false}) {
      const Transition t = build.add_transition(name + (is_up ? "_up" : "_down"));
      build.add_input(t, is_up ? down : up, 1);
      build.add_output(t, is_up ? up : down, 1);
    }
  }
  return build.build();
}

Explored explored_with(ExploreOptions options, bool has_lanes = false) {
  static const Net net = up_and_down_net();
  options.lanes.kind = has_lanes ? LaneChoice::Kind::places : LaneChoice::Kind::off;
  if (has_lanes) options.lanes.places = {*net.find_place("a")};
  Explored explored = explore(net, analyse(net), options);
  EXPECT_TRUE(explored.figures.complete);
  EXPECT_EQ(explored.figures.states, states);
  return explored;
}

TEST(ExploreStores, ChainsOfABreadthFirstSearchAreShortestPaths) {
  ExploreOptions options;
  options.order = Order::breadth_first;
  options.store.kind = Kind::comback;
  const Exploration figures = explored_with(options).figures;
  EXPECT_EQ(figures.store.k, 0U);
  EXPECT_EQ(figures.store_figures.longest_chain, farthest);
  EXPECT_EQ(figures.store_figures.chain_links, states * farthest / 2);
  EXPECT_EQ(figures.store_figures.explicit_rows, 1U);
}

TEST(ExploreStores, DepthFirstIsDeep) {
  ExploreOptions options;
  options.store.kind = Kind::comback;
  options.store.k = 0;
  options.store.update_predecessors = false;
  options.order = Order::depth_first;
  EXPECT_GT(explored_with(options).figures.store_figures.longest_chain, 2 * farthest);
}

TEST(ExploreStores, CombackLimitsChainsWhereRowsAreNotHandledBreadthFirst) {
  ExploreOptions options;
  options.store.kind = Kind::comback;
  EXPECT_EQ(explored_with(options, true).figures.store.k, 100U);
  options.levels = true;
  EXPECT_EQ(explored_with(options, true).figures.store.k, 0U);
  options.levels = false;
  options.order = Order::depth_first;
  const Exploration figures = explored_with(options).figures;
  EXPECT_EQ(figures.store.k, 100U);
  EXPECT_LT(figures.store_figures.longest_chain, 100U);
  EXPECT_GT(figures.store_figures.explicit_by_k, 0U);
}

TEST(ExploreStores, OfDeltaHaveChainsOfLessThanTwentyLinksUnlessAskedOtherwise) {
  ExploreOptions options;
  options.store.kind = Kind::delta;
  const Exploration figures = explored_with(options).figures;
  EXPECT_EQ(figures.store.k, 20U);
  EXPECT_EQ(figures.store_figures.longest_chain, 19U);
  options.store.k = 3;
  EXPECT_EQ(explored_with(options).figures.store_figures.longest_chain, 2U);
}

TEST(ExploreStores, OfDifferenceHaveChainsOfLessThanTwentyLinksAndKeepThem) {
  ExploreOptions options;
  options.store.kind = Kind::difference;
  options.order = Order::depth_first;
  const Exploration figures = explored_with(options).figures;
  EXPECT_EQ(figures.store.k, 20U);
  EXPECT_EQ(figures.store_figures.longest_chain, 19U);
  EXPECT_EQ(figures.store_figures.updated_predecessors, 0U);
  options.store.k = 1;
  EXPECT_EQ(explored_with(options).figures.store_figures.explicit_rows, states);
}

TEST(ExploreStores, NothingIsReadBackWhereKeysWait) {
  for (const Order order : {Order::breadth_first, Order::depth_first})
    for (const bool has_lanes : {false, true}) {
      ExploreOptions options;
      options.store.kind = Kind::delta;
      options.store.cache_rows = 0;
      options.order = order;
      const Explored number = explored_with(options, has_lanes);
      EXPECT_GE(number.figures.store_figures.reads, number.figures.rows);
      options.waiting = Waiting::full;
      const Explored full = explored_with(options, has_lanes);
      EXPECT_LE(full.figures.store_figures.reads, 1U);  // the first row waits without its key
      EXPECT_GT(full.figures.worklist_bytes, number.figures.worklist_bytes);
    }
}

TEST(ExploreStores, SlotsAreForPackedRowsInBreadthFirstOrder) {
  ExploreOptions options;
  EXPECT_NE(explored_with(options).space->state.slots, nullptr);
  options.order = Order::depth_first;
  EXPECT_EQ(explored_with(options).space->state.slots, nullptr);
  options.order = Order::breadth_first;
  options.store.kind = Kind::delta;
  EXPECT_EQ(explored_with(options).space->state.slots, nullptr);
}

}  // namespace
}  // namespace dcheck::test
