// The walk that estimates how many states a class has.

#include "explore/undirected_walk.hpp"

#include <gtest/gtest.h>

#include <map>

#include "dcheck/net/net_builder.hpp"

namespace dcheck::test {
namespace {

TEST(UndirectedWalk, VisitsAllMarkingsEquallyOften) {
  // Five tokens in a chain of three places: 21 markings; going forwards only, all ends in the last place.
  NetBuilder build("chain");
  const Place a = build.add_place("a", 5), b = build.add_place("b"), c = build.add_place("c");
  for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c)}) {
    const Transition t = build.add_transition("t" + std::to_string(index(from)));
    build.add_input(t, from, 1);
    build.add_output(t, to, 1);
  }
  const Net net = build.build();
  UndirectedWalk walk(net, {5, 5, 5}, 1);
  std::map<std::vector<Tokens>, int> visits;
  for (int i = 0; i < 21'000; ++i) {
    walk.step(20);
    ++visits[walk.marking()];
  }
  EXPECT_EQ(visits.size(), 21U);
  for (const auto& [marking, count] : visits) {
    EXPECT_GT(count, 850);
    EXPECT_LT(count, 1150);
  }
}

TEST(UndirectedWalk, StaysWithinWhatPlacesMayHold) {
  NetBuilder build("source");
  const Place p = build.add_place("p", 1);
  const Transition t = build.add_transition("t");
  build.add_output(t, p, 1);
  const Transition sink = build.add_transition("sink");
  build.add_input(sink, p, 2);
  const Net net = build.build();
  UndirectedWalk walk(net, {4}, 1);
  for (int i = 0; i < 1000; ++i) {
    walk.step(1);
    ASSERT_GE(walk.marking()[0], 0);
    ASSERT_LE(walk.marking()[0], 4);
  }
}

}  // namespace
}  // namespace dcheck::test
