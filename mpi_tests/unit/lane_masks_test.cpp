// Masks of rows, with numbers and without: whatever their form, rows have the lanes that were set.

#include "dcheck/rows/lane_masks.hpp"

#include <gtest/gtest.h>

#include "dcheck/base/error.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

using Form = LaneMasks::Form;
using Words = std::vector<std::uint64_t>;

Words mask_of(const LaneMasks& masks, std::size_t row) {
  return {masks[row], masks[row] + masks.words()};
}

/// One of so many different masks, the empty one among them.
Words random_mask(Dice& dice, std::size_t words, std::uint64_t different) {
  Dice of_mask(dice.next() % different);
  Words mask(words, 0);
  if (dice.next() % different == 0) return mask;
  for (std::uint64_t& word : mask) word = of_mask.one_in(2) ? of_mask.next() : 0;
  return mask;
}

/// Rows set at random, and what they should have.
struct Sample {
  LaneMasks masks;
  std::vector<Words> truth;

  Sample(Dice& dice, std::size_t rows, std::size_t words, Form form, std::uint64_t different,
         MemoryBudget* budget = nullptr)
      : masks(budget), truth(rows, Words(words, 0)) {
    masks.begin(words, form);
    for (std::size_t row = 0; row < rows; ++row) {
      masks.ensure(row + 1, 1);
      set(dice.next() % (row + 1), random_mask(dice, words, different));
    }
  }
  void set(std::size_t row, const Words& mask) {
    masks.set(row, mask.data());
    truth[row] = mask;
  }
  std::uint64_t size() const {
    std::uint64_t lanes = 0;
    for (const Words& mask : truth)
      for (const std::uint64_t word : mask) lanes += static_cast<std::uint64_t>(std::popcount(word));
    return lanes;
  }
  void expect_truth() const {
    for (std::size_t row = 0; row < truth.size(); ++row) ASSERT_EQ(mask_of(masks, row), truth[row]) << row;
  }
};

TEST(LaneMasks, AreWhatWasSetInEitherForm) {
  for (const std::size_t words : {1U, 2U, 5U, 32U}) {
    for (const Form form : {Form::plain, Form::numbered}) {
      for (const std::uint64_t different : {1U, 10U, 200U, 1000U}) {
        Dice dice(different + words);
        const Sample sample(dice, 3000, words, form, different);
        EXPECT_EQ(sample.masks.is_numbered(), form == Form::numbered);
        sample.expect_truth();
        EXPECT_EQ(sample.masks.size(), sample.size());
        EXPECT_EQ(sample.masks.empty(), sample.size() == 0);
      }
    }
  }
}

TEST(LaneMasks, TakeAByteARowWhereFewAreDifferent) {
  constexpr std::size_t rows = 1'000'000;
  Dice dice(1);
  LaneMasks masks;
  masks.begin(8, Form::numbered);
  for (std::size_t row = 0; row < rows; ++row) {
    masks.ensure(row + 1, 1);
    masks.set(row, random_mask(dice, 8, 20).data());
  }
  EXPECT_LT(masks.bytes(), rows * 5 / 4);
}

TEST(LaneMasks, BecomePlainWhereMostAreDifferent) {
  Dice dice(2);
  const Sample sample(dice, 30'000, 2, Form::numbered, 1'000'000'000);
  EXPECT_FALSE(sample.masks.is_numbered());
  sample.expect_truth();
}

TEST(LaneMasks, ForgetMasksThatNoRowHasAnyMore) {
  Dice dice(3);
  Sample sample(dice, 10, 3, Form::numbered, 5);
  for (int i = 0; i < 100'000; ++i) sample.set(dice.next() % 10, random_mask(dice, 3, 1'000'000'000));
  EXPECT_TRUE(sample.masks.is_numbered());
  EXPECT_LT(sample.masks.masks().size(), 20'000U);
  sample.expect_truth();
}

TEST(LaneMasks, StayNumberedWhereMemoryHasNoRoomForAnythingElse) {
  Dice dice(4);
  constexpr std::size_t rows = 60'000, words = 32;
  MemoryBudget budget;
  budget.limit = std::uint64_t{6} << 20;  // all rows with words of their own would take 15 MiB
  const Sample sample(dice, rows, words, Form::numbered, 9'000, &budget);
  EXPECT_TRUE(sample.masks.is_numbered());
  EXPECT_LE(budget.used, budget.limit);
  sample.expect_truth();
}

TEST(LaneMasks, KeepWhatTheyHaveWhereMemoryEnds) {
  Dice dice(5);
  MemoryBudget budget;
  budget.limit = 1 << 20;
  LaneMasks masks(&budget);
  masks.begin(4, Form::numbered);
  std::vector<Words> truth;
  const auto fill = [&] {
    while (true) {
      masks.ensure(truth.size() + 1, 1);
      const Words mask = random_mask(dice, 4, 1'000'000'000);
      masks.set(truth.size(), mask.data());
      truth.push_back(mask);
    }
  };
  EXPECT_THROW(fill(), ResourceError);
  EXPECT_LE(budget.used, budget.limit);
  ASSERT_GT(truth.size(), 1000U);
  for (std::size_t row = 0; row < truth.size(); ++row) ASSERT_EQ(mask_of(masks, row), truth[row]);
}

TEST(LaneMasks, CombineRowByRowWhateverTheirForms) {
  constexpr std::size_t rows = 20'000, words = 3;
  const auto without = [](std::uint64_t a, std::uint64_t b) { return a & ~b; };
  for (unsigned forms = 0; forms < 8; ++forms) {
    const auto form = [&](unsigned bit) { return (forms >> bit & 1) != 0 ? Form::numbered : Form::plain; };
    for (const std::uint64_t different : {3U, 300U, 100'000U}) {
      Dice dice(different);
      Sample a(dice, rows, words, form(0), different);
      const Sample b(dice, rows, words, form(1), different);
      Sample out(dice, rows, words, form(2), different);
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t w = 0; w < words; ++w) out.truth[row][w] = a.truth[row][w] & ~b.truth[row][w];
      EXPECT_EQ(out.masks.combine(a.masks, b.masks, without), out.size());
      out.expect_truth();
      EXPECT_FALSE(out.masks == a.masks);
      a.masks.combine(a.masks, b.masks, without);
      EXPECT_TRUE(out.masks == a.masks);
      a.masks.assign(b.masks);
      EXPECT_TRUE(a.masks == b.masks);
      a.masks.clear();
      EXPECT_TRUE(a.masks.empty());
      EXPECT_EQ(a.masks.size(), 0U);
    }
  }
}

}  // namespace
}  // namespace dcheck::test
