// Large nets, large numbers: fewer results where it must be, never wrong ones, and never a hang.

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <functional>

#include "dcheck/net/net_builder.hpp"
#include "dcheck/net/structure.hpp"
#include "net/kernel.hpp"
#include "support/random_net.hpp"

namespace dcheck {
namespace {

std::vector<Place> all_places(const Net& net) {
  std::vector<Place> places;
  for (std::uint32_t p = 0; p < net.place_count(); ++p) places.push_back(Place{p});
  return places;
}

/// Each invariant is orthogonal to each effect, and its constant is right.
void expect_valid(const Net& net, const std::vector<Invariant>& invariants) {
  for (const Invariant& invariant : invariants) {
    std::vector<Tokens> coefficients(net.place_count(), 0);
    Wide constant = 0;
    for (const LinearForm::Term& term : invariant.terms) {
      coefficients[index(term.place)] = term.coefficient;
      constant += Wide{term.coefficient} * net.initial()[index(term.place)];
    }
    ASSERT_TRUE(constant == invariant.constant);
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
      Wide sum = 0;
      for (const Arc& arc : net.effect(Transition{t})) sum += Wide{coefficients[index(arc.place)]} * arc.weight;
      ASSERT_TRUE(sum == 0);
    }
  }
}

#ifdef __SANITIZE_ADDRESS__
constexpr double slowdown = 30;
#else
constexpr double slowdown = 1;
#endif

/// Processor time, which a busy machine does not change much, as it would be without sanitizers.
double seconds_of(const std::function<void()>& action) {
  const std::clock_t begin = std::clock();
  action();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / slowdown;
}

/// Moves `take` tokens from one place into `give` tokens of another.
void add_move(NetBuilder& builder, Place from, Tokens take, Place to, Tokens give) {
  const Transition t = builder.add_transition("t" + std::to_string(builder.transition_count()));
  builder.add_input(t, from, take);
  builder.add_output(t, to, give);
}

Net ring(std::uint32_t n) {
  NetBuilder builder("ring");
  for (std::uint32_t i = 0; i < n; ++i) builder.add_place("p" + std::to_string(i), i == 0 ? 1 : 0);
  for (std::uint32_t i = 0; i < n; ++i) add_move(builder, Place{i}, 1, Place{(i + 1) % n}, 1);
  return builder.build();
}

TEST(LargeNet, ARingOfTenThousandPlacesTakesLessThanASecond) {
  const Net net = ring(10'000);
  Structure structure;
  EXPECT_LT(seconds_of([&] { structure = analyse(net); }), 1.0);
  ASSERT_EQ(structure.invariants.size(), 1U);
  EXPECT_EQ(structure.invariants[0].terms.size(), 10'000U);
  ASSERT_EQ(structure.semiflows.size(), 1U);
  EXPECT_TRUE(std::ranges::all_of(structure.bounds, [](const auto& bound) { return bound == 1; }));
  std::vector<Dependent> dependents;
  EXPECT_LT(seconds_of([&] { dependents = solve_for_dependents(net, structure, all_places(net)); }), 1.0);
  ASSERT_EQ(dependents.size(), 1U);
  EXPECT_EQ(dependents[0].place, Place{9'999});
}

TEST(LargeNet, TwoThousandRingsThatShareAResourceAreSolved) {
  NetBuilder builder("workers");
  constexpr std::uint32_t workers = 2'000;
  const Place resource = builder.add_place("resource", 3);
  for (std::uint32_t i = 0; i < workers; ++i) {
    const std::string number = std::to_string(i);
    const Place idle = builder.add_place("idle" + number, 1), busy = builder.add_place("busy" + number),
                done = builder.add_place("done" + number);
    const Transition start = builder.add_transition("start" + number), stop = builder.add_transition("stop" + number),
                     rest = builder.add_transition("rest" + number);
    builder.add_input(start, idle, 1);
    builder.add_input(start, resource, 1);
    builder.add_output(start, busy, 1);
    builder.add_input(stop, busy, 1);
    builder.add_output(stop, resource, 1);
    builder.add_output(stop, done, 1);
    builder.add_input(rest, done, 1);
    builder.add_output(rest, idle, 1);
  }
  const Net net = builder.build();
  Structure structure;
  EXPECT_LT(seconds_of([&] { structure = analyse(net); }), 2.0);
  EXPECT_EQ(structure.invariants.size(), workers + 1U);
  EXPECT_EQ(structure.semiflows.size(), workers + 1U);
  EXPECT_EQ(structure.bounds[index(resource)], 3);
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(solve_for_dependents(net, structure, all_places(net)).size(), workers + 1U); }),
            1.0);
}

/// Arcs at random: elimination fills up.
Net dense_net(std::int64_t places, int transitions) {
  test::Dice dice(3);
  NetBuilder builder("dense");
  for (std::int64_t p = 0; p < places; ++p) builder.add_place("p" + std::to_string(p), dice.between(0, 1));
  for (int i = 0; i < transitions; ++i) {
    const Transition t = builder.add_transition("t" + std::to_string(i));
    for (int k = 0; k < 4; ++k) {
      builder.add_input(t, Place{static_cast<std::uint32_t>(dice.between(0, places - 1))}, 1);
      builder.add_output(t, Place{static_cast<std::uint32_t>(dice.between(0, places - 1))}, 1);
    }
  }
  return builder.build();
}

TEST(LargeNet, ADenseRandomNetEndsInTime) {
  const Net net = dense_net(1'000, 950);
  Structure structure;
  EXPECT_LT(seconds_of([&] { structure = analyse(net); }), 5.0);
  expect_valid(net, structure.invariants);
  expect_valid(net, structure.semiflows);
}

TEST(Kernel, FewerStepsGiveFewerVectorsThatAreStillInTheKernel) {
  const Net net = dense_net(60, 30);
  const std::size_t all = kernel_basis(net, 1'000'000'000, endless_patience()).size();
  EXPECT_GE(all, 30U);
  std::size_t incomplete = 0;
  for (std::size_t steps = 0; steps < 20'000; steps = steps * 2 + 1) {
    const std::vector<KernelVector> basis = kernel_basis(net, steps, endless_patience());
    incomplete += basis.size() < all ? 1 : 0;
    std::vector<Invariant> invariants;
    for (const KernelVector& vector : basis) {
      Invariant invariant;
      for (const Entry& entry : vector.row) {
        invariant.terms.push_back({Place{entry.column}, entry.value});
        invariant.constant += entry.value * net.initial()[entry.column];
      }
      for (const KernelVector& other : basis) {
        ASSERT_EQ(value_at(other.row, vector.own) != 0, other.own == vector.own);
      }
      invariants.push_back(std::move(invariant));
    }
    expect_valid(net, invariants);
  }
  EXPECT_GT(incomplete, 3U);
}

/// Two rings that move together: either's place will do at each step, so there are 2^n minimal semiflows.
TEST(LargeNet, ExponentiallyManySemiflowsEndWithinTheBudget) {
  NetBuilder builder("choices");
  constexpr std::uint32_t n = 40;
  for (std::uint32_t i = 0; i < n; ++i) {
    builder.add_place("a" + std::to_string(i), i == 0 ? 1 : 0);
    builder.add_place("b" + std::to_string(i), i == 0 ? 1 : 0);
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const Transition t = builder.add_transition("t" + std::to_string(i));
    for (std::uint32_t k = 0; k < 2; ++k) {
      builder.add_input(t, Place{2 * i + k}, 1);
      builder.add_output(t, Place{(2 * i + 2 + k) % (2 * n)}, 1);
    }
  }
  const Net net = builder.build();
  Structure structure;
  EXPECT_LT(seconds_of([&] { structure = analyse(net); }), 10.0);
  EXPECT_EQ(structure.invariants.size(), n + 1U);
  expect_valid(net, structure.semiflows);
  EXPECT_TRUE(std::ranges::all_of(structure.bounds, [](const auto& bound) { return bound == 1; }));
}

TEST(LargeNumbers, WeightsOf2To40ThatMultiplyGiveFewerInvariants) {
  constexpr Tokens large = Tokens{1} << 40;
  NetBuilder builder("n");
  const Place a = builder.add_place("a", 1), b = builder.add_place("b"), c = builder.add_place("c"),
              x = builder.add_place("x", 2), y = builder.add_place("y");
  add_move(builder, a, 1, b, large);
  add_move(builder, b, 1, c, large);  // a = 2^80 c in any invariant
  add_move(builder, x, 1, y, 1);
  const Net net = builder.build();
  const Structure structure = analyse(net);
  expect_valid(net, structure.invariants);
  ASSERT_EQ(structure.invariants.size(), 1U);
  EXPECT_EQ(structure.invariants[0].terms, (std::vector<LinearForm::Term>{{x, 1}, {y, 1}}));
  EXPECT_EQ(structure.bounds[index(y)], 2);
  EXPECT_EQ(solve_for_dependents(net, structure, all_places(net)).size(), 1U);
}

TEST(LargeNumbers, AWeightOf2To62IsStillExact) {
  constexpr Tokens large = Tokens{1} << 62;
  NetBuilder builder("n");
  const Place a = builder.add_place("a", 1), b = builder.add_place("b");
  add_move(builder, a, 1, b, large);
  const Net net = builder.build();
  const Structure structure = analyse(net);
  ASSERT_EQ(structure.invariants.size(), 1U);
  EXPECT_EQ(structure.invariants[0].terms, (std::vector<LinearForm::Term>{{a, large}, {b, 1}}));
  EXPECT_EQ(structure.bounds[index(b)], large);
  EXPECT_TRUE(solve_for_dependents(net, structure, all_places(net)).empty());
}

TEST(LargeNumbers, TheLargestWeightsAndMarkingsAreNeverWrong) {
  constexpr Tokens most = INT64_MAX;
  NetBuilder builder("n");
  const Place a = builder.add_place("a", most), b = builder.add_place("b", most), c = builder.add_place("c", most);
  add_move(builder, a, most, b, most - 1);
  add_move(builder, b, most - 2, c, most);
  add_move(builder, c, 1, a, 1);
  const Net net = builder.build();
  const Structure structure = analyse(net);
  expect_valid(net, structure.invariants);
  expect_valid(net, structure.semiflows);
  solve_for_dependents(net, structure, all_places(net));
}

TEST(LargeNumbers, AConstantThatLeaves62BitsDropsTheInvariant) {
  NetBuilder builder("n");
  const Place a = builder.add_place("a", INT64_MAX), b = builder.add_place("b", INT64_MAX);
  add_move(builder, a, 1, b, 1);
  const Structure structure = analyse(builder.build());
  EXPECT_TRUE(structure.invariants.empty());
  EXPECT_TRUE(structure.semiflows.empty());
  EXPECT_EQ(structure.bounds[index(b)], std::nullopt);
}

TEST(LargeNumbers, RandomWeightsOfAllSizesNeverGiveAWrongInvariant) {
  test::Dice dice(5);
  std::size_t invariants = 0;
  for (int i = 0; i < 1'000; ++i) {
    NetBuilder builder("n");
    const auto places = dice.between(3, 8);
    for (std::int64_t p = 0; p < places; ++p) builder.add_place("p" + std::to_string(p), dice.between(0, 3));
    const auto place = [&] { return Place{static_cast<std::uint32_t>(dice.between(0, places - 1))}; };
    const auto weight = [&] { return (Tokens{1} << dice.between(0, 62)) - dice.between(0, 1) + 1; };
    for (auto transitions = dice.between(1, 6); transitions > 0; --transitions) {
      const Transition t = builder.add_transition("t" + std::to_string(transitions));
      for (int k = 0; k < 2; ++k) {
        const Place from = place();
        if (k == 0 || dice.one_in(2)) builder.add_input(t, from, std::min(weight(), Tokens{1} << 61));
        const Place to = place();
        if (k == 0 || dice.one_in(2)) builder.add_output(t, to, std::min(weight(), Tokens{1} << 61));
      }
    }
    const Net net = builder.build();
    const Structure structure = analyse(net);
    expect_valid(net, structure.invariants);
    expect_valid(net, structure.semiflows);
    solve_for_dependents(net, structure, all_places(net));  // throws where a result does not hold
    invariants += structure.invariants.size();
  }
  EXPECT_GT(invariants, 1'000U);
}

}  // namespace
}  // namespace dcheck
