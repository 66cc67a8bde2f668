// The options about stores, order and what waits.

#include <gtest/gtest.h>

#include "unit/options_test_support.hpp"

namespace dcheck {
namespace {

TEST(StoreOptions, StoresThatDoNotExistYetSaySo) {
  EXPECT_TRUE(has(complaint({"m.spn", "--store", "auto"}), "not available yet"));
  for (const char* const store : {"packed", "delta", "comback", "difference", "compaction", "bitstate"})
    EXPECT_EQ(complaint({"m.spn", "--store", store}), "");
}

TEST(StoreOptions, OfStoresWithChainsAreAllRead) {
  const RowChoice plain = read({"m.spn", "--store", "comback"}).options.rows;
  StoreChoice comback;
  comback.kind = StoreChoice::Kind::comback;
  EXPECT_EQ(plain.store, comback);
  EXPECT_EQ(plain.order, Order::automatic);
  EXPECT_EQ(plain.waiting, Waiting::number);
  const RowChoice all = read({"m.spn", "--store", "delta", "--delta-k", "7", "--hash-bits", "40", "--cache", "0",
                              "--labels", "family", "--no-predecessor-update", "--no-backward-firing", "--no-collapse",
                              "--order", "depth-first", "--waiting", "full"})
                            .options.rows;
  const StoreChoice expected{.kind = StoreChoice::Kind::delta,
                             .k = 7,
                             .hash_bits = 40,
                             .cache_rows = 0,
                             .update_predecessors = false,
                             .backward_firing = false,
                             .collapse = false,
                             .family_labels = true};
  EXPECT_EQ(all.store, expected);
  EXPECT_EQ(all.order, Order::depth_first);
  EXPECT_EQ(all.waiting, Waiting::full);
  EXPECT_EQ(read({"m.spn", "--store", "delta", "--delta-k", "0"}).options.rows.store.k, 0U);
}

TEST(StoreOptions, ThatAStoreHasNoUseForAreRefusedInOneLine) {
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{{"--delta-k", "3"},
                                                                                     {"--cache", "0"},
                                                                                     {"--labels", "transition"},
                                                                                     {"--no-predecessor-update"},
                                                                                     {"--no-backward-firing"},
                                                                                     {"--no-collapse"}}) {
    std::vector<const char*> line{"m.spn"};
    line.insert(line.end(), words.begin(), words.end());
    EXPECT_EQ(complaint(line),
              std::string("dcheck: ") + words[0] +
                  ": --store packed has no use for it, --store delta, comback, difference or condensed was expected");
  }
  EXPECT_EQ(complaint({"m.spn", "--order", "depth-first", "--waiting", "full"}), "");
}

TEST(StoreOptions, OfStoresHaveLimits) {
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{{"--delta-k", "1000001"},
                                                                                     {"--delta-k", "-1"},
                                                                                     {"--delta-k", "1.5"},
                                                                                     {"--hash-bits", "0"},
                                                                                     {"--hash-bits", "41"},
                                                                                     {"--cache", "4294967296"},
                                                                                     {"--cache", "many"},
                                                                                     {"--labels", "colour"},
                                                                                     {"--waiting", "half"},
                                                                                     {"--masks", "round"},
                                                                                     {"--order", "sideways"}}) {
    std::vector<const char*> line{"m.spn", "--store", "delta"};
    line.insert(line.end(), words.begin(), words.end());
    EXPECT_TRUE(has(complaint(line), std::string("dcheck: ") + words[0] + ": ")) << words[0];
    EXPECT_FALSE(has(complaint(line), "\n"));
  }
}

TEST(StoreOptions, ACondensedGraphNeedsItsArcsAndItsTransitions) {
  EXPECT_EQ(complaint({"m.spn", "--store", "condensed", "--delta-k", "5", "--graph", "keep"}), "");
  EXPECT_EQ(complaint({"m.spn", "--store", "condensed", "--graph", "off"}),
            "dcheck: --store condensed is a graph: leave --graph off out");
  EXPECT_EQ(complaint({"m.spn", "--store", "condensed", "--labels", "family"}),
            "dcheck: --labels family: --store condensed tells transitions apart, --labels transition was expected");
}

TEST(StoreOptions, DifferencesHaveLabelsOfTheirOwnAndKeepTheirPredecessors) {
  EXPECT_EQ(complaint({"m.spn", "--store", "difference", "--delta-k", "5", "--no-collapse", "--hash-bits", "8"}), "");
  EXPECT_EQ(complaint({"m.spn", "--store", "difference", "--labels", "family"}),
            "dcheck: --labels family: the labels of --store difference are places, --labels transition was expected");
  EXPECT_EQ(complaint({"m.spn", "--store", "difference", "--no-predecessor-update"}),
            "dcheck: --no-predecessor-update: rows of --store difference always keep their predecessor");
}

TEST(StoreOptions, OfStoresThatKeepHashesAloneAreRead) {
  EXPECT_EQ(read({"m.spn", "--store", "compaction"}).options.rows.store.hash_bits, 40U);
  const StoreChoice compaction =
      read({"m.spn", "--store", "compaction", "--hash-bits", "64", "--seed", "7"}).options.rows.store;
  EXPECT_EQ(compaction.hash_bits, 64U);
  EXPECT_EQ(compaction.seed, 7U);
  const StoreChoice bitstate =
      read({"m.spn", "--store", "bitstate", "--table", "12M", "--hashes", "15"}).options.rows.store;
  EXPECT_EQ(bitstate.table_bytes, std::uint64_t{12} << 20);
  EXPECT_EQ(bitstate.hashes, 15U);
  EXPECT_TRUE(bitstate.is_lossy());
}

TEST(StoreOptions, OfStoresThatKeepHashesAloneGoWithNoOthers) {
  EXPECT_EQ(complaint({"m.spn", "--hash-bits", "20"}),
            "dcheck: --hash-bits: --store packed has no use for it, a store with chains or --store compaction was "
            "expected");
  EXPECT_EQ(complaint({"m.spn", "--store", "compaction", "--table", "1M"}),
            "dcheck: --table: --store compaction has no use for it, --store bitstate was expected");
  EXPECT_EQ(complaint({"m.spn", "--store", "delta", "--seed", "2"}),
            "dcheck: --seed: --store delta has no use for it, --store compaction or bitstate was expected");
  for (const std::vector<const char*>& words : std::vector<std::vector<const char*>>{
           {"--order", "breadth-first"}, {"--waiting", "full"}, {"--masks", "plain"}, {"--levels"}}) {
    std::vector<const char*> line{"m.spn", "--store", "bitstate"};
    line.insert(line.end(), words.begin(), words.end());
    EXPECT_EQ(complaint(line), std::string("dcheck: ") + words[0] +
                                   ": --store bitstate goes depth-first and keeps hashes alone: leave it out");
  }
  EXPECT_TRUE(has(complaint({"m.spn", "--store", "bitstate", "--delta-k", "2"}), "has no use for it"));
  EXPECT_TRUE(has(complaint({"m.spn", "--store", "bitstate", "--hashes", "33"}), "--hashes"));
  EXPECT_TRUE(has(complaint({"m.spn", "--store", "bitstate", "--table", "much"}), "--table"));
}

TEST(StoreOptions, LevelsAreNotDepthFirst) {
  EXPECT_EQ(complaint({"m.spn", "--levels", "--order", "depth-first"}),
            "dcheck: --levels explores breadth-first: leave --order depth-first out");
  EXPECT_EQ(complaint({"m.spn", "--levels", "--order", "young-first"}),
            "dcheck: --levels explores breadth-first: leave --order young-first out");
  EXPECT_EQ(complaint({"m.spn", "--order", "young-first", "--waiting", "full"}),
            "dcheck: --waiting full: young-first rows wait by number, another --order was expected");
  EXPECT_EQ(complaint({"m.spn", "--levels", "--order", "breadth-first"}), "");
}

}  // namespace
}  // namespace dcheck
