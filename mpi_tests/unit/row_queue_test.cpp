// Rows with one lane that wait: in which order they are taken, and whether their keys are read back.

#include "dcheck/space/row_queue.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

constexpr std::size_t words = 3;

/// Row r has the key r, 3 r, 9 r; nothing is stored.
class CountingStore final : public RowStore {
 public:
  CountingStore() : RowStore(words, {1, 1, 1}) {}

  void insert(std::span<const std::uint64_t>, std::span<const std::uint64_t>, std::span<const Via>,
              std::span<Inserted>) override {}
  void find(std::span<const std::uint64_t>, std::span<const std::uint64_t>, std::span<Row>) override {}
  void key(Row row, std::uint64_t* out) override {
    ++reads;
    for (std::size_t w = 0; w < words; ++w) out[w] = key_of(row)[w];
  }
  void for_each(const std::function<void(Row)>&) override {}
  std::uint64_t size() const override { return 0; }
  std::size_t bytes() const override { return 0; }
  StoreFigures figures() const override { return {}; }

  static std::vector<std::uint64_t> key_of(Row row) { return {row, std::uint64_t{3} * row, std::uint64_t{9} * row}; }

  std::uint64_t reads = 0;
};

RowQueue rows_in(Order order, Waiting waiting, MemoryBudget* budget = nullptr) {
  RowQueue rows(budget);
  rows.begin({.store = {}, .order = order, .waiting = waiting}, words);
  return rows;
}

/// Adds and takes at random, as a deque does; returns how many keys were read back.
std::uint64_t agree_with_a_deque(Order order, Waiting waiting, bool knows_all_keys) {
  RowQueue rows = rows_in(order, waiting);
  CountingStore store;
  std::deque<RowStore::Row> truth;
  RowStore::Row next = 0;
  Dice dice(5);
  std::vector<std::uint64_t> key(words);
  for (int step = 0; step < 60'000; ++step) {
    const bool grows = (step / 10'000) % 2 == 0;
    if (truth.empty() || (grows ? !dice.one_in(3) : dice.one_in(3))) {
      const bool knows_key = knows_all_keys || !dice.one_in(50);
      rows.add(next, knows_key ? CountingStore::key_of(next).data() : nullptr);
      truth.push_back(next++);
    } else {
      rows.begin_level();
      const RowStore::Row expected = order == Order::depth_first ? truth.back() : truth.front();
      order == Order::depth_first ? truth.pop_back() : truth.pop_front();
      EXPECT_EQ(rows.take(store, key.data(), words), expected);
      EXPECT_EQ(key, CountingStore::key_of(expected));
    }
    EXPECT_EQ(rows.size(), truth.size());
    if (testing::Test::HasFailure()) break;
  }
  return store.reads;
}

TEST(RowQueue, AreTakenOldestFirstOrYoungestFirstWithTheirKeys) {
  for (const Order order : {Order::breadth_first, Order::depth_first})
    for (const Waiting waiting : {Waiting::number, Waiting::full})
      for (const bool knows_all_keys : {false, true}) {
        const std::uint64_t reads = agree_with_a_deque(order, waiting, knows_all_keys);
        EXPECT_EQ(reads == 0, waiting == Waiting::full && knows_all_keys);
      }
}

TEST(RowQueue, YoungFirstAreTakenOnceEachAndTheYoungestSoon) {
  RowQueue rows = rows_in(Order::young_first, Waiting::number);
  CountingStore store;
  std::vector<std::uint64_t> key(words);
  Dice dice(9);
  std::set<RowStore::Row> waiting;
  RowStore::Row count = 0;
  const auto add = [&](std::int64_t most) {
    for (std::int64_t i = dice.between(0, most); i > 0; --i) waiting.insert(count++);
    rows.add_below(count);
  };
  add(1000);
  for (int step = 0; step < 20'000; ++step) {
    if (dice.one_in(300)) add(count < 30'000 ? 1000 : 0);
    const RowStore::Row asked = static_cast<RowStore::Row>(dice.between(0, count));
    ASSERT_EQ(rows.is_waiting(asked), asked >= count || waiting.contains(asked));
    ASSERT_EQ(rows.size(), waiting.size());
    if (waiting.empty()) break;
    const bool is_next_chosen = !rows.has_next();
    if (is_next_chosen) rows.begin_level();
    const RowStore::Row row = rows.take(store, key.data(), words);
    if (is_next_chosen) {
      const auto older = std::distance(waiting.find(row), waiting.end());
      ASSERT_LE(older, 256);
    }
    ASSERT_EQ(waiting.erase(row), 1U);
  }
  rows.for_each([&](RowStore::Row row) { EXPECT_EQ(waiting.erase(row), 1U); });
  EXPECT_TRUE(waiting.empty());
}

TEST(RowQueue, OfALaterLevelAreNotTaken) {
  RowQueue rows = rows_in(Order::breadth_first, Waiting::number);
  rows.add_below(4);
  EXPECT_FALSE(rows.has_next());
  EXPECT_TRUE(rows.has_next_level());
  rows.begin_level();
  CountingStore store;
  std::vector<std::uint64_t> key(words);
  EXPECT_EQ(rows.take(store, key.data(), words), 0U);
  rows.add_below(6);
  EXPECT_FALSE(rows.is_waiting(0));
  EXPECT_TRUE(rows.is_waiting(3));
  EXPECT_TRUE(rows.is_waiting(4));
  EXPECT_EQ(rows.size(), 5U);
}

TEST(RowQueue, InAQueueTakeNoMoreMemoryThanTheirLargestNumberNeeds) {
  MemoryBudget budget;
  RowQueue rows = rows_in(Order::breadth_first, Waiting::full, &budget);
  CountingStore store;
  std::vector<std::uint64_t> key(words);
  for (RowStore::Row row = 0; row < 1'000'000; ++row) {
    rows.add(row, CountingStore::key_of(row).data());
    rows.begin_level();
    if (row >= 1000) rows.take(store, key.data(), words);
  }
  EXPECT_EQ(key, CountingStore::key_of(998'999));
  EXPECT_EQ(budget.used, rows.bytes());
  EXPECT_LT(rows.bytes(), 4U << 20);
  EXPECT_EQ(store.reads, 0U);
}

}  // namespace
}  // namespace dcheck::test
