// Rows on their way from one state to another: everything that was reached and that waits arrives, whatever they are
// kept in, and sets of states come along.

#include "dcheck/space/row_stream.hpp"

#include <gtest/gtest.h>

#include <map>

#include "dcheck/engine/engine.hpp"
#include "dcheck/net/structure.hpp"
#include "dcheck/space/fresh_state.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

using Words = std::vector<std::uint64_t>;

/// All masks of all rows by their keys.
std::map<Words, Words> rows_of(const Plan& plan, const ExploreState& state, std::vector<SetColumn> sets = {}) {
  std::map<Words, Words> rows;
  const RowSource source(plan, state, std::move(sets));
  const std::size_t words = source.columns().size() * plan.words();
  source.for_each(Which::all, [&](const StreamedRow& row) {
    rows[Words(row.key, row.key + plan.layout().stored_words())] = Words(row.masks, row.masks + words);
  });
  return rows;
}

/// A part of a random net's states, stopped somewhere in the middle.
StateSpace partly_explored(const Net& net, const Structure& structure, Dice& dice) {
  StateSpace space(net, alone());
  PlanRequest request;
  for (std::size_t p = 0; p < net.place_count(); ++p) request.min_width.push_back(4);
  if (dice.one_in(2) && net.place_count() != 0) request.leaf = {static_cast<Place>(dice.next() % net.place_count())};
  space.plan = std::make_unique<Plan>(make_plan(net, structure, request));
  RowChoice choice;
  choice.store.kind = static_cast<StoreChoice::Kind>(dice.between(0, 2));
  choice.order = static_cast<Order>(dice.between(0, 3));
  choice.by_level = choice.order == Order::breadth_first && dice.one_in(2);
  choice.waiting = static_cast<Waiting>(dice.between(0, 1));
  choice.masks = static_cast<MaskForm>(dice.between(0, 2));
  space.state = fresh_state(*space.plan, choice, &space.budget());
  add_marking(*space.plan, space.state, net.initial());
  const std::uint64_t enough = 1 + dice.next() % 60;
  explore_rows(space, {}, {[&] { return space.state.counts.row_visits >= enough; }, 1});
  return space;
}

TEST(RowStream, CarriesAllRowsAndTheirLanesToAnyKindOfRows) {
  std::size_t waiting = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const Structure structure = analyse(net);
    Dice dice(seed);
    const StateSpace space = partly_explored(net, structure, dice);
    const RowSource source(*space.plan, space.state);
    ExploreState copy = fresh_state(*space.plan, space.state.choice);
    RowSink sink(*space.plan, copy);
    sink.expect(space.state.row_count());
    std::size_t handled = 0;
    source.for_each(Which::handled, [&](const StreamedRow& row) {
      sink.add(row);
      ++handled;
    });
    source.for_each(Which::waiting, [&](const StreamedRow& row) { sink.add(row); });
    sink.finish();
    EXPECT_EQ(rows_of(*space.plan, copy), rows_of(*space.plan, space.state));
    EXPECT_EQ(copy.row_count(), space.state.row_count());
    EXPECT_EQ(copy.counts.states, space.state.counts.states);
    waiting += space.state.row_count() - handled;
  }
  EXPECT_GT(waiting, 1000U);
}

TEST(RowStream, GivesSetsOfStatesBesideTheRows) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const Structure structure = analyse(net);
    Dice dice(seed);
    const StateSpace space = partly_explored(net, structure, dice);
    const std::uint64_t limit = space.state.slots ? space.state.slots->capacity() : space.state.row_count();
    Words bits(limit * space.plan->words() + 1);
    for (std::uint64_t& word : bits) word = dice.next();
    const auto write_lanes = [&](Row row, std::uint64_t* out) {
      const std::size_t words = space.plan->words();
      if (space.plan->leaf().empty())
        *out = bits[index(row) / 64] >> (index(row) % 64) & 1;
      else
        std::copy_n(bits.data() + index(row) * words, words, out);
    };
    const std::vector<SetColumn> sets{{"first", write_lanes}, {"again", write_lanes}};
    EXPECT_EQ(RowSource(*space.plan, space.state, sets).columns().back(), "again");
    for (const auto& [key, masks] : rows_of(*space.plan, space.state, sets)) {
      const std::size_t words = space.plan->words();
      const auto row = space.state.slots ? *space.state.slots->find(key[0]) : *space.state.rows->find(key.data());
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t expected =
            space.plan->leaf().empty() ? bits[row / 64] >> (row % 64) & 1 : bits[row * words + w];
        EXPECT_EQ(masks[masks.size() - 2 * words + w], expected);
        EXPECT_EQ(masks[masks.size() - words + w], expected);
      }
    }
  }
}

TEST(RowStream, RefusesRowsThatComeTwiceOrInAnOrderThatAQueueCannotKeep) {
  const Net net = random_net(3);
  const Structure structure = analyse(net);
  const Plan plan = make_plan(net, structure, {});
  RowChoice choice;
  choice.store.kind = StoreChoice::Kind::delta;
  ExploreState state = fresh_state(plan, choice);
  const Words key(plan.layout().stored_words(), 0);
  const std::uint64_t waiting[] = {1, 1}, handled[] = {1, 0};
  RowSink sink(plan, state);
  sink.add({key.data(), waiting});
  EXPECT_THROW(sink.add({key.data(), handled}), std::logic_error);
  sink.add({key.data(), waiting});
  EXPECT_THROW(sink.finish(), std::logic_error);
}

}  // namespace
}  // namespace dcheck::test
