// The index of two levels against a multimap.

#include "store/chains/two_level_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "dcheck/base/bits.hpp"

namespace dcheck::test {
namespace {

using Row = TwoLevelIndex::Row;

std::vector<Row> candidates_of(const TwoLevelIndex& index, std::uint64_t hash) {
  std::vector<Row> rows;
  for (auto at = index.first(hash); at.row != TwoLevelIndex::none; index.advance(at, hash)) rows.push_back(at.row);
  return rows;
}

std::uint64_t hash_of(std::uint64_t number) {
  return mixed_bits(number * 0x9E3779B97F4A7C15U);
}

TEST(TwoLevelIndex, FindsEveryRowByItsHashHoweverManyShareADescriptor) {
  for (const unsigned bits : {1U, 6U, 16U})
    for (const std::uint32_t most_alike : {0U, 1U, 4U}) {
      TwoLevelIndex index(bits, most_alike, nullptr);
      std::multimap<std::uint64_t, Row> truth;
      for (Row row = 0; row < 3000; ++row) {
        const std::uint64_t hash = hash_of(row / 3 * 2);  // some have equal hashes
        index.insert(hash, row);
        truth.emplace(hash, row);
      }
      for (std::uint64_t number = 0; number < 2000; ++number) {
        const std::vector<Row> found = candidates_of(index, hash_of(number));
        const auto [begin, end] = truth.equal_range(hash_of(number));
        for (auto at = begin; at != end; ++at) ASSERT_EQ(std::ranges::count(found, at->second), 1);
      }
    }
}

TEST(TwoLevelIndex, NamesFewRowsThatAreOthers) {
  constexpr std::uint32_t most_alike = 4;
  TwoLevelIndex one(4, 0, nullptr);
  TwoLevelIndex two(4, most_alike, nullptr);
  for (Row row = 0; row < 2000; ++row) {
    one.insert(hash_of(row), row);
    two.insert(hash_of(row), row);
  }
  EXPECT_EQ(two.second_size(), 2000 - 16 * most_alike);
  for (std::uint64_t number = 0; number < 2000; ++number) {
    EXPECT_GT(candidates_of(one, hash_of(number)).size(), 50U);
    EXPECT_LE(candidates_of(two, hash_of(number)).size(), most_alike + 1);
  }
}

}  // namespace
}  // namespace dcheck::test
