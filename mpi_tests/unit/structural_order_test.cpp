// A net's structural order: the same whatever the file's order, and the same net.

#include "dcheck/net/structural_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

template <typename Id>
std::vector<Id> shuffled_ids(std::size_t count, Dice& dice) {
  std::vector<Id> ids(count);
  for (std::size_t i = 0; i < count; ++i) ids[i] = static_cast<Id>(i);
  for (std::size_t i = count; i > 1; --i) std::swap(ids[i - 1], ids[dice.next() % i]);
  return ids;
}

Net shuffled(const Net& net, Dice& dice) {
  return renumbered(
      net, {shuffled_ids<Place>(net.place_count(), dice), shuffled_ids<Transition>(net.transition_count(), dice)});
}

Net ordered(const Net& net) {
  return renumbered(net, structural_order(net));
}

void expect_equal_but_for_names(const Net& a, const Net& b) {
  ASSERT_EQ(a.place_count(), b.place_count());
  ASSERT_EQ(a.transition_count(), b.transition_count());
  EXPECT_TRUE(std::equal(a.initial().begin(), a.initial().end(), b.initial().begin()));
  for (std::size_t i = 0; i < a.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    const auto same = [](std::span<const Arc> x, std::span<const Arc> y) {
      return std::equal(x.begin(), x.end(), y.begin(), y.end());
    };
    EXPECT_TRUE(same(a.pre(t), b.pre(t)) && same(a.post(t), b.post(t)) && same(a.inhibitors(t), b.inhibitors(t))) << i;
    EXPECT_EQ(a.guard(t) == nullptr, b.guard(t) == nullptr);
    if (a.guard(t) != nullptr && b.guard(t) != nullptr) {
      EXPECT_EQ(*a.guard(t), *b.guard(t));
    }
  }
}

class StructuralOrderOfRandomNets : public testing::TestWithParam<std::uint64_t> {};

TEST_P(StructuralOrderOfRandomNets, DoesNotDependOnTheOrderOfTheFile) {
  Dice dice(GetParam());
  for (int i = 0; i < 100; ++i) {
    const Net net = random_net(dice.next());
    SCOPED_TRACE(i);
    expect_equal_but_for_names(ordered(net), ordered(shuffled(net, dice)));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, StructuralOrderOfRandomNets, testing::Range<std::uint64_t>(0, 5));

constexpr std::string_view ring = R"(
  param N = 7;
  place left[0..N-1] init 1, eats[0..N-1];
  for i in 0..N-1 {
    trans take[i] : left[i] + left[(i + 1) % N] -> eats[i];
    trans give[i] : eats[i] -> left[i] + left[(i + 1) % N];
  }
  place spare init 3, gone;
  trans lose when spare > 1 : spare -> gone;
  let busy = exists i in 0..N-1 : eats[i] == 1;
  check some : EF (busy && fireable(lose));
)";

TEST(StructuralOrder, TellsSymmetricNodesApartOneByOne) {
  const Net net = parse_spn(ring, "ring.spn", {}).net;
  Dice dice(1);
  for (int i = 0; i < 20; ++i) expect_equal_but_for_names(ordered(net), ordered(shuffled(net, dice)));
}

TEST(StructuralOrder, KeepsNamesWithTheirNodes) {
  const Net net = parse_spn(ring, "ring.spn", {}).net;
  const Net moved = ordered(net);
  for (std::size_t i = 0; i < net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    const Transition other = *moved.find_transition(net.name(t));
    ASSERT_EQ(net.pre(t).size(), moved.pre(other).size());
    for (const Arc& arc : net.pre(t)) {
      const Arc expected{*moved.find_place(net.name(arc.place)), arc.weight};
      EXPECT_NE(std::find(moved.pre(other).begin(), moved.pre(other).end(), expected), moved.pre(other).end());
    }
  }
}

TEST(StructuralOrder, RemembersHowThePlacesWereWritten) {
  const Net net = parse_spn(ring, "ring.spn", {}).net;
  const Net moved = ordered(ordered(net));
  const std::vector<Place> written = moved.places_as_written();
  for (std::size_t i = 0; i < written.size(); ++i) EXPECT_EQ(moved.name(written[i]), net.name(static_cast<Place>(i)));
}

TEST(StructuralOrder, WithoutStepsIsStillAnOrder) {
  const Net net = parse_spn(ring, "ring.spn", {}).net;
  const Renumbering numbers = structural_order(net, 0);
  std::vector<bool> is_taken(net.place_count(), false);
  for (const Place p : numbers.place) {
    ASSERT_LT(index(p), net.place_count());
    EXPECT_FALSE(is_taken[index(p)]);
    is_taken[index(p)] = true;
  }
}

TEST(StructuralOrder, OfAModelKeepsItsPropertiesAndDefinitions) {
  const Model model = parse_spn(ring, "ring.spn", {});
  const Model moved = in_structural_order(parse_spn(ring, "ring.spn", {}));
  // The same text read against the moved net gives what the moved model has.
  const Formula again = parse_formula("EF (busy && fireable(lose))", "test", moved);
  EXPECT_EQ(moved.checks.at(0).formula, again);
  const NaiveGraph before = explore_naively(model.net);
  const NaiveGraph after = explore_naively(moved.net);
  EXPECT_EQ(before.markings.size(), after.markings.size());
}

}  // namespace
}  // namespace dcheck::test
