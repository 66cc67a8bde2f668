// The stores against standard containers.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <unordered_set>

#include "dcheck/base/marked_bits.hpp"
#include "dcheck/store/slot_store.hpp"
#include "store/dense_store.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

/// Keys as nets make them: small numbers in narrow fields, so far from random bits.
std::vector<std::uint64_t> field_keys(std::uint64_t seed, unsigned bits, std::size_t count) {
  Dice dice(seed);
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t key = 0;
    for (unsigned shift = 0; shift < bits; shift += 3) key |= static_cast<std::uint64_t>(dice.between(0, 2)) << shift;
    keys.push_back(key & low_bits(bits));
  }
  return keys;
}

class SlotStoreOfWidth : public testing::TestWithParam<unsigned> {};

TEST_P(SlotStoreOfWidth, HoldsExactlyTheKeysInsertedThroughAllGrowth) {
  const unsigned bits = GetParam();
  SlotStore store(bits);
  std::unordered_set<std::uint64_t> truth;
  const auto keys = field_keys(bits, bits, 200'000);
  for (std::size_t i = 0; i < keys.size(); i += 100) {
    const auto batch = std::span(keys).subspan(i, 100);
    std::size_t fresh = 0;
    for (const std::uint64_t key : batch) fresh += truth.insert(key).second ? 1 : 0;
    ASSERT_EQ(store.insert(batch), fresh) << "batch at " << i;
  }
  EXPECT_EQ(store.size(), truth.size());
  for (const std::uint64_t key : truth) ASSERT_TRUE(store.find(key));
  std::size_t seen = 0;
  store.for_each([&](std::uint64_t slot, std::uint64_t key, bool marked) {
    ++seen;
    EXPECT_TRUE(truth.contains(key));
    EXPECT_TRUE(marked);
    EXPECT_EQ(store.find(key), slot);
  });
  EXPECT_EQ(seen, truth.size());
}

/// Rows that move to another rank, or to a wider layout, come in this order.
TEST_P(SlotStoreOfWidth, TakesKeysInTheOrderOfAnotherStoresSlots) {
  const unsigned bits = GetParam();
  SlotStore source(bits);
  source.insert(field_keys(3, bits, 100'000));
  std::vector<std::uint64_t> in_order;
  source.for_each([&](std::uint64_t, std::uint64_t key, bool) { in_order.push_back(key); });
  for (const unsigned more_bits : {0U, 1U, 2U, 5U})
    for (const bool is_reserved : {false, true}) {
      SCOPED_TRACE(testing::Message() << more_bits << " more bits" << (is_reserved ? ", reserved" : ""));
      SlotStore store(std::min(64U, bits + more_bits));
      if (is_reserved) store.reserve(in_order.size());
      const std::uint64_t capacity = store.capacity();
      for (std::size_t i = 0; i < in_order.size(); i += 10)
        store.insert(std::span(in_order).subspan(i, std::min<std::size_t>(10, in_order.size() - i)));
      ASSERT_EQ(store.size(), in_order.size());
      for (const std::uint64_t key : in_order) ASSERT_TRUE(store.find(key));
      std::vector<std::uint64_t> marked(in_order.size() + 1);
      EXPECT_EQ(store.take_marked(marked), in_order.size());
      if (!is_reserved) continue;
      EXPECT_EQ(store.capacity(), capacity) << "grew although there was room";
    }
}

TEST_P(SlotStoreOfWidth, FindsNoKeyThatWasNotInserted) {
  const unsigned bits = GetParam();
  SlotStore store(bits);
  const auto keys = field_keys(1, bits, 5000);
  const std::unordered_set<std::uint64_t> truth(keys.begin(), keys.end());
  store.insert(keys);
  for (const std::uint64_t key : field_keys(2, bits, 5000)) EXPECT_EQ(store.find(key).has_value(), truth.contains(key));
}

TEST_P(SlotStoreOfWidth, GivesEveryKeyOnceAsMarkedWhileGrowing) {
  const unsigned bits = GetParam();
  SlotStore store(bits);
  std::multiset<std::uint64_t> taken;
  std::unordered_set<std::uint64_t> truth;
  std::vector<std::uint64_t> open(37);
  const auto keys = field_keys(3, bits, 50'000);
  for (std::size_t i = 0; i < keys.size(); i += 50) {
    store.insert(std::span(keys).subspan(i, 50));
    const std::size_t count = store.take_marked(open);
    taken.insert(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(count));
  }
  while (const std::size_t count = store.take_marked(open))
    taken.insert(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(count));
  truth.insert(keys.begin(), keys.end());
  EXPECT_EQ(taken.size(), truth.size());
  EXPECT_EQ(std::set<std::uint64_t>(taken.begin(), taken.end()).size(), truth.size());
}

TEST_P(SlotStoreOfWidth, ForgetsExactlyTheKeysThatAreNotKept) {
  const unsigned bits = GetParam();
  SlotStore store(bits);
  const auto keys = field_keys(3, bits, 30'000);
  store.insert(keys);
  std::vector<std::uint64_t> open(64);
  while (store.take_marked(open) != 0) {
  }
  const auto later = field_keys(4, bits, 10'000);
  store.insert(later);  // the new ones are marked
  std::map<std::uint64_t, bool> truth;
  store.for_each([&](std::uint64_t, std::uint64_t key, bool is_marked) { truth.emplace(key, is_marked); });
  const auto is_kept = [](std::uint64_t key) { return mixed_bits(key) % 3 != 0; };
  store.keep_if([&](std::uint64_t key, bool is_marked) {
    EXPECT_EQ(truth.at(key), is_marked);
    return is_kept(key);
  });
  std::size_t kept = 0, marked = 0;
  for (const auto& [key, is_marked] : truth) {
    EXPECT_EQ(store.find(key).has_value(), is_kept(key));
    kept += is_kept(key) ? 1 : 0;
    marked += is_kept(key) && is_marked ? 1 : 0;
  }
  EXPECT_EQ(store.size(), kept);
  const std::size_t again = store.insert(later);
  EXPECT_EQ(store.size(), kept + again) << "what was forgotten can come again";
  std::vector<std::uint64_t> taken(store.size());
  EXPECT_EQ(store.take_marked(taken), marked + again);
}

INSTANTIATE_TEST_SUITE_P(Widths, SlotStoreOfWidth,
                         testing::Values(0U, 1U, 9U, 16U, 17U, 23U, 33U, 36U, 48U, 57U, 63U, 64U));

TEST(SlotStore, KeepsAllKeysOfASmallSpace) {
  SlotStore store(17);
  std::vector<std::uint64_t> keys(std::size_t{1} << 17);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  EXPECT_EQ(store.insert(keys), keys.size());
  EXPECT_EQ(store.insert(keys), 0U);
}

TEST(SlotStore, KeepsKeysOf36BitsInLessThanEightBytesEach) {
  SlotStore store(36);
  store.insert(field_keys(5, 36, 3'000'000));
  EXPECT_LT(static_cast<double>(store.bytes()) / static_cast<double>(store.size()), 8.0);
}

class DenseStoreOfWords : public testing::TestWithParam<std::size_t> {};

TEST_P(DenseStoreOfWords, NumbersKeysInTheOrderOfTheirFirstInsertion) {
  const std::size_t words = GetParam();
  const std::size_t bytes = words * 8 - 3;
  std::vector<std::uint64_t> factors;
  for (std::size_t w = 0; w < words; ++w) factors.push_back(0x9E3779B97F4A7C15U * (2 * w + 1));
  DenseStore store(words, bytes, factors);
  std::map<std::vector<std::uint64_t>, DenseStore::Row> truth;
  Dice dice(words);
  for (int batch = 0; batch < 500; ++batch) {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> hashes;
    std::vector<DenseStore::Inserted> got(64);
    for (std::size_t i = 0; i < got.size(); ++i) {
      for (std::size_t w = 0; w < words; ++w)
        keys.push_back(static_cast<std::uint64_t>(dice.between(0, words == 1 ? 9999 : 30)));
      hashes.push_back(store.linear_hash(keys.data() + i * words));
    }
    store.insert(keys, hashes, {}, got);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const std::vector<std::uint64_t> key(keys.begin() + static_cast<std::ptrdiff_t>(i * words),
                                           keys.begin() + static_cast<std::ptrdiff_t>((i + 1) * words));
      const auto [at, is_new] = truth.emplace(key, static_cast<DenseStore::Row>(truth.size()));
      ASSERT_EQ(got[i].is_new, is_new);
      ASSERT_EQ(got[i].row, at->second);
    }
  }
  std::vector<std::uint64_t> key(words);
  for (const auto& [known, row] : truth) {
    store.key(row, key.data());
    EXPECT_EQ(key, known);
    EXPECT_EQ(store.find(known.data()), row);
  }
  const std::vector<std::uint64_t> unknown(words, 12'345);
  EXPECT_FALSE(store.find(unknown.data()));
}

INSTANTIATE_TEST_SUITE_P(Words, DenseStoreOfWords,
                         testing::Values(std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{9}));

TEST(MarkedBits, FindsTheNextMemberLikeASet) {
  Dice dice(7);
  for (const std::size_t size : {1UL, 64UL, 65UL, 5000UL, 300'000UL}) {
    MarkedBits bits;
    bits.reset(size);
    std::set<std::size_t> truth;
    for (int i = 0; i < 2000; ++i) {
      const auto at = static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(size) - 1));
      if (dice.one_in(2)) {
        bits.set(at);
        truth.insert(at);
      } else {
        bits.clear(at);
        truth.erase(at);
      }
      const auto from = static_cast<std::size_t>(dice.between(0, static_cast<std::int64_t>(size) - 1));
      const auto expected = truth.lower_bound(from);
      ASSERT_EQ(bits.next(from), expected == truth.end() ? MarkedBits::none : *expected);
    }
  }
}

}  // namespace
}  // namespace dcheck::test
