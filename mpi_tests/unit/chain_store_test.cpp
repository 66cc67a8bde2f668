// Stores with chains against a map of keys: random nets, every order of insertion, every setting.

#include "store/chains/chain_store.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "dcheck/base/bits.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

using Key = std::vector<std::uint64_t>;
using Row = RowStore::Row;

/// Empty where a net has too many states for a small test.
std::optional<NaiveGraph> small_graph(const Net& net) {
  NaiveGraph graph = explore_naively(net, {600, 100});
  return graph.is_complete() ? std::optional(std::move(graph)) : std::nullopt;
}

Plan one_lane_plan(const Net& net, const NaiveGraph& graph) {
  PlanRequest request;
  for (const Tokens most : graph.most_in_place)
    request.min_width.push_back(bit_width_of(static_cast<std::uint64_t>(most)));
  return make_plan(net, analyse(net), request);
}

struct Setting {
  StoreChoice choice;
  std::uint32_t k = 0;
};

Setting random_setting(Dice& dice) {
  Setting setting;
  constexpr std::uint32_t ks[] = {0, 1, 2, 3, 5, 20};
  constexpr unsigned bits[] = {1, 4, 8, 16, 30, 40};
  constexpr std::uint64_t caches[] = {0, 1, 7, 64, 5000};
  setting.k = ks[dice.between(0, 5)];
  constexpr StoreChoice::Kind kinds[] = {StoreChoice::Kind::delta, StoreChoice::Kind::comback,
                                         StoreChoice::Kind::difference};
  setting.choice.kind = kinds[dice.between(0, 2)];
  setting.choice.hash_bits = bits[dice.between(0, 5)];
  if (!dice.one_in(3)) setting.choice.cache_rows = caches[dice.between(0, 4)];
  setting.choice.update_predecessors = !dice.one_in(3);
  setting.choice.backward_firing = !dice.one_in(3);
  setting.choice.collapse = !dice.one_in(3);
  setting.choice.family_labels = setting.choice.kind != StoreChoice::Kind::difference && dice.one_in(3);
  return setting;
}

/// Fills a store with the states of a graph in some order, and knows what must be in it.
class Filling {
 public:
  Filling(const Plan& plan, const NaiveGraph& graph, const Setting& setting, Dice& dice)
      : _plan(plan), _graph(graph), _dice(dice), _store(plan, setting.choice, setting.k, nullptr) {
    for (const PlanTransition t : plan.all_transitions()) _number_of[plan.transition(t).id] = t;
  }

  ChainStore& store() { return _store; }
  const std::map<Key, Row>& truth() const { return _truth; }

  void run() {
    enum class Order : std::uint8_t { breadth, depth, any };
    const auto order = static_cast<Order>(_dice.between(0, 2));
    const bool loses_vias = _dice.one_in(3);
    add({0, Via{}});
    finish();
    std::vector<std::size_t> waiting{0};
    std::set<std::size_t> known{0};
    while (!waiting.empty()) {
      const auto last = static_cast<std::int64_t>(waiting.size()) - 1;
      const auto at = order == Order::breadth ? 0 : order == Order::depth ? last : _dice.between(0, last);
      const std::size_t state = waiting[static_cast<std::size_t>(at)];
      waiting.erase(waiting.begin() + at);
      for (const NaiveArc& arc : _graph.successors[state]) {
        if (known.insert(arc.target).second) waiting.push_back(arc.target);
        const PlanTransition transition = _number_of.at(arc.transition);
        if (_plan.transition(transition).stays) continue;
        const bool is_lost = loses_vias && _dice.one_in(2);
        add({arc.target, is_lost ? Via{} : Via{_row_of.at(state), transition}});
        if (_dice.one_in(8)) finish();
      }
      finish();  // the rows that are left next must have numbers
    }
  }

 private:
  struct Record {
    std::size_t state;
    Via via;
  };
  void add(const Record& record) {
    _records.push_back(record);
    if (_records.size() == RowStore::batch_limit) finish();
  }
  void finish() {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint64_t> hashes;
    std::vector<Via> vias;
    for (const Record& record : _records) {
      const Key key = _plan.stored_key(_graph.markings[record.state]);
      keys.insert(keys.end(), key.begin(), key.end());
      hashes.push_back(_store.linear_hash(key.data()));
      vias.push_back(record.via);
    }
    std::vector<RowStore::Inserted> out(_records.size());
    _store.insert(keys, hashes, vias, out);
    for (std::size_t i = 0; i < _records.size(); ++i) {
      const auto next = static_cast<Row>(_truth.size());
      const auto [at, is_new] = _truth.emplace(_plan.stored_key(_graph.markings[_records[i].state]), next);
      ASSERT_EQ(out[i].is_new, is_new);
      ASSERT_EQ(out[i].row, at->second);
      _row_of[_records[i].state] = out[i].row;
    }
    _records.clear();
  }

  const Plan& _plan;
  const NaiveGraph& _graph;
  Dice& _dice;
  ChainStore _store;
  std::map<Transition, PlanTransition> _number_of;
  std::map<Key, Row> _truth;
  std::map<std::size_t, Row> _row_of;
  std::vector<Record> _records;
};

void expect_all_keys(ChainStore& store, const std::map<Key, Row>& truth) {
  ASSERT_EQ(store.size(), truth.size());
  for (const auto& [key, row] : truth) {
    Key read(key.size());
    store.key(row, read.data());
    ASSERT_EQ(read, key);
    ASSERT_EQ(store.find(key.data()), row);
    Key other = key;
    other[0] ^= 1;
    const auto found = truth.find(other);
    ASSERT_EQ(store.find(other.data()), found == truth.end() ? std::nullopt : std::optional(found->second));
  }
}

TEST(ChainStore, RandomNetsInAnyOrderGiveEveryKeyItsRow) {
  std::uint64_t updates = 0;
  std::uint64_t found_parents = 0;
  std::uint64_t ambiguous = 0;
  std::uint64_t second = 0;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const auto graph = small_graph(net);
    if (!graph) continue;
    const Plan plan = one_lane_plan(net, *graph);
    Dice dice(seed);
    const Setting setting = random_setting(dice);
    Filling filling(plan, *graph, setting, dice);
    ASSERT_NO_FATAL_FAILURE(filling.run());
    ASSERT_NO_FATAL_FAILURE(expect_all_keys(filling.store(), filling.truth()));
    const StoreFigures figures = filling.store().figures();
    if (setting.k != 0) {
      ASSERT_LT(figures.longest_chain, setting.k);
    }
    ASSERT_EQ(figures.explicit_rows,
              figures.explicit_by_k + figures.explicit_without_parent + figures.explicit_by_label);
    updates += figures.updated_predecessors;
    found_parents += figures.parents_found;
    ambiguous += figures.explicit_by_label;
    second += figures.second_level_rows;
  }
  EXPECT_GT(updates, 20U);
  EXPECT_GT(found_parents, 100U);
  EXPECT_GT(ambiguous, 100U);
  EXPECT_GT(second, 100U);
}

/// use(filling) with stores that hold the states of random nets, each transition with a label of its own.
void for_each_filling(std::uint64_t seeds, const std::function<void(Filling&)>& use) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const auto graph = small_graph(net);
    if (!graph) continue;
    const Plan plan = one_lane_plan(net, *graph);
    Dice dice(seed);
    Setting setting = random_setting(dice);
    setting.choice.family_labels = false;
    Filling filling(plan, *graph, setting, dice);
    ASSERT_NO_FATAL_FAILURE(filling.run());
    ASSERT_NO_FATAL_FAILURE(use(filling));
  }
}

/// All keys, as they are met on a walk over the store; look(row) on the way.
std::map<Key, Row> walked_over(ChainStore& store, std::size_t words, const std::function<void(Row)>& look) {
  std::map<Key, Row> visited;
  store.for_each([&](Row row) {
    look(row);
    Key key(words);
    store.key(row, key.data());
    visited.emplace(key, row);
  });
  return visited;
}

TEST(ChainStore, CondensedRowsAreReadWithoutAnIndexAndFoundWithANewOne) {
  for_each_filling(200, [](Filling& filling) {
    ChainStore& store = filling.store();
    const std::uint64_t index_bytes = store.figures().index_bytes;
    store.condense();
    EXPECT_LE(store.figures().index_bytes, index_bytes);
    for (const auto& [key, row] : filling.truth()) {
      Key read(key.size());
      store.key(row, read.data());
      ASSERT_EQ(read, key);
    }
    ASSERT_NO_FATAL_FAILURE(expect_all_keys(store, filling.truth()));
    store.condense();
    ASSERT_NO_FATAL_FAILURE(filling.run());  // every key is still there
  });
}

TEST(ChainStore, ALookUpDuringAWalkOverCondensedRowsDoesNotDisturbIt) {
  for_each_filling(200, [](Filling& filling) {
    ChainStore& store = filling.store();
    const Key& some = filling.truth().begin()->first;
    store.condense();
    const auto look = [&](Row row) {
      if (row == store.size() / 2) {
        ASSERT_EQ(store.find(some.data()), filling.truth().begin()->second);
      }
    };
    EXPECT_EQ(walked_over(store, some.size(), look), filling.truth());
  });
}

TEST(ChainStore, GoingThroughAllRowsTakesTwoFiringsARow) {
  for_each_filling(60, [](Filling& filling) {
    ChainStore& store = filling.store();
    const std::uint64_t before = store.figures().read_links;
    const std::size_t words = filling.truth().begin()->first.size();
    EXPECT_EQ(walked_over(store, words, [](Row) {}), filling.truth());
    EXPECT_LE(store.figures().read_links - before, 2 * store.size());
  });
}

TEST(ChainStore, MemoryThatEndsLeavesWhatWasStored) {
  NetBuilder build("wide");
  for (int i = 0; i < 8; ++i)
    build.add_output(build.add_transition(fmt::format("t{}", i)), build.add_place(fmt::format("p{}", i)), 1);
  const Net net = build.build();
  PlanRequest request;
  request.min_width.assign(8, 8);
  const Plan plan = make_plan(net, analyse(net), request);
  ASSERT_EQ(plan.layout().stored_bits(), 64U);
  MemoryBudget budget;
  ChainStore store(plan, StoreChoice{}, 5, &budget);
  budget.limit = budget.used + 300'000;
  std::uint64_t count = 0;
  const auto key_number = [](std::uint64_t i) { return i * 0x9E3779B97F4A7C15U; };
  try {
    for (; count < 1'000'000; ++count) {
      const std::uint64_t key = key_number(count);
      const std::uint64_t hash = store.linear_hash(&key);
      RowStore::Inserted out;
      store.insert(std::span(&key, 1), std::span(&hash, 1), {}, std::span(&out, 1));
    }
    FAIL() << "there was memory for everything";
  } catch (const ResourceError&) {
  }
  EXPECT_GT(count, 1000U);
  EXPECT_EQ(store.size(), count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t key = key_number(i);
    EXPECT_EQ(store.find(&key), static_cast<Row>(i));
  }
}

}  // namespace
}  // namespace dcheck::test
