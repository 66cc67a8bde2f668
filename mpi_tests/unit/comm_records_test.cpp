// What is joined and what is left out on the way into a buffer, record by record.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <stdexcept>

#include "dcheck/comm/exchange/exchange.hpp"
#include "dcheck/comm/transport/loopback.hpp"

namespace dcheck {
namespace {

using Mask = std::array<std::uint64_t, 2>;
struct Sent {
  std::uint64_t key;
  std::uint32_t transition;
  Mask mask;
  friend bool operator==(const Sent&, const Sent&) = default;
};

/// Rank 0 commits `records`, rank 1 says what it got; and rank 0's figures.
std::pair<std::vector<Sent>, TrafficFigures> transfer(const RecordShape& shape, Merging merging,
                                                      const std::vector<Sent>& records,
                                                      const ExchangeOptions& options = {}) {
  std::vector<Sent> got;
  TrafficFigures figures;
  run_loopback({.ranks = 2}, [&](Transport& transport) {
    Cluster cluster(transport);
    Exchange exchange(cluster, options);
    exchange.begin(shape, merging, 1, [&](const Records& batch) {
      for (std::size_t i = 0; i < batch.count; ++i) {
        Sent& sent = got.emplace_back();
        sent.key = batch.key(i)[0];
        if (shape.has_transition) sent.transition = batch.transition(i);
        std::copy_n(batch.mask(i), shape.mask_words, sent.mask.begin());
      }
    });
    if (cluster.rank() == rank_0)
      for (const Sent& sent : records) {
        std::fill_n(exchange.record(Rank{1}), shape.key_words, sent.key);
        if (shape.has_transition)
          exchange.commit(Rank{1}, sent.key, sent.transition, sent.mask.data());
        else
          exchange.commit(Rank{1}, sent.key, sent.mask.data());
      }
    while (!exchange.is_over(true)) {
    }
    if (cluster.rank() == rank_0) figures = exchange.figures();
    cluster.close();
  });
  return {got, figures};
}

constexpr RecordShape lanes{.key_words = 3, .mask_words = 2};
constexpr RecordShape counted{.key_words = 3, .mask_words = 2, .has_transition = true};

TEST(Merging, IdempotentRecordsOfOneKeyBecomeOne) {
  const auto [got, figures] =
      transfer(lanes, Merging::idempotent, {{5, 0, {1, 0}}, {6, 0, {1, 0}}, {5, 0, {2, 4}}, {6, 0, {1, 8}}});
  EXPECT_EQ(got, (std::vector<Sent>{{5, 0, {3, 4}}, {6, 0, {1, 8}}}));
  EXPECT_EQ(figures.records, 2);
  EXPECT_EQ(figures.merged, 2);
  EXPECT_EQ(figures.suppressed, 0);
}

TEST(Merging, LanesThatWereSentAreNotSentAgain) {
  const auto [got, figures] =
      transfer(lanes, Merging::idempotent, {{5, 0, {1, 0}}, {5, 0, {1, 0}}, {5, 0, {3, 0}}, {5, 0, {2, 0}}},
               {.buffer_bytes = 1});
  EXPECT_EQ(got, (std::vector<Sent>{{5, 0, {1, 0}}, {5, 0, {2, 0}}}));
  EXPECT_EQ(figures.suppressed, 2);
  EXPECT_EQ(figures.full_flushes, 2) << "a buffer of one record";
}

TEST(Merging, KeysWithoutLanesAreSentOnce) {
  const auto [got, figures] =
      transfer({.key_words = 1}, Merging::idempotent, {{0, 0, {}}, {0, 0, {}}, {~0ULL, 0, {}}, {0, 0, {}}});
  EXPECT_EQ(got, (std::vector<Sent>{{0, 0, {}}, {~0ULL, 0, {}}}));
  EXPECT_EQ(figures.suppressed, 2);
}

TEST(Merging, CountedRecordsJoinByKeyAndTransitionOnly) {
  const auto [got, figures] = transfer(
      counted, Merging::counting, {{5, 1, {1, 0}}, {5, 2, {1, 0}}, {5, 1, {2, 0}}, {6, 1, {1, 0}}, {5, 2, {0, 1}}});
  EXPECT_EQ(got, (std::vector<Sent>{{5, 1, {3, 0}}, {5, 2, {1, 1}}, {6, 1, {1, 0}}}));
  EXPECT_EQ(figures.merged, 2);
  EXPECT_EQ(figures.suppressed, 0);
}

TEST(Merging, CountedRecordsAreSentAgainInTheNextBuffer) {
  const auto [got, figures] =
      transfer(counted, Merging::counting, {{5, 1, {1, 0}}, {5, 1, {1, 0}}, {5, 1, {1, 0}}}, {.buffer_bytes = 1});
  EXPECT_EQ(got.size(), 3);
}

TEST(Merging, ALaneCountedTwiceInABufferIsAnError) {
  EXPECT_THROW(transfer(counted, Merging::counting, {{5, 1, {3, 0}}, {5, 1, {2, 0}}}), std::logic_error);
}

TEST(Merging, WithoutMergingEveryRecordTravels) {
  const std::vector<Sent> records{{5, 0, {1, 0}}, {5, 0, {1, 0}}, {5, 0, {2, 0}}};
  EXPECT_EQ(transfer(lanes, Merging::none, records).first, records);
  EXPECT_EQ(transfer(counted, Merging::none, records).first, records);
}

TEST(Merging, ManyKeysInOneBufferAreAllFound) {
  std::vector<Sent> records;
  for (std::uint64_t key = 0; key < 3000; ++key) records.push_back({key % 1000 * 4096, 0, {1ULL << (key / 1000), 0}});
  const auto [got, figures] =
      transfer(lanes, Merging::idempotent, records, {.buffer_bytes = 1 << 20, .cache_bytes = 1});
  ASSERT_EQ(got.size(), 1000);
  for (const Sent& sent : got) EXPECT_EQ(sent.mask[0], 7);
  EXPECT_EQ(figures.messages, 1);
  // All have one mask: a header, a head, the mask, and 22 bits for each of three key words of a record.
  EXPECT_EQ(figures.bytes, 16 + 8 * (1 + 2 + (1000 * 3 * 22 + 63) / 64));
}

TEST(Merging, WhatIsRememberedIsForgottenInTheNextPhase) {
  std::uint64_t received = 0;
  run_loopback({.ranks = 2}, [&](Transport& transport) {
    Cluster cluster(transport);
    Exchange exchange(cluster, {});
    for (int phase = 0; phase < 3; ++phase) {
      exchange.begin({}, Merging::idempotent, 1, [&](const Records& batch) { received += batch.count; });
      if (cluster.rank() == rank_0) {
        *exchange.record(Rank{1}) = 9;
        exchange.commit<1, 0>(Rank{1}, 9);
      }
      while (!exchange.is_over(true)) {
      }
    }
    cluster.close();
  });
  EXPECT_EQ(received, 3);
}

TEST(Exchange, HandlersMustNotSend) {
  const auto program = [](Transport& transport) {
    Cluster cluster(transport);
    Exchange exchange(cluster, {});
    exchange.begin({}, Merging::none, 1, [&](const Records& batch) { exchange.record(batch.from); });
    if (cluster.rank() == rank_0) {
      *exchange.record(Rank{1}) = 9;
      exchange.commit(Rank{1}, 9);
    }
    while (!exchange.is_over(true)) {
    }
  };
  EXPECT_THROW(run_loopback({.ranks = 2}, program), std::logic_error);
}

TEST(Exchange, RecordsOfAnotherPlanAreRefused) {
  const auto program = [](Transport& transport) {
    Cluster cluster(transport);
    Exchange exchange(cluster, {});
    exchange.begin({}, Merging::none, static_cast<std::uint32_t>(cluster.rank()), [](const Records&) {});
    if (cluster.rank() == rank_0) {
      *exchange.record(Rank{1}) = 9;
      exchange.commit(Rank{1}, 9);
    }
    while (!exchange.is_over(true)) {
    }
  };
  EXPECT_THROW(run_loopback({.ranks = 2}, program), std::logic_error);
}

// A busy rank sends what is too old when it polls, and not before; a resting one sends at once.
TEST(Exchange, BuffersAreSentWhenTheyAreOldOrTheRankRests) {
  run_loopback({.ranks = 2, .seed = 5}, [](Transport& transport) {
    Cluster cluster(transport);
    Exchange exchange(cluster, {.flush_after_ms = 20});
    exchange.begin({}, Merging::none, 1, [](const Records&) {});
    if (cluster.rank() == rank_0) {
      *exchange.record(Rank{1}) = 9;
      exchange.commit(Rank{1}, 9);
      const std::uint64_t begin = transport.now();
      exchange.poll();
      EXPECT_EQ(exchange.figures().timeout_flushes, transport.now() - begin < 19'000'000 ? 0 : 1);
      while (transport.now() - begin < 21'000'000) (void)transport.unfinished();
      exchange.poll();
      EXPECT_EQ(exchange.figures().timeout_flushes, 1);
      *exchange.record(Rank{1}) = 9;
      exchange.commit(Rank{1}, 9);
      exchange.is_over(true);
      EXPECT_EQ(exchange.figures().idle_flushes, 1);
    }
    while (!exchange.is_over(true)) {
    }
    cluster.close();
  });
}

}  // namespace
}  // namespace dcheck
