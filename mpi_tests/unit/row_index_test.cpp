// The index of rows against a multimap.

#include "store/chains/row_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "dcheck/base/error.hpp"

namespace dcheck::test {
namespace {

using Row = RowIndex::Row;
using Truth = std::multimap<std::uint64_t, Row>;

std::vector<Row> rows_of(const RowIndex& index, std::uint64_t descriptor) {
  std::vector<Row> rows;
  for (auto at = index.first(descriptor); at.row != RowIndex::none; index.advance(at, descriptor))
    rows.push_back(at.row);
  std::ranges::sort(rows);
  return rows;
}

std::vector<Row> rows_of(const Truth& truth, std::uint64_t descriptor) {
  std::vector<Row> rows;
  const auto [begin, end] = truth.equal_range(descriptor);
  for (auto at = begin; at != end; ++at) rows.push_back(at->second);
  std::ranges::sort(rows);
  return rows;
}

/// Compares all descriptors that occur, and their neighbours, which mostly do not.
void expect_equal(const RowIndex& index, const Truth& truth, unsigned bits) {
  ASSERT_EQ(index.size(), truth.size());
  for (auto at = truth.begin(); at != truth.end(); at = truth.upper_bound(at->first))
    for (const std::uint64_t x : {(at->first - 1) & low_bits(bits), at->first, (at->first + 1) & low_bits(bits)})
      ASSERT_EQ(rows_of(index, x), rows_of(truth, x)) << "descriptor " << x << " of " << bits << " bits";
}

class RowIndexOfWidth : public testing::TestWithParam<unsigned> {
 protected:
  std::uint64_t random_number() { return mixed_bits(++_state * 0x9E3779B97F4A7C15U); }
  std::uint64_t random_descriptor() { return random_number() & low_bits(GetParam()); }
  /// Runs of equal descriptors cost the square of their length.
  std::size_t some_rows() const { return GetParam() < 8 ? 3'000 : GetParam() < 16 ? 20'000 : 150'000; }
  void insert(std::uint64_t descriptor, Row row) {
    _index.insert(descriptor, row);
    _truth.emplace(descriptor, row);
  }
  void expect_same() const { expect_equal(_index, _truth, GetParam()); }

  RowIndex _index{GetParam()};
  Truth _truth;

 private:
  std::uint64_t _state = GetParam();
};

INSTANTIATE_TEST_SUITE_P(Widths, RowIndexOfWidth, testing::Values(1U, 2U, 3U, 8U, 11U, 16U, 17U, 30U, 40U));

TEST_P(RowIndexOfWidth, FindsNothingWhenEmpty) {
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(_index.first(random_descriptor()).row, RowIndex::none);
  EXPECT_EQ(_index.size(), 0U);
}

TEST_P(RowIndexOfWidth, HoldsWhatWasInsertedThroughAllGrowth) {
  std::size_t next_look = 1;
  for (Row row = 0; row < some_rows(); ++row) {
    insert(random_descriptor(), row);
    if (row + 1 != next_look) continue;
    expect_same();
    next_look += next_look / 3 + 1;
  }
  expect_same();
}

TEST_P(RowIndexOfWidth, TellsWhichRowWasInsertedUnderWhichDescriptor) {
  std::vector<std::uint64_t> descriptors;
  for (Row row = 0; row < 2000; ++row) {
    descriptors.push_back(random_descriptor());
    insert(descriptors.back(), row);
  }
  for (Row row = 0; row < 2000; ++row) {
    EXPECT_TRUE(_index.holds(descriptors[row], row));
    const std::uint64_t other = random_descriptor();
    EXPECT_EQ(_index.holds(other, row), other == descriptors[row]);
  }
}

TEST_P(RowIndexOfWidth, TakesRowsOfAnyNumberInAnyOrder) {
  for (std::size_t i = 0; i < some_rows() / 10; ++i) {
    const auto row = static_cast<Row>(random_number() & low_bits(1 + static_cast<unsigned>(random_number() % 32)));
    insert(random_descriptor(), std::min(row, RowIndex::none - 1));
  }
  insert(random_descriptor(), RowIndex::none - 1);
  expect_same();
}

TEST_P(RowIndexOfWidth, StoresManyRowsUnderTheLastDescriptor) {
  for (Row row = 0; row < 3000; ++row) insert(low_bits(GetParam()), row);
  expect_same();
}

TEST_P(RowIndexOfWidth, StoresDescriptorsThatCrowdInOnePlace) {
  const std::uint64_t start = random_descriptor();
  for (Row row = 0; row < 3000; ++row) insert((start + random_number() % 100) & low_bits(GetParam()), row);
  expect_same();
}

TEST_P(RowIndexOfWidth, StoresAscendingAndDescendingDescriptors) {
  for (Row row = 0; row < 2000; ++row) insert(row & low_bits(GetParam()), row);
  for (Row row = 2000; row < 4000; ++row) insert(~std::uint64_t{row} & low_bits(GetParam()), row);
  expect_same();
}

TEST(RowIndex, WidensRowsOfAGrownTable) {
  RowIndex index(30);
  Truth truth;
  for (Row row = 0; row < 100'000; ++row) {
    const std::uint64_t descriptor = index.descriptor(mixed_bits(row));
    const Row shown = row < 99'000 ? row : RowIndex::none - 1 - row;
    index.insert(descriptor, shown);
    truth.emplace(descriptor, shown);
  }
  expect_equal(index, truth, 30);
}

TEST(RowIndex, KeepsEverythingWhenTheBudgetEnds) {
  MemoryBudget budget{.limit = 1'000'000};
  RowIndex index(30, &budget);
  Truth truth;
  const auto fill = [&] {
    while (truth.size() < 1'000'000) {
      const auto row = static_cast<Row>(truth.size());
      const std::uint64_t descriptor = index.descriptor(mixed_bits(row));
      index.insert(descriptor, row);
      truth.emplace(descriptor, row);
    }
  };
  EXPECT_THROW(fill(), ResourceError);
  EXPECT_GT(truth.size(), 130'000U);
  EXPECT_LE(index.bytes(), budget.limit);
  EXPECT_EQ(index.bytes(), budget.used);
  expect_equal(index, truth, 30);
  EXPECT_THROW(fill(), ResourceError);
  expect_equal(index, truth, 30);
  budget.limit = 1'500'000;
  EXPECT_THROW(fill(), ResourceError);
  EXPECT_GT(truth.size(), 200'000U);
  expect_equal(index, truth, 30);
}

TEST(RowIndex, CountsInBytesAllThatItTook) {
  MemoryBudget budget;
  RowIndex index(24, &budget);
  for (Row row = 0; row < 50'000; ++row) {
    index.insert(index.descriptor(mixed_bits(row)), row);
    ASSERT_EQ(index.bytes(), budget.used);
  }
}

TEST(RowIndex, TakesSixAndAHalfBytesAnEntryAndAnArraysStepAtMost) {
  RowIndex index(30);
  for (Row row = 0; row < 1'000'000; ++row) {
    index.insert(index.descriptor(mixed_bits(row)), row);
    if (row < 100'000) continue;
    ASSERT_LT(index.bytes(), std::uint64_t{row} * 13 / 2 * 129 / 128 + (128U << 10));
  }
}

// Under a budget an array takes no room ahead, so that this is what the index itself needs.
TEST(RowIndex, MakesDoWithSixAndAHalfBytesAnEntryAtEverySize) {
  MemoryBudget budget;
  RowIndex index(30, &budget);
  for (Row row = 0; row < 1'000'000; ++row) {
    if (row >= 100'000) budget.limit = std::uint64_t{row} * 13 / 2;
    index.insert(index.descriptor(mixed_bits(row)), row);
  }
  EXPECT_EQ(index.size(), 1'000'000U);
}

TEST(RowIndex, IsAsGoodAfterAMove) {
  RowIndex index(30);
  for (Row row = 0; row < 5000; ++row) index.insert(index.descriptor(mixed_bits(row)), row);
  RowIndex moved(std::move(index));
  for (Row row = 5000; row < 10'000; ++row) moved.insert(moved.descriptor(mixed_bits(row)), row);
  for (Row row = 0; row < 10'000; ++row) EXPECT_TRUE(moved.holds(moved.descriptor(mixed_bits(row)), row));
}

}  // namespace
}  // namespace dcheck::test
