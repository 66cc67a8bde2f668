// Enabled transitions found on stored keys against the net's own word, one transition at a time.

#include "engine/enabled_finder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "dcheck/net/marking.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

std::vector<std::size_t> found(EnabledFinder& finder, const std::vector<std::uint64_t>& key) {
  std::vector<std::size_t> numbers;
  finder.for_each(key.data(), [&](PlanTransition t) { numbers.push_back(index(t)); });
  std::ranges::sort(numbers);
  return numbers;
}

std::vector<std::size_t> enabled(const Plan& plan, std::span<const Tokens> marking) {
  std::vector<std::size_t> numbers;
  for (const PlanTransition t : plan.all_transitions())
    if (plan.net().is_enabled(plan.transition(t).id, marking)) numbers.push_back(index(t));
  return numbers;
}

/// Compares along a random walk that stays where fields have room, with new shares on the way.
void compare_on_walk(const Net& net, std::uint64_t seed) {
  PlanRequest request;
  request.min_width.assign(net.place_count(), 8);
  const Plan plan = make_plan(net, analyse(net), request);
  EnabledFinder finder(plan);
  Dice dice(seed);
  std::vector<Tokens> marking(net.initial().begin(), net.initial().end());
  for (int step = 0; step < 60; ++step) {
    if (std::ranges::any_of(marking, [](Tokens n) { return n > 200; })) return;
    const auto expected = enabled(plan, marking);
    ASSERT_EQ(found(finder, plan.stored_key(marking)), expected) << "seed " << seed << ", step " << step;
    if (expected.empty()) return;
    const auto chosen = static_cast<PlanTransition>(expected[dice.next() % expected.size()]);
    marking = fired(net, plan.transition(chosen).id, marking);
    if (step % 20 != 10) continue;
    std::vector<float> share(plan.key_places().size());
    for (float& s : share) s = static_cast<float>(dice.between(0, 10)) / 10;
    finder.learn(share);
  }
}

TEST(EnabledFinder, FindsWhatIsEnabledInRandomNets) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) compare_on_walk(random_net(seed), seed);
}

TEST(EnabledFinder, FindsOneOfThousandsThatShareSafePlaces) {
  // Two rings of 50 safe places, and a transition for every pair of places of both.
  constexpr std::size_t size = 50;
  NetBuilder build("pairs");
  std::vector<std::vector<Place>> rings(2);
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t i = 0; i < size; ++i)
      rings[r].push_back(build.add_place(std::string(1, "ab"[r]) + std::to_string(i), i == 0 ? 1 : 0));
  for (std::size_t i = 0; i < size * size; ++i) {
    const Transition t = build.add_transition("t" + std::to_string(i));
    for (std::size_t r = 0; r < 2; ++r) {
      const std::size_t at = r == 0 ? i / size : i % size;
      build.add_input(t, rings[r][at], 1);
      build.add_output(t, rings[r][(at + 1 + r) % size], 1);
    }
  }
  compare_on_walk(build.build(), 1);
}

}  // namespace
}  // namespace dcheck::test
