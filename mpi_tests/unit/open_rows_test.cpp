// Rows that wait, and the pages they lie on.

#include "dcheck/space/open_rows.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

TEST(OpenRows, AreTakenLastInFirstOutWithTheLanesThatWait) {
  constexpr std::size_t words = 2;
  OpenRows rows;
  rows.ensure(10, 3, words);
  rows.open_whole(4);
  rows.open(7, words)[1] |= 5;
  rows.open(7, words)[0] |= 1;
  EXPECT_EQ(rows.open(4, words), nullptr);  // all its lanes wait anyway
  rows.open_whole(2);
  EXPECT_EQ(rows.size(), 3U);
  const OpenRows::Taken whole = rows.take(words);
  EXPECT_EQ(whole.row, 2U);
  EXPECT_EQ(whole.lanes, nullptr);
  EXPECT_EQ(whole.key, nullptr);
  const auto [row, lanes, key] = rows.take(words);
  EXPECT_EQ(row, 7U);
  ASSERT_NE(lanes, nullptr);
  EXPECT_EQ(lanes[0], 1U);
  EXPECT_EQ(lanes[1], 5U);
  rows.ensure(10, 1, words);
  EXPECT_EQ(rows.open(7, words)[1], 0U);  // opened again: nothing waits yet
}

TEST(OpenRows, AgreeWithAMapThroughManyOpeningsAndTakings) {
  constexpr std::size_t words = 3;
  Dice dice(7);
  OpenRows rows;
  rows.keep_keys(1);
  std::uint64_t keyless = 0;  // entries below this one have no key any more
  std::vector<OpenRows::Row> order;
  std::map<OpenRows::Row, std::uint64_t> truth;  // the first word of what waits; all ones: everything
  for (int step = 0; step < 20'000; ++step) {
    const auto row = static_cast<OpenRows::Row>(dice.next() % 500);
    rows.ensure(500, 1, words);
    if (dice.one_in(3) && !rows.empty()) {
      const auto [taken, lanes, key] = rows.take(words);
      ASSERT_EQ(taken, order.back());
      ASSERT_EQ(key == nullptr, keyless > rows.size());
      if (key != nullptr) {
        ASSERT_EQ(*key, taken);
      }
      keyless = std::min(keyless, rows.size());
      ASSERT_EQ(lanes == nullptr ? ~std::uint64_t{0} : lanes[0], truth.at(taken));
      truth.erase(taken);
      order.pop_back();
    } else if (!truth.contains(row)) {
      order.push_back(row);
      truth[row] = dice.one_in(2) ? ~std::uint64_t{0} : 0;
      const std::uint64_t key = row;
      const bool has_key = !dice.one_in(100);
      if (!has_key) keyless = order.size();
      if (truth[row] != 0)
        rows.open_whole(row, has_key ? &key : nullptr);
      else
        rows.open(row, words, has_key ? &key : nullptr);
    }
    const std::uint64_t bit = std::uint64_t{1} << (dice.next() % 63);
    if (!truth.contains(row)) continue;
    if (std::uint64_t* const lanes = rows.open(row, words)) lanes[0] |= bit;
    truth[row] |= bit;
  }
  EXPECT_EQ(rows.size(), order.size());
}

TEST(PageArray, ThatWasUsedBeforeIsZeroAgain) {
  for (int round = 0; round < 5; ++round) {
    PageVector<std::uint64_t> pages;
    pages.ensure(3000);
    for (std::size_t i = 0; i < pages.capacity(); ++i) ASSERT_EQ(pages[i], 0U);
    for (std::size_t i = 0; i < pages.capacity(); ++i) pages[i] = ~std::uint64_t{0};
  }
}

TEST(PageArray, TakenAgainIsChargedToTheBudgetThatAsksForIt) {
  {
    PageVector<std::uint64_t> spare;
    spare.ensure(3000);
  }
  MemoryBudget budget;
  {
    PageVector<std::uint64_t> pages(&budget);
    pages.ensure(10);
    EXPECT_EQ(budget.used, pages.capacity() * 8);
  }
  EXPECT_EQ(budget.used, 0U);
}

}  // namespace
}  // namespace dcheck::test
