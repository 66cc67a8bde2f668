// Masks of lanes: single lanes of them, and moving them: compress by the domain, expand by the image, for every number
// of words.

#include "dcheck/rows/mask.hpp"

#include <gtest/gtest.h>

#include "dcheck/base/bits.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

using Lanes = std::vector<bool>;

std::vector<std::uint64_t> words_of(const Lanes& lanes, std::size_t words) {
  std::vector<std::uint64_t> out(words, 0);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (lanes[i]) out[i / 64] |= std::uint64_t{1} << (i % 64);
  return out;
}

TEST(Mask, HasTheLanesThatWereAddedAndGoesThroughThemInOrder) {
  Dice dice(1);
  for (const std::size_t words : {1, 2, 3, 32}) {
    std::vector<std::uint64_t> mask(words, 0);
    Lanes expected(words * 64);
    for (const Lane lane : FirstIds<Lane>(words * 64)) {
      expected[index(lane)] = dice.one_in(3);
      add_lane(mask.data(), lane, expected[index(lane)]);
    }
    EXPECT_EQ(mask, words_of(expected, words));
    Lanes visited(words * 64);
    std::optional<Lane> last;
    for_each_lane(mask.data(), words, [&](Lane lane) {
      EXPECT_TRUE(!last || *last < lane);
      EXPECT_TRUE(has_lane(mask.data(), lane));
      visited[index(lane)] = true;
      last = lane;
    });
    EXPECT_EQ(visited, expected);
  }
}

/// Two random subsets of equal size, and a subset of the first.
struct Case {
  Lanes domain, image, mask, expected;
};
Case random_case(Dice& dice, std::size_t count, std::uint64_t density) {
  Case c{Lanes(count), Lanes(count), Lanes(count), Lanes(count)};
  std::vector<std::size_t> from;
  std::vector<std::size_t> to;
  for (std::size_t i = 0; i < count; ++i) {
    if (dice.next() % 100 < density) from.push_back(i);
    if (dice.next() % 100 < density) to.push_back(i);
  }
  const std::size_t size = std::min(from.size(), to.size());
  for (std::size_t i = 0; i < size; ++i) {
    c.domain[from[i]] = c.image[to[i]] = true;
    c.mask[from[i]] = c.expected[to[i]] = dice.one_in(2);
  }
  return c;
}

template <int W, typename Bits>
void expect_moves(std::size_t words) {
  const MaskOps<W> ops(words);
  Dice dice(words);
  for (int i = 0; i < 300; ++i) {
    const std::size_t count = static_cast<std::size_t>(dice.between(1, static_cast<std::int64_t>(words * 64)));
    const Case c = random_case(dice, count, static_cast<std::uint64_t>(dice.between(1, 100)));
    const auto domain = words_of(c.domain, words);
    const auto image = words_of(c.image, words);
    const Mask<W> moved =
        ops.template move<Bits>(ops.load(words_of(c.mask, words).data()), domain.data(),
                                WordRange::of(domain.data(), words), image.data(), WordRange::of(image.data(), words));
    std::vector<std::uint64_t> got(words);
    ops.store(got.data(), moved);
    ASSERT_EQ(got, words_of(c.expected, words)) << words << " words, case " << i;
  }
}

TEST(Mask, MovesTheLanesOfTheDomainToThoseOfTheImageInOrder) {
  expect_moves<1, PortableBits>(1);
  expect_moves<2, PortableBits>(2);
  expect_moves<4, PortableBits>(4);
  expect_moves<8, PortableBits>(8);
  for (const std::size_t words : {1U, 3U, 5U, 8U, 31U, 32U}) expect_moves<0, PortableBits>(words);
}

TEST(Mask, FullWordsMoveAcrossWordBoundaries) {
  const MaskOps<4> ops(4);
  const std::uint64_t all = ~std::uint64_t{0};
  const std::array<std::uint64_t, 4> domain{all, all, 0, 0};
  const std::array<std::uint64_t, 4> image{0, all << 1, all, 1};
  const std::array<std::uint64_t, 4> mask{0x8000000000000001U, all, 0, 0};
  const Mask<4> moved = ops.move<PortableBits>(ops.load(mask.data()), domain.data(), {0, 2}, image.data(), {1, 4});
  EXPECT_EQ(moved.word, (std::array<std::uint64_t, 4>{0, 2, (all << 1) | 1, 1}))
      << std::hex << moved.word[1] << " " << moved.word[2];
}

TEST(Mask, CountsAndCombinesOnlyTheWordsInUse) {
  const MaskOps<0> ops(3);
  Mask<0> mask = ops.zero();
  EXPECT_FALSE(ops.any(mask));
  mask.word[2] = 7;
  EXPECT_EQ(ops.size(mask), 3U);
  const std::array<std::uint64_t, 3> other{0, 0, 5};
  Mask<0> kept = mask;
  ops.keep(kept, other.data());
  EXPECT_EQ(kept.word[2], 5U);
  ops.drop(mask, other.data());
  EXPECT_EQ(mask.word[2], 2U);
  ops.join(mask, kept);
  EXPECT_EQ(ops.size(mask), 3U);
}

}  // namespace
}  // namespace dcheck::test
