#include "dcheck/net/net_builder.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <functional>
#include <limits>

#include "dcheck/base/error.hpp"

namespace dcheck {
namespace {

constexpr Tokens largest = std::numeric_limits<Tokens>::max();

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<Arc> listed(std::span<const Arc> arcs) {
  return {arcs.begin(), arcs.end()};
}

TEST(NetBuilder, ParallelArcsAreAddedUpAndSortedByPlace) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p", 5);
  const Place q = builder.add_place("q");
  const Transition t = builder.add_transition("t");
  builder.add_input(t, q, 1);
  builder.add_input(t, p, 2);
  builder.add_input(t, q, 3);
  builder.add_output(t, p, 2);
  builder.add_output(t, q, 1);
  const Net net = builder.build();
  EXPECT_EQ(listed(net.pre(t)), (std::vector<Arc>{{p, 2}, {q, 4}}));
  EXPECT_EQ(listed(net.post(t)), (std::vector<Arc>{{p, 2}, {q, 1}}));
  EXPECT_EQ(listed(net.effect(t)), (std::vector<Arc>{{q, -3}}));
}

TEST(NetBuilder, EffectKeepsTheRunsOfTransitionsApart) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  const Place q = builder.add_place("q");
  const Transition none = builder.add_transition("none");
  const Transition make = builder.add_transition("make");
  const Transition move = builder.add_transition("move");
  builder.add_output(make, q, 7);
  builder.add_input(move, q, 1);
  builder.add_output(move, p, 1);
  const Net net = builder.build();
  EXPECT_TRUE(net.effect(none).empty());
  EXPECT_EQ(listed(net.effect(make)), (std::vector<Arc>{{q, 7}}));
  EXPECT_EQ(listed(net.effect(move)), (std::vector<Arc>{{p, 1}, {q, -1}}));
}

TEST(NetBuilder, SeveralInhibitorsOnAPlaceKeepTheSmallestThreshold) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p", 2);
  const Transition t = builder.add_transition("t");
  builder.add_inhibitor(t, p, 5);
  builder.add_inhibitor(t, p, 3);
  builder.add_inhibitor(t, p, 4);
  const Net net = builder.build();
  EXPECT_EQ(listed(net.inhibitors(t)), (std::vector<Arc>{{p, 3}}));
  EXPECT_TRUE(net.has_inhibitors());
  EXPECT_TRUE(net.is_enabled(t, std::vector<Tokens>{2}));
  EXPECT_FALSE(net.is_enabled(t, std::vector<Tokens>{3}));
}

TEST(NetBuilder, SeveralGuardsMustAllHold) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  const Transition t = builder.add_transition("t");
  for (const Tokens forbidden : {1, 3, 4}) {
    builder.add_guard(
        t, Expression::of(Expression::Kind::not_equal, {Expression::tokens_in(p), Expression::constant_of(forbidden)}));
  }
  const Net net = builder.build();
  std::vector<Tokens> enabled_at;
  for (Tokens m = 0; m < 6; ++m) {
    if (net.is_enabled(t, std::vector<Tokens>{m})) enabled_at.push_back(m);
  }
  EXPECT_EQ(enabled_at, (std::vector<Tokens>{0, 2, 5}));
  EXPECT_TRUE(net.has_guards());
}

TEST(NetBuilder, DuplicateNamesAreInputErrorsThatNameThem) {
  NetBuilder builder("n");
  builder.add_place("same");
  builder.add_transition("same");
  EXPECT_NE(message_of([&] { builder.add_place("same"); }).find("'same' is declared twice"), std::string::npos);
  EXPECT_NE(message_of([&] { builder.add_transition("same"); }).find("'same' is declared twice"), std::string::npos);
}

TEST(NetBuilder, WeightsMustBePositiveAndMarkingsNotNegative) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  const Transition t = builder.add_transition("t");
  EXPECT_THROW(builder.add_input(t, p, 0), InputError);
  EXPECT_THROW(builder.add_output(t, p, -1), InputError);
  EXPECT_THROW(builder.add_inhibitor(t, p, 0), InputError);
  EXPECT_THROW(builder.set_initial(p, -1), InputError);
  EXPECT_THROW(builder.add_place("q", -3), InputError);
}

TEST(NetBuilder, ParallelArcsBeyond63BitsAreAnInputError) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p", largest);
  const Transition t = builder.add_transition("t");
  builder.add_input(t, p, largest);
  builder.add_input(t, p, 1);
  EXPECT_NE(message_of([&] { builder.build(); }).find("more than 2^63 - 1"), std::string::npos);
}

TEST(NetBuilder, TheLargestWeightIsKept) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p", largest);
  const Transition t = builder.add_transition("t");
  builder.add_input(t, p, largest);
  const Net net = builder.build();
  EXPECT_EQ(listed(net.effect(t)), (std::vector<Arc>{{p, -largest}}));
}

TEST(NetBuilder, BuildingEmptiesTheBuilder) {
  NetBuilder builder("first");
  builder.add_place("p");
  EXPECT_EQ(builder.build().place_count(), 1U);
  EXPECT_EQ(builder.place_count(), 0U);
  builder.add_place("p");
  const Net second = builder.build();
  EXPECT_EQ(second.place_count(), 1U);
  EXPECT_EQ(second.name(), "");
}

TEST(NetBuilder, IndicesItDidNotHandOutAreRefused) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  const Transition t = builder.add_transition("t");
  EXPECT_THROW(builder.add_input(t, Place{1}, 1), std::out_of_range);
  EXPECT_THROW(builder.add_output(Transition{1}, p, 1), std::out_of_range);
  EXPECT_THROW(builder.set_units({{"u", {Place{4}}, {}}}, true), std::out_of_range);
  EXPECT_THROW(builder.set_units({{"u", {p}, {1}}}, true), std::out_of_range);
}

TEST(Net, NamesAreFoundAndUnknownOnesAreNot) {
  NetBuilder builder("n");
  builder.add_place("p");
  const Place q = builder.add_place("q");
  const Transition t = builder.add_transition("p");
  const Net net = builder.build();
  EXPECT_EQ(net.find_place("q"), q);
  EXPECT_EQ(net.find_transition("p"), t);
  EXPECT_EQ(net.find_place("r"), std::nullopt);
  EXPECT_EQ(net.find_transition("q"), std::nullopt);
}

TEST(Net, RatesAndUnitsAreKept) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p");
  const Transition t = builder.add_transition("t");
  const Transition u = builder.add_transition("u");
  builder.set_rate(t, 0.84);
  builder.set_units({{"root", {}, {1}}, {"leaf", {p}, {}}}, true);
  const Net net = builder.build();
  EXPECT_EQ(net.rate(t), 0.84);
  EXPECT_EQ(net.rate(u), std::nullopt);
  ASSERT_EQ(net.units().size(), 2U);
  EXPECT_EQ(net.units()[0].subunits, std::vector<std::uint32_t>{1});
  EXPECT_TRUE(net.units_claim_safe());
}

TEST(NetBuilder, TenThousandPlacesAndAHundredThousandTransitionsAreBuiltQuickly) {
  NetBuilder builder("large");
  for (std::uint32_t p = 0; p < 10'000; ++p) builder.add_place("place_" + std::to_string(p));
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    const Transition t = builder.add_transition("transition_" + std::to_string(i));
    for (std::uint32_t k = 0; k < 4; ++k) {
      builder.add_input(t, Place{(i * 7 + k * 13) % 10'000}, 1);
      builder.add_output(t, Place{(i * 11 + k * 17) % 10'000}, 1);
    }
  }
  const std::clock_t begin = std::clock();
  const Net net = builder.build();
  EXPECT_LT(std::clock() - begin, 2 * CLOCKS_PER_SEC);  // measured: 0.05 s; sanitizers need more
  EXPECT_EQ(net.transition_count(), 100'000U);
}

}  // namespace
}  // namespace dcheck
