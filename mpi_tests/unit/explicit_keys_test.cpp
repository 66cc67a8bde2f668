// ExplicitKeys against a plain vector of keys.

#include "store/chains/explicit_keys.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

using Key = std::vector<std::uint64_t>;

/// The store, and what it should hold.
struct Pair {
  ExplicitKeys keys;
  std::size_t words;
  std::vector<Key> truth;

  Pair(std::size_t key_words, std::size_t bytes, bool collapse, MemoryBudget* budget = nullptr)
      : keys(key_words, bytes, collapse, budget), words(key_words) {}

  void append(const Key& key) {
    keys.append(key.data());
    truth.push_back(key);
  }
  void check() const {
    ASSERT_EQ(keys.size(), truth.size());
    Key read(words);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      keys.prefetch(i);
      read.assign(words, ~std::uint64_t{0});
      keys.read(i, read.data());
      ASSERT_EQ(read, truth[i]) << "key " << i;
      ASSERT_TRUE(keys.equals(i, truth[i].data())) << "key " << i;
    }
  }
};

/// Each part of 16 bits has so many values, up to 2^16; values are far apart.
Key some_key(Dice& dice, std::size_t words, std::size_t bytes, std::uint64_t values) {
  Key key(words);
  for (std::size_t part = 0; part < (bytes + 1) / 2; ++part) {
    const std::uint64_t value = (dice.next() % values * 40'503 + part) & 0xFFFF;
    key[part / 4] |= value << (part % 4 * 16);
  }
  if (bytes % 8 != 0) key[bytes / 8] &= low_bits(static_cast<unsigned>(8 * (bytes % 8)));
  return key;
}

struct Form {
  std::size_t words, bytes;
  std::uint64_t values;
  bool collapse;
};

class ExplicitKeysOfForm : public testing::TestWithParam<Form> {};

TEST_P(ExplicitKeysOfForm, ReadsAndComparesWhatWasAppended) {
  const auto [words, bytes, values, collapse] = GetParam();
  Dice dice(bytes);
  Pair pair(words, bytes, collapse);
  for (int i = 0; i < 10'000; ++i) {
    pair.append(some_key(dice, words, bytes, values));
    if (i < 100) pair.check();
  }
  pair.check();
}

TEST_P(ExplicitKeysOfForm, SeesADifferenceInAnyBit) {
  const auto [words, bytes, values, collapse] = GetParam();
  Dice dice(bytes + 1);
  Pair pair(words, bytes, collapse);
  for (int i = 0; i < 300; ++i) pair.append(some_key(dice, words, bytes, values));
  for (std::size_t i = 0; i < pair.truth.size(); i += 23) {
    for (std::size_t bit = 0; bit < 8 * bytes; ++bit) {
      Key key = pair.truth[i];
      key[bit / 64] ^= std::uint64_t{1} << (bit % 64);
      ASSERT_FALSE(pair.keys.equals(i, key.data())) << "key " << i << " bit " << bit;
    }
  }
}

TEST_P(ExplicitKeysOfForm, ComparesOnlyTheBytesInUse) {
  const auto [words, bytes, values, collapse] = GetParam();
  Dice dice(bytes + 2);
  Pair pair(words, bytes, collapse);
  for (int i = 0; i < 10; ++i) pair.append(some_key(dice, words, bytes, values));
  for (std::size_t bit = 8 * bytes; bit < 64 * words; ++bit) {
    Key key = pair.truth[5];
    key[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    EXPECT_TRUE(pair.keys.equals(5, key.data())) << "bit " << bit;
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, ExplicitKeysOfForm,
                         testing::Values(Form{1, 1, 3, true}, Form{1, 1, 65'536, true}, Form{1, 3, 300, true},
                                         Form{1, 8, 1, true}, Form{1, 8, 2, true}, Form{2, 9, 5, true},
                                         Form{3, 24, 300, true}, Form{7, 50, 65'536, true}, Form{20, 160, 3, true},
                                         Form{20, 153, 1000, true}, Form{1, 1, 65'536, false}, Form{1, 8, 2, false},
                                         Form{2, 13, 300, false}, Form{20, 160, 65'536, false}));

TEST(ExplicitKeys, ReadsKeysOfAllEpochsWhereAPartOutgrowsItsNumbers) {
  Pair pair(1, 5, true);
  for (std::uint64_t i = 0; i < 65'536; ++i) {
    const std::uint64_t scattered = (i * 25'173 + 13'849) & 0xFFFF;
    pair.append({scattered | (i / 100) << 16 | (i / 1000) << 32});
  }
  pair.check();
}

TEST(ExplicitKeys, ReadsKeysThatComeAgainAfterAPartIsStoredAsItIs) {
  Pair pair(1, 2, true);
  for (std::uint64_t round = 0; round < 2; ++round)
    for (std::uint64_t i = 0; i < 40'000; ++i) pair.append({i ^ 0x5555});
  pair.check();
}

TEST(ExplicitKeys, TakesTheBitsOfNumbersNotOfValues) {
  constexpr std::size_t count = 400'000;
  Dice dice(1);
  ExplicitKeys collapsed(8, 64, true), plain(8, 64, false);
  for (std::size_t i = 0; i < count; ++i) {
    const Key key = some_key(dice, 8, 64, 8);
    collapsed.append(key.data());
    plain.append(key.data());
  }
  // 32 parts of 3 bits; and what the array of pages keeps ahead.
  EXPECT_LE(collapsed.bytes(), count * 12 * 17 / 16 + (2 << 20));
  EXPECT_LE(plain.bytes(), count * 64 * 17 / 16 + (2 << 20));
  EXPECT_GE(plain.bytes(), count * 64);
}

TEST(ExplicitKeys, TakesNoBitsForWhatIsTheSameInAllKeys) {
  ExplicitKeys keys(20, 160, true);
  Dice dice(2);
  const Key key = some_key(dice, 20, 160, 65'536);
  for (int i = 0; i < 100'000; ++i) keys.append(key.data());
  EXPECT_LE(keys.bytes(), std::size_t{32} << 10);
  EXPECT_TRUE(keys.equals(99'999, key.data()));
}

TEST(ExplicitKeys, TakesNoMoreThanPlainKeysAndTablesWhereCollapsingCannotPay) {
  constexpr std::size_t count = 300'000;
  Dice dice(3);
  ExplicitKeys keys(2, 16, true);
  for (std::size_t i = 0; i < count; ++i) keys.append(some_key(dice, 2, 16, 65'536).data());
  const std::size_t tables = std::size_t{8} * 32'768 * 2;
  EXPECT_LE(keys.bytes(), count * 16 * 17 / 16 + (2 << 20) + tables + (16 << 10));
}

class ExplicitKeysInABudget : public testing::TestWithParam<bool> {};

TEST_P(ExplicitKeysInABudget, AreAsBeforeWhereMemoryEnds) {
  MemoryBudget budget;
  budget.limit = 64 << 10;
  Dice dice(4);
  Pair pair(3, 20, GetParam(), &budget);
  const auto fill = [&] {
    while (true) pair.append(some_key(dice, 3, 20, 1 + pair.truth.size()));
  };
  EXPECT_THROW(fill(), ResourceError);
  EXPECT_THROW(fill(), ResourceError);
  pair.check();
  EXPECT_LE(budget.used, budget.limit);
  budget.limit *= 2;
  for (int i = 0; i < 500; ++i) pair.append(some_key(dice, 3, 20, 65'536));
  pair.check();
}

INSTANTIATE_TEST_SUITE_P(Both, ExplicitKeysInABudget, testing::Bool());

}  // namespace
}  // namespace dcheck::test
