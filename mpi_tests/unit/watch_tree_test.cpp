// The tree of marked fields against asking everybody.

#include "dcheck/rows/watch_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

constexpr std::size_t words = 3;
using Key = std::array<std::uint64_t, words>;

/// Fields of one to three bits, one after another.
std::vector<WatchTree::Field> random_fields(Dice& dice) {
  std::vector<WatchTree::Field> fields;
  for (std::uint32_t word = 0; word < words; ++word)
    for (unsigned shift = 0; shift < 60;) {
      const auto width = static_cast<unsigned>(dice.between(1, 3));
      fields.push_back({word, ((std::uint64_t{1} << width) - 1) << shift, static_cast<float>(dice.between(0, 9)) / 10});
      shift += width + static_cast<unsigned>(dice.between(0, 2));
    }
  return fields;
}

std::vector<WatchTree::Needs> random_needs(Dice& dice, std::size_t fields, std::size_t count) {
  std::vector<WatchTree::Needs> needs(count);
  for (WatchTree::Needs& list : needs)
    for (auto left = dice.between(0, 5); left > 0; --left)
      list.push_back(static_cast<std::uint32_t>(dice.between(0, static_cast<int>(fields) - 1)));
  return needs;
}

Key random_key(Dice& dice, const std::vector<WatchTree::Field>& fields) {
  Key key{};
  for (const WatchTree::Field& field : fields)
    if (dice.between(0, 2) == 0) key[field.word] |= field.mask & -field.mask << dice.between(0, 1);
  return key;
}

bool is_marked(const WatchTree::Field& field, const Key& key) {
  return (key[field.word] & field.mask) != 0;
}

/// How often each number is named.
std::vector<unsigned> woken(const WatchTree& tree, const Key& key, std::size_t count) {
  std::vector<unsigned> times(count, 0);
  tree.for_each_woken(key.data(), [&](Range run) {
    for (std::uint32_t i = run.begin; i < run.end; ++i) ++times[tree.sleepers()[i]];
  });
  return times;
}

TEST(WatchTree, WakesOnceWhoeverHasAllItNeeds) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Dice dice(seed);
    const auto fields = random_fields(dice);
    const auto needs = random_needs(dice, fields.size(), 400);
    const WatchTree tree(fields, needs);
    for (int round = 0; round < 20; ++round) {
      const Key key = random_key(dice, fields);
      const auto times = woken(tree, key, needs.size());
      for (std::size_t i = 0; i < needs.size(); ++i) {
        const bool has_all = std::ranges::all_of(needs[i], [&](auto f) { return is_marked(fields[f], key); });
        EXPECT_LE(times[i], 1U);
        EXPECT_TRUE(times[i] == 1 || !has_all) << "seed " << seed << ", number " << i;
      }
    }
  }
}

TEST(WatchTree, KnowsWhichFieldsAreMarkedWhereSomebodyWakes) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Dice dice(seed);
    const auto fields = random_fields(dice);
    const auto needs = random_needs(dice, fields.size(), 400);
    const WatchTree tree(fields, needs);
    const Key key = random_key(dice, fields);
    const auto times = woken(tree, key, needs.size());
    for (std::uint32_t i = 0; i < needs.size(); ++i)
      for (const std::uint32_t field : tree.known_fields(i)) {
        EXPECT_TRUE(std::ranges::find(needs[i], field) != needs[i].end());
        EXPECT_TRUE(times[i] == 0 || is_marked(fields[field], key));
      }
  }
}

TEST(WatchTree, WakesFewOfThousandsThatShareFields) {
  // One marked field of 60 in each word, and somebody for every pair of fields of two words.
  std::vector<WatchTree::Field> fields;
  for (std::uint32_t word = 0; word < 2; ++word)
    for (unsigned bit = 0; bit < 60; ++bit) fields.push_back({word, std::uint64_t{1} << bit, 1.0F / 60});
  std::vector<WatchTree::Needs> needs;
  for (std::uint32_t a = 0; a < 60; ++a)
    for (std::uint32_t b = 60; b < 120; ++b) needs.push_back({a, b});
  const WatchTree tree(fields, needs);
  const auto times = woken(tree, {std::uint64_t{1} << 7, std::uint64_t{1} << 59, 0}, needs.size());
  EXPECT_EQ(std::ranges::count(times, 1U), 1);
  EXPECT_EQ(times[7 * 60 + 59], 1U);
}

TEST(WatchTree, NamesNobodyWhereNobodySleeps) {
  EXPECT_EQ(std::ranges::count(woken(WatchTree(), {}, 0), 1U), 0);
  EXPECT_EQ(std::ranges::count(woken(WatchTree({}, {}), {}, 0), 1U), 0);
}

TEST(WatchTree, AlwaysWakesWhoNeedsNothing) {
  const WatchTree tree({}, std::vector<WatchTree::Needs>(3));
  EXPECT_EQ(std::ranges::count(woken(tree, {}, 3), 1U), 3);
}

TEST(WatchTree, HasRoomForThoseThatNeedVeryManyFields) {
  constexpr std::uint32_t many = 200'000;
  std::vector<WatchTree::Field> fields;
  WatchTree::Needs all;
  for (std::uint32_t f = 0; f < many; ++f) {
    fields.push_back({f / 64, std::uint64_t{1} << f % 64, 0});
    all.push_back(f);
  }
  const WatchTree tree(fields, {all, all, all});
  std::vector<std::uint64_t> key((many + 63) / 64, ~std::uint64_t{0});
  std::size_t woken = 0;
  tree.for_each_woken(key.data(), [&](Range run) { woken += run.end - run.begin; });
  EXPECT_EQ(woken, 3U);
}

}  // namespace
}  // namespace dcheck::test
