// The walk that estimates how many states a class has.

#include "owners/undirected_walk.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>

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

/// Ten processes, one of which may work at a time: it turns many switches, and only when all are off may it stop. So
/// the parts of the state space, one a process, are joined by one marking.
Net star_net() {
  constexpr int processes = 10, switches = 8;
  NetBuilder build("star");
  const Place free = build.add_place("free", 1);
  for (int i = 0; i < processes; ++i) {
    const Place works = build.add_place("works" + std::to_string(i));
    const Transition start = build.add_transition("start" + std::to_string(i));
    const Transition stop = build.add_transition("stop" + std::to_string(i));
    build.add_input(start, free, 1);
    build.add_output(start, works, 1);
    build.add_input(stop, works, 1);
    build.add_output(stop, free, 1);
    for (int k = 0; k < switches; ++k) {
      const std::string name = std::to_string(i) + "_" + std::to_string(k);
      const Place off = build.add_place("off" + name), on = build.add_place("on" + name);
      const Transition turn = build.add_transition("turn" + name), back = build.add_transition("back" + name);
      build.add_output(start, off, 1);
      build.add_input(stop, off, 1);
      for (const auto& [t, from, to] : {std::tuple(turn, off, on), std::tuple(back, on, off)}) {
        build.add_input(t, from, 1);
        build.add_output(t, to, 1);
      }
    }
  }
  return build.build();
}

std::map<std::string, int> markings_by_worker(const Net& net, std::uint64_t seed) {
  std::map<std::string, int> seen;
  walk_often(net, std::vector<Tokens>(net.place_count(), 1), seed, {200'000, 1000},
             [&](const std::vector<Tokens>& marking) {
               for (std::size_t p = 0; p < marking.size(); ++p) {
                 const auto name = std::string(net.name(static_cast<Place>(p)));
                 if (marking[p] != 0 && name.starts_with("works")) ++seen[name];
               }
             });
  return seen;
}

TEST(UndirectedWalk, ManyWalksSeeAllPartsThatOneMarkingJoins) {
  const Net net = star_net();
  const std::map<std::string, int> seen = markings_by_worker(net, 1);
  EXPECT_EQ(seen.size(), 10U);
  for (const auto& [worker, count] : seen) EXPECT_LT(count, 300) << worker;
}

TEST(UndirectedWalk, ManyWalksDependOnTheirSeedOnly) {
  const Net net = star_net();
  EXPECT_EQ(markings_by_worker(net, 7), markings_by_worker(net, 7));
  EXPECT_NE(markings_by_worker(net, 7), markings_by_worker(net, 8));
}

TEST(UndirectedWalk, LooksAtAsManyMarkingsAsWanted) {
  const Net net = star_net();
  for (const std::size_t markings : {0U, 1U, 63U, 64U, 1000U}) {
    std::size_t looks = 0;
    walk_often(net, std::vector<Tokens>(net.place_count(), 1), 1, {5000, markings},
               [&](const std::vector<Tokens>&) { ++looks; });
    EXPECT_EQ(looks, markings);
  }
}

}  // namespace
}  // namespace dcheck::test
