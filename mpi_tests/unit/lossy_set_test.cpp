// Sets of hashes: what was added is known, what is left out is as likely as they say.

#include "dcheck/store/lossy/lossy_set.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "dcheck/base/error.hpp"
#include "dcheck/base/page_array.hpp"
#include "dcheck/base/random.hpp"
#include "store/lossy/bit_table.hpp"
#include "store/lossy/compaction_set.hpp"

namespace dcheck::test {
namespace {

using Kind = StoreChoice::Kind;

StoreChoice choice_of(Kind kind, std::uint64_t seed, unsigned hash_bits = 64, std::uint64_t table_bytes = 1 << 20) {
  StoreChoice choice;
  choice.kind = kind;
  choice.seed = seed;
  choice.hash_bits = hash_bits;
  choice.table_bytes = table_bytes;
  return choice;
}

std::unique_ptr<LossySet> set_of(std::size_t lanes, const StoreChoice& choice, MemoryBudget* budget = nullptr) {
  if (choice.kind == Kind::bitstate) return std::make_unique<BitTable>(lanes, choice, budget);
  return std::make_unique<CompactionSet>(lanes, (lanes + 63) / 64, choice, budget);
}

TEST(LossySet, WhatWasAddedIsKnownAndOnlyWhatIsAddedIsNew) {
  for (const Kind kind : {Kind::compaction, Kind::bitstate})
    for (const std::size_t lanes : {1U, 10U, 64U, 70U, 130U}) {
      SCOPED_TRACE(lanes);
      const std::size_t words = (lanes + 63) / 64;
      const auto set = set_of(lanes, choice_of(kind, 3));
      Random dice(lanes);
      std::map<std::uint64_t, std::vector<std::uint64_t>> truth;
      for (int i = 0; i < 200; ++i) {
        std::vector<std::uint64_t> hashes;
        std::vector<std::uint64_t> masks;
        for (int k = 0; k < 20; ++k) {
          hashes.push_back(dice.next() % 500);
          for (std::size_t w = 0; w < words; ++w) {
            const auto left = static_cast<unsigned>(std::min<std::size_t>(64, lanes - 64 * w));
            masks.push_back((dice.next() & dice.next() & low_bits(left)) | 1);  // no mask is empty
          }
        }
        const std::vector<std::uint64_t> asked = masks;
        set->add(hashes, masks.data());
        for (std::size_t k = 0; k < hashes.size(); ++k) {
          auto& reached = truth[hashes[k]];
          reached.resize(words, 0);
          for (std::size_t w = 0; w < words; ++w) {
            ASSERT_EQ(masks[k * words + w], asked[k * words + w] & ~reached[w]);
            reached[w] |= asked[k * words + w];
          }
        }
      }
      for (const auto& [hash, reached] : truth) {
        std::vector<std::uint64_t> known(words);
        set->known(hash, known.data());
        ASSERT_EQ(known, reached);
      }
      EXPECT_LT(set->omission(), 1e-3);
    }
}

TEST(LossySet, OfOneBitLeavesNearlyEverythingOutAndNeverMakesUpALane) {
  for (const Kind kind : {Kind::compaction, Kind::bitstate})
    for (const std::size_t lanes : {1U, 70U}) {
      const std::size_t words = (lanes + 63) / 64;
      const auto set = set_of(lanes, choice_of(kind, 1, 1, 1));
      std::uint64_t fresh = 0;
      for (std::uint64_t hash = 0; hash < 1000; ++hash) {
        std::vector<std::uint64_t> mask(words, 1);
        set->add(std::span(&hash, 1), mask.data());
        for (const std::uint64_t word : mask) ASSERT_EQ(word & ~std::uint64_t{1}, 0U);
        fresh += mask[0];
      }
      EXPECT_GE(fresh, 1U);
      EXPECT_LE(fresh, 8U);
      EXPECT_GT(set->omission(), 0.99);
    }
}

/// How many of 200 seeds leave out one of these many keys, and how many should by what the sets say.
void compare_omissions(Kind kind, std::size_t lanes, unsigned hash_bits, std::uint64_t table_bytes,
                       std::uint64_t keys) {
  constexpr int seeds = 200;
  const std::size_t words = (lanes + 63) / 64;
  double stated = 0;
  int observed = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto set = set_of(lanes, choice_of(kind, static_cast<std::uint64_t>(seed), hash_bits, table_bytes));
    bool is_left_out = false;
    for (std::uint64_t key = 0; key < keys; ++key) {
      const std::uint64_t hash = key * 0x9E3779B97F4A7C15U;
      std::vector<std::uint64_t> mask(words, ~std::uint64_t{0});
      mask.back() = low_bits(static_cast<unsigned>(lanes - 64 * (words - 1)));
      const std::vector<std::uint64_t> asked = mask;
      set->add(std::span(&hash, 1), mask.data());
      is_left_out |= mask != asked;
    }
    observed += is_left_out ? 1 : 0;
    stated += set->omission();
  }
  EXPECT_GT(observed, 10);
  EXPECT_LT(observed, 190);
  EXPECT_LT(observed, 3 * stated);
  EXPECT_GT(3 * observed, stated);
}

TEST(LossySet, StatesAreLeftOutAsOftenAsItSays) {
  compare_omissions(Kind::compaction, 1, 20, 0, 700);
  compare_omissions(Kind::compaction, 70, 20, 0, 700);
  compare_omissions(Kind::bitstate, 1, 0, 2500, 700);
  compare_omissions(Kind::bitstate, 70, 0, 175'000, 700);
}

TEST(LossySet, ATableThatDoesNotFitIsRefused) {
  MemoryBudget budget;
  budget.limit = 1 << 20;
  EXPECT_THROW(set_of(1, choice_of(Kind::bitstate, 1, 0, 1 << 22), &budget), ResourceError);
}

}  // namespace
}  // namespace dcheck::test
