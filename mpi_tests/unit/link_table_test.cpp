// LinkTable against a plain vector of links.

#include "store/chains/link_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

using Row = LinkTable::Row;
using Link = LinkTable::Link;

std::uint32_t below(Dice& dice, std::uint64_t limit) {
  return static_cast<std::uint32_t>(dice.next() % limit);
}

/// The table, and what it should hold.
struct Pair {
  LinkTable table;
  std::vector<Link> truth;
  std::uint32_t explicit_count = 0;

  explicit Pair(MemoryBudget* budget = nullptr) : table(budget) {}

  void append(Row parent, std::uint32_t label) {
    table.append(parent, label);
    truth.push_back({parent, label});
  }
  void append_explicit() {
    table.append_explicit();
    truth.push_back({LinkTable::none, explicit_count++});
  }
  void update(Row row, Row parent, std::uint32_t label) {
    table.update(row, parent, label);
    truth[row] = {parent, label};
  }
  void check() const {
    ASSERT_EQ(table.size(), truth.size());
    ASSERT_EQ(table.explicit_count(), explicit_count);
    for (std::size_t row = 0; row < truth.size(); ++row) {
      const Link link = table.get(static_cast<Row>(row));
      ASSERT_EQ(link.parent, truth[row].parent) << "row " << row;
      ASSERT_EQ(link.label, truth[row].label) << "row " << row;
    }
  }
};

/// How rows come: the shapes of exploration orders, and extremes.
struct Flavour {
  enum class Parents { monotone, random, anything, neighbours_with_strays, same };
  Parents parents;
  std::uint64_t labels;         // how many
  std::uint64_t explicit_each;  // one row in so many; 0: only the first
};

Row some_parent(Flavour::Parents parents, Dice& dice, Row row, Row& last) {
  switch (parents) {
    case Flavour::Parents::monotone:
      return last = std::min(last + below(dice, 3), row - 1);
    case Flavour::Parents::random:
      return below(dice, row);
    case Flavour::Parents::anything:
      return below(dice, LinkTable::none);
    case Flavour::Parents::neighbours_with_strays:
      return dice.one_in(20) ? below(dice, row) : row - 1 - below(dice, std::min(row, Row{9}));
    case Flavour::Parents::same:
      return last;
  }
  return 0;
}

void append_some(Pair& pair, const Flavour& flavour, Dice& dice, Row& last) {
  const auto row = static_cast<Row>(pair.truth.size());
  if (row == 0 || (flavour.explicit_each != 0 && dice.one_in(flavour.explicit_each)))
    pair.append_explicit();
  else
    pair.append(some_parent(flavour.parents, dice, row, last), below(dice, flavour.labels));
}

class LinkTableOfFlavour : public testing::TestWithParam<Flavour> {};

TEST_P(LinkTableOfFlavour, ReadsWhatWasAppended) {
  Dice dice(1);
  Pair pair;
  Row last = 0;
  for (int i = 0; i < 20'000; ++i) append_some(pair, GetParam(), dice, last);
  pair.check();
}

TEST_P(LinkTableOfFlavour, ReadsEveryRowRightAfterItsAppending) {
  Dice dice(2);
  Pair pair;
  Row last = 0;
  for (int i = 0; i < 200; ++i) {
    append_some(pair, GetParam(), dice, last);
    pair.check();
  }
}

TEST_P(LinkTableOfFlavour, ReadsWhatWasUpdatedLast) {
  Dice dice(3);
  Pair pair;
  for (int round = 0; round < 20; ++round) {
    Row last = 0;
    for (int i = 0; i < 500; ++i) append_some(pair, GetParam(), dice, last);
    for (int i = 0; i < 3000; ++i) {
      const Row row = below(dice, pair.truth.size());
      if (pair.truth[row].is_explicit()) continue;
      const auto parents = dice.one_in(3) ? Flavour::Parents::anything : GetParam().parents;
      pair.update(row, some_parent(parents, dice, row, last), below(dice, GetParam().labels << (round / 5)));
      ASSERT_EQ(pair.table.get(row), pair.truth[row]);
    }
    pair.check();
  }
}

using Parents = Flavour::Parents;
INSTANTIATE_TEST_SUITE_P(Shapes, LinkTableOfFlavour,
                         testing::Values(Flavour{Parents::monotone, 512, 0}, Flavour{Parents::monotone, 1, 20},
                                         Flavour{Parents::random, 37, 7}, Flavour{Parents::random, 1 << 20, 0},
                                         Flavour{Parents::anything, std::uint64_t{1} << 28, 0},
                                         Flavour{Parents::anything, std::uint64_t{1} << 26, 3},
                                         Flavour{Parents::neighbours_with_strays, 300, 20},
                                         Flavour{Parents::neighbours_with_strays, 5, 0}, Flavour{Parents::same, 1, 0},
                                         Flavour{Parents::same, 4, 1}));

TEST(LinkTable, HoldsTheLargestParentsAndLabels) {
  Pair pair;
  for (Row i = 0; i < 130; ++i) pair.append(i % 2 == 0 ? LinkTable::none - 1 : i % 3, i % 5 == 0 ? ~0U : i);
  pair.check();
  for (Row i = 0; i < 130; ++i) pair.update(i, i % 3 == 0 ? LinkTable::none - 1 : i % 2, i % 2 == 0 ? ~0U : 0);
  pair.check();
}

TEST(LinkTable, NumbersExplicitRowsAcrossBlocks) {
  Pair pair;
  for (Row i = 0; i < 64 * 5; ++i) {
    if (i / 64 == 1 || i % 17 == 0)
      pair.append_explicit();
    else
      pair.append(i / 2, i % 8);
  }
  pair.check();
}

TEST(LinkTable, ABlockHasRoomForLinksThatFitItAsItIs) {
  Pair pair;
  pair.append_explicit();
  for (Row i = 1; i < 300; ++i) pair.append(i / 2, 1);
  const std::size_t before = pair.table.bytes();
  EXPECT_FALSE(pair.table.has_room_for(101, 290, 1));
  EXPECT_FALSE(pair.table.has_room_for(101, 50, 100));
  pair.check();
  EXPECT_TRUE(pair.table.has_room_for(101, 49, 1));
  pair.table.update(101, 49, 1);
  EXPECT_EQ(pair.table.get(101), (LinkTable::Link{49, 1}));
  EXPECT_EQ(pair.table.bytes(), before);
}

TEST(LinkTable, TakesFewBytesInBreadthFirstOrder) {
  constexpr Row rows = 4'000'000;
  Dice dice(5);
  LinkTable table;
  table.append_explicit();
  Row parent = 0;
  for (Row row = 1; row < rows; ++row) {
    while (parent + 1 < row && dice.one_in(2)) ++parent;
    table.append(parent, below(dice, 512));
  }
  EXPECT_LE(static_cast<double>(table.bytes()), 2.5 * rows);
}

TEST(LinkTable, TakesLittleMoreThanTheBitsOfRandomParents) {
  constexpr Row rows = 3'000'000;
  Dice dice(6);
  LinkTable table;
  table.append_explicit();
  for (Row row = 1; row < rows; ++row) table.append(below(dice, row), below(dice, 64));
  EXPECT_LE(static_cast<double>(table.bytes()), ((bit_width_of(rows) + 6) / 8.0 + 0.4) * rows);
}

TEST(LinkTable, ListsTheFewParentsThatStickOut) {
  constexpr Row rows = 4'000'000;
  Dice dice(7);
  LinkTable table;
  table.append_explicit();
  for (Row row = 1; row < rows; ++row)
    table.append(dice.one_in(64) ? below(dice, row) : row - 1 - below(dice, std::min<Row>(row, 64)), below(dice, 512));
  EXPECT_LE(static_cast<double>(table.bytes()), 2.8 * rows);
}

TEST(LinkTable, TakesLittleMoreAfterManyUpdates) {
  constexpr Row rows = 400'000;
  Dice dice(8);
  Pair pair;
  for (Row row = 0; row < rows; ++row) {
    if (row % 10 == 0)
      pair.append_explicit();
    else
      pair.append(row - 1, below(dice, 64));
    for (int i = 0; i < 3; ++i)
      if (const Row old = below(dice, row + 1); old % 10 != 0) pair.update(old, below(dice, rows), below(dice, 64));
  }
  pair.check();
  // Nine rows of ten have 19 bits and 6; an eighth may be holes; then there is what the array of pages keeps ahead.
  EXPECT_LE(static_cast<double>(pair.table.bytes()), ((19 + 6) / 8.0 * 0.9 + 0.6) * 1.25 * rows);
}

TEST(LinkTable, IsAsBeforeWhereMemoryEnds) {
  Dice dice(9);
  MemoryBudget budget;
  budget.limit = 256 << 10;
  Pair pair(&budget);
  const auto fill = [&] {
    while (true) pair.append(below(dice, 1 << 20), below(dice, 16));
  };
  EXPECT_THROW(fill(), ResourceError);
  pair.check();
  const auto update = [&] {
    while (true) pair.update(below(dice, pair.truth.size()), below(dice, 1 << 31), below(dice, 1 << 20));
  };
  EXPECT_THROW(update(), ResourceError);
  pair.check();
  EXPECT_LE(budget.used, budget.limit);
  budget.limit *= 2;
  for (int i = 0; i < 1000; ++i) pair.append(below(dice, 1 << 20), below(dice, 16));
  for (int i = 0; i < 1000; ++i)
    pair.update(below(dice, pair.truth.size()), below(dice, 1 << 31), below(dice, 1 << 20));
  pair.check();
}

}  // namespace
}  // namespace dcheck::test
