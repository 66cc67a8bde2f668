// Packed records come back as they were, whatever their shape, and are never larger than plain ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <stdexcept>
#include <vector>

#include "comm/exchange/packing.hpp"

namespace dcheck {
namespace {

using Words = std::vector<std::uint64_t>;

/// Nothing where they should be sent as they are.
Words packed(Packer& packer, const RecordShape& shape, const Words& records) {
  constexpr std::uint64_t guard = 0xC0FFEE;
  const std::size_t words = packer.measure(shape, records.data(), records.size() / shape.words());
  Words result(words + 1, guard);
  if (words != 0) packer.pack(result.data());
  EXPECT_EQ(result.back(), guard) << "written beyond the measured size";
  result.pop_back();
  return result;
}

Words unpacked(const Words& packed, const RecordShape& shape, std::size_t count) {
  Words records(count * shape.words(), 0xDEAD);
  unpack(packed, shape, count, records.data());
  return records;
}

/// Records with identities of up to so many bits, and masks of their own choice by record.
Words records_of(const RecordShape& shape, std::size_t count, std::mt19937_64& random, unsigned identity_bits,
                 const std::function<std::uint64_t(std::size_t record, std::size_t word)>& mask) {
  Words words;
  for (std::size_t record = 0; record < count; ++record) {
    for (std::size_t i = 0; i < shape.identity_words(); ++i)
      words.push_back(identity_bits == 0 ? 0 : random() >> (64 - identity_bits));
    for (std::size_t i = 0; i < shape.mask_words; ++i) words.push_back(mask(record, i));
  }
  return words;
}

TEST(Packing, RandomRecordsComeBackWhateverTheirShape) {
  Packer packer;  // one for all: nothing of a batch may be left for the next
  std::size_t packed_batches = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const RecordShape shape{
        .key_words = 1 + random() % 10, .mask_words = 1 + seed % 20, .has_transition = random() % 2 == 0};
    const std::size_t count = random() % (seed % 10 == 0 ? 2000 : 40), masks = 1 + random() % (1 + count);
    Words dictionary(masks * shape.mask_words);
    std::generate(dictionary.begin(), dictionary.end(), [&] { return random() % 3 == 0 ? random() : 0; });
    Words chosen(count);
    std::generate(chosen.begin(), chosen.end(), [&] { return random() % masks; });
    const Words records = records_of(
        shape, count, random, static_cast<unsigned>(random() % 65),
        [&](std::size_t record, std::size_t word) { return dictionary[chosen[record] * shape.mask_words + word]; });
    const Words small = packed(packer, shape, records);
    if (small.empty()) continue;
    ++packed_batches;
    EXPECT_LT(small.size(), records.size());
    EXPECT_EQ(unpacked(small, shape, count), records);
  }
  EXPECT_GT(packed_batches, 500);
}

TEST(Packing, AMaskThatAllRecordsShareTravelsOnceAndNumbersTakeNothing) {
  std::mt19937_64 random(1);
  for (std::size_t masks = 1; masks <= 20; ++masks)
    for (const bool has_transition : {false, true}) {
      const RecordShape shape{.key_words = 1, .mask_words = masks, .has_transition = has_transition};
      Words records = records_of(shape, 640, random, 7, [](std::size_t, std::size_t word) { return ~word; });
      for (std::size_t i = 0; i < shape.identity_words(); ++i) records[i] = 127;
      Packer packer;
      const Words small = packed(packer, shape, records);
      EXPECT_EQ(small.size(), 1 + masks + std::size_t{640} * 7 * shape.identity_words() / 64);
      EXPECT_EQ(unpacked(small, shape, 640), records);
    }
}

TEST(Packing, NumbersOfMasksTakeAsManyBitsAsNeeded) {
  std::mt19937_64 random(1);
  const RecordShape shape{.key_words = 1, .mask_words = 4};
  const Words records = records_of(shape, 1024, random, 0, [](std::size_t record, std::size_t) { return record % 5; });
  Packer packer;
  EXPECT_EQ(packed(packer, shape, records).size(), 1 + 5 * 4 + 1024 * 3 / 64);
}

TEST(Packing, RecordsWhoseMasksDifferAreSentAsTheyAre) {
  std::mt19937_64 random(1);
  for (std::size_t masks = 1; masks <= 20; ++masks) {
    const RecordShape shape{.key_words = 2, .mask_words = masks};
    Packer packer;
    const auto distinct = [](std::size_t record, std::size_t) { return record; };
    EXPECT_TRUE(packed(packer, shape, records_of(shape, 100, random, 10, distinct)).empty());
  }
}

TEST(Packing, NoRecordAndOneRecordAreSentAsTheyAre) {
  std::mt19937_64 random(1);
  const RecordShape shape{.key_words = 1, .mask_words = 3};
  Packer packer;
  for (const std::size_t count : {0, 1})
    EXPECT_EQ(packer.measure(shape, records_of(shape, count, random, 3, [](auto, auto) { return 1; }).data(), count),
              0);
}

TEST(Packing, RecordsThatWouldNotBecomeSmallerAreSentAsTheyAre) {
  std::mt19937_64 random(1);
  const RecordShape shape{.key_words = 1, .mask_words = 1};
  Packer packer;
  // A head, a mask and two whole keys are as large as two plain records.
  Words records = records_of(shape, 2, random, 64, [](auto, auto) { return 1; });
  records[0] |= 1ULL << 63;
  EXPECT_TRUE(packed(packer, shape, records).empty());
}

TEST(Packing, WhatCannotBePackedRecordsOfThisShapeIsRefused) {
  std::mt19937_64 random(1);
  const RecordShape shape{.key_words = 1, .mask_words = 2};
  const std::size_t count = 50;
  const auto mask = [](std::size_t record, std::size_t) { return record % 3; };
  Packer packer;
  const Words small = packed(packer, shape, records_of(shape, count, random, 20, mask));
  ASSERT_FALSE(small.empty());
  EXPECT_THROW(unpacked(small, shape, count + 10), std::logic_error);
  EXPECT_THROW(unpacked(small, shape, count - 10), std::logic_error);
  EXPECT_THROW(unpacked(small, {.key_words = 1, .mask_words = 3}, count), std::logic_error);
  EXPECT_THROW(unpacked({}, shape, count), std::logic_error);
  EXPECT_THROW(unpacked({small.begin(), small.end() - 1}, shape, count), std::logic_error);
  Words longer = small;
  longer.push_back(0);
  EXPECT_THROW(unpacked(longer, shape, count), std::logic_error);
  const auto with_head = [&](std::uint64_t masks, std::uint64_t width) {
    Words other = small;
    other[0] = masks | width << 32;
    return other;
  };
  EXPECT_NO_THROW(unpacked(with_head(3, 20), shape, count));
  EXPECT_THROW(unpacked(with_head(0, 20), shape, count), std::logic_error);
  EXPECT_THROW(unpacked(with_head(count + 1, 20), shape, count), std::logic_error);
  EXPECT_THROW(unpacked(with_head(3, 65), shape, count), std::logic_error);
  Words wrong_number = small;
  std::fill(wrong_number.begin() + 7, wrong_number.end(), ~0ULL);  // mask 3 of 0, 1, 2
  EXPECT_THROW(unpacked(wrong_number, shape, count), std::logic_error);
}

}  // namespace
}  // namespace dcheck
