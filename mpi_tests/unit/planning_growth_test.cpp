// What is done before the first state is fired: its memory and its work grow with the net, not with the square of it,
// and it ends when patience does. Memory is counted, not measured: this program has its own operator new.

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/ctl/core.hpp"
#include "dcheck/net/sample.hpp"
#include "dcheck/rows/plan.hpp"
#include "support/large_net.hpp"

namespace {

std::atomic<std::size_t> live_bytes = 0, most_bytes = 0, all_bytes = 0;

void note_taken(std::size_t bytes) {
  all_bytes += bytes;
  const std::size_t live = live_bytes += bytes;
  if (live > most_bytes) most_bytes = live;
}

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  note_taken(malloc_usable_size(memory));
  return memory;
}

void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  void* const memory = std::malloc(bytes);
  if (memory != nullptr) note_taken(malloc_usable_size(memory));
  return memory;
}

void operator delete(void* memory) noexcept {
  live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  operator delete(memory);
}

namespace dcheck {
namespace {

/// Everything that is done on one rank before rows are explored, with no leaf and without a limit.
void plan_without_lanes(const Net& net, Patience& patience) {
  const Structure structure = analyse(net, semiflow_budget, patience);
  const Sample sample = take_sample(net, 150'000, patience);
  PlanRequest request;
  request.marked_share = sample.marked_share;
  for (const Tokens tokens : sample.largest)
    request.min_width.push_back(bit_width_of(static_cast<std::uint64_t>(tokens)));
  make_plan(net, structure, request, patience);
}

void simplify_a_sum_of_all_places(const Net& net, Patience& /*patience*/) {
  const Structure structure = analyse(net);
  Expression sum = Expression::of(Expression::Kind::add);
  for (std::uint32_t p = 0; p < net.place_count(); ++p) sum.children.push_back(Expression::tokens_in(Place{p}));
  simplified(Expression::of(Expression::Kind::less, {std::move(sum), Expression::constant_of(1)}), net, structure);
}

void search_for_growth(const Net& net, Patience& patience) {
  find_unbounded(net, 4000, patience);
}

struct Cost {
  double most_bytes = 0;  // at once, beside the net
  double all_bytes = 0;   // taken, also where they were given back
  double steps = 0;       // that patience was asked for
};

using Work = void (*)(const Net&, Patience&);

Cost cost_of(Work work, const Net& net) {
  std::size_t looks = 0;
  Patience patience([&] { ++looks; });
  const std::size_t before = live_bytes;
  most_bytes = before;
  all_bytes = 0;
  work(net, patience);
  return {static_cast<double>(most_bytes - before), static_cast<double>(all_bytes), static_cast<double>(looks)};
}

class Growth : public testing::TestWithParam<test::Shape> {
 protected:
  static constexpr std::uint32_t small = 3000, factor = 8;

  /// Twice what would be linear: well below the square.
  static void expect_linear(Work work) {
    const Net small_net = GetParam().make(small);
    const Net large_net = GetParam().make(small * factor);
    const Cost least = cost_of(work, small_net);
    const Cost cost = cost_of(work, large_net);
    EXPECT_LE(cost.most_bytes, 2 * factor * least.most_bytes + 1e6);
    EXPECT_LE(cost.all_bytes, 2 * factor * least.all_bytes + 1e6);
    EXPECT_LE(cost.steps, 2 * factor * least.steps + 4 * factor);
    EXPECT_LE(cost.most_bytes, 1024.0 * static_cast<double>(test::node_count(large_net)) + 64e6);
  }
};

TEST_P(Growth, OfPlanningIsLinear) {
  expect_linear(plan_without_lanes);
}

TEST_P(Growth, OfSimplifyingASumOfAllPlacesIsLinear) {
  expect_linear(simplify_a_sum_of_all_places);
}

TEST_P(Growth, OfTheSearchForAnUnboundedPlaceIsLinear) {
  expect_linear(search_for_growth);
}

TEST_P(Growth, OfPlanningEndsWhenPatienceDoes) {
  const Net net = GetParam().make(small * factor);
  std::size_t looks = 0;
  Patience counting([&] { ++looks; });
  plan_without_lanes(net, counting);
  ASSERT_GE(looks, 1U);
  for (std::size_t last = 1; last <= looks; last += 1 + looks / 5) {
    std::size_t left = last;
    Patience patience([&] {
      if (--left == 0) throw ResourceError("enough");
    });
    EXPECT_THROW(plan_without_lanes(net, patience), ResourceError) << "at look " << last << " of " << looks;
  }
}

INSTANTIATE_TEST_SUITE_P(Large, Growth, testing::ValuesIn(test::large_shapes()),
                         [](const auto& shape) { return shape.param.name; });

TEST(Patience, LooksOnceInManyStepsAndForALargeStepAtOnce) {
  std::size_t looks = 0;
  Patience patience([&] { ++looks; });
  for (int i = 0; i < 1000; ++i) patience.spend(1);
  EXPECT_EQ(looks, 0U);
  for (int i = 0; i < 1'000'000; ++i) patience.spend(1);
  EXPECT_GE(looks, 10U);
  EXPECT_LE(looks, 1000U);
  const std::size_t before = looks;
  patience.spend(std::size_t{1} << 62);
  EXPECT_EQ(looks, before + 1);
}

}  // namespace
}  // namespace dcheck
