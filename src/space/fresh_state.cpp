#include "dcheck/space/fresh_state.hpp"

#include <algorithm>

#include "dcheck/net/marking.hpp"
#include "dcheck/rows/mask.hpp"
#include "dcheck/store/make_row_store.hpp"

namespace dcheck {

namespace {

Order order_for(const RowChoice& choice) {
  if (choice.by_level) return Order::breadth_first;
  if (choice.order != Order::automatic) return choice.order;
  return choice.store.has_chains() && choice.waiting == Waiting::number ? Order::young_first : Order::breadth_first;
}

LaneMasks::Form mask_form(const Plan& plan, const RowChoice& choice) {
  const bool is_one_word = plan.words() == 1;  // hardly larger than a number
  const bool has_numbers = choice.masks == MaskForm::automatic ? !is_one_word : choice.masks == MaskForm::numbered;
  return has_numbers ? LaneMasks::Form::numbered : LaneMasks::Form::plain;
}

}  // namespace

bool ExploreState::is_short_of_memory() const {
  if (budget == nullptr) return false;
  // What is not counted, buffers above all, needs some room too.
  if (slots) return slots->is_nearly_full() && !budget->has_room_for(slots->growth_bytes() + budget->limit / 8);
  return budget->used > budget->limit / 5 * 2;
}

void ExploreState::drop_lists() {
  queue = RowQueue();
  open = OpenRows();
  next = OpenRows();
}

void Maxima::begin(const Net& net) {
  if (!place.empty()) return;
  place.assign(net.initial().begin(), net.initial().end());
  marking = tokens_in(place);
}

void Maxima::see(std::span<const Tokens> tokens) {
  for (std::size_t p = 0; p < place.size(); ++p) place[p] = std::max(place[p], tokens[p]);
  marking = std::max(marking, tokens_in(tokens));
}

StoreChoice store_under(const Plan& plan, const RowChoice& choice) {
  constexpr std::uint32_t delta_k = 20, comback_k = 100;
  StoreChoice store = choice.store;
  if (store.k) return store;
  // Chains of rows that are handled last in, first out grow with the depth of the search.
  const bool is_breadth_first = order_for(choice) == Order::breadth_first && (choice.by_level || plan.leaf().empty());
  if (store.kind == StoreChoice::Kind::delta || store.kind == StoreChoice::Kind::difference) store.k = delta_k;
  if (store.kind == StoreChoice::Kind::comback || store.kind == StoreChoice::Kind::condensed)
    store.k = is_breadth_first ? 0 : comback_k;
  return store;
}

ExploreState fresh_state(const Plan& plan, const RowChoice& choice, MemoryBudget* budget) {
  ExploreState state(budget);
  state.choice = choice;
  state.choice.order = order_for(choice);
  const Layout& layout = plan.layout();
  const bool can_have_slots =
      choice.store.kind == StoreChoice::Kind::packed && state.choice.order == Order::breadth_first && !choice.by_level;
  if (can_have_slots && plan.leaf().empty() && layout.stored_words() == 1) {
    state.slots = std::make_unique<SlotStore>(layout.stored_bits(), budget);
    return state;
  }
  if (choice.store.is_lossy()) {
    state.lossy = std::make_unique<LossyRows>(plan, choice.store, budget);
    return state;
  }
  state.rows = make_row_store(plan, store_under(plan, choice), budget);
  state.queue.begin(state.choice, layout.stored_words());
  if (!plan.leaf().empty()) state.reached.begin(plan.words(), mask_form(plan, choice));
  if (choice.waiting == Waiting::number) return state;
  state.open.keep_keys(layout.stored_words());
  state.next.keep_keys(layout.stored_words());
  return state;
}

void carry_knowledge(const ExploreState& from, ExploreState& to) {
  to.maxima = from.maxima;
  to.goals = from.goals;
  to.counts = from.counts;
  to.counts.states = 0;
  to.levels_begun = from.levels_begun;
}

namespace {

RowStore::Row add_row(RowStore& rows, const std::vector<std::uint64_t>& key) {
  const std::uint64_t hash = rows.linear_hash(key.data());
  RowStore::Inserted inserted;
  rows.insert(key, std::span(&hash, 1), {}, std::span(&inserted, 1));
  return inserted.row;
}

void add_first(const Plan& plan, ExploreState& state, const std::vector<std::uint64_t>& key,
               std::span<const Tokens> marking) {
  std::vector<std::uint64_t> lanes(plan.words(), 0);
  add_lane(lanes.data(), plan.leaf().empty() ? Lane{} : *plan.lanes().find(plan.leaf_marking(marking)));
  const std::uint64_t hash = state.lossy->hash(key.data());
  state.lossy->push_first(key.data(), lanes.data());
  state.lossy->known().add(std::span(&hash, 1), lanes.data());
  ++state.counts.states;
}

}  // namespace

void add_marking(const Plan& plan, ExploreState& state, std::span<const Tokens> marking) {
  const std::vector<std::uint64_t> key = plan.stored_key(marking);
  if (state.lossy) return add_first(plan, state, key, marking);
  if (state.slots) {
    state.counts.states += state.slots->insert(key);
    return;
  }
  const std::uint64_t before = state.rows->size();
  const RowStore::Row row = add_row(*state.rows, key);
  if (plan.leaf().empty()) {
    if (state.rows->size() == before) return;
    state.queue.add(row, nullptr);
    ++state.counts.states;
    return;
  }
  const std::size_t words = plan.words();
  state.ensure_rows(state.rows->size(), 1, words);
  const Lane lane = *plan.lanes().find(plan.leaf_marking(marking));
  std::vector<std::uint64_t> reached(state.reached[row], state.reached[row] + words);
  if (has_lane(reached.data(), lane)) return;
  add_lane(reached.data(), lane);
  state.reached.set(row, reached.data());
  if (std::uint64_t* const waiting = state.found().open(row, words)) add_lane(waiting, lane);
  ++state.counts.states;
}

}  // namespace dcheck
