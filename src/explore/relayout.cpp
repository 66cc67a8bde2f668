#include "explore/relayout.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "dcheck/base/error.hpp"
#include "explore/fresh_state.hpp"

namespace dcheck {

namespace {

constexpr unsigned growth_bits = 2;

/// visit(transition, target marking) for every parked firing of every lane.
template <typename Visit>
void for_each_target(const Plan& plan, const Parked& parked, Visit&& visit) {
  const std::size_t words = plan.words();
  const std::size_t key_words = plan.layout().stored_words();
  for (std::size_t i = 0; i < parked.transitions.size(); ++i) {
    const Transition t = plan.transitions()[parked.transitions[i]].id;
    for (std::size_t lane = 0; lane < plan.lane_count(); ++lane) {
      if ((parked.masks[i * words + lane / 64] >> (lane % 64) & 1) == 0) continue;
      std::vector<Tokens> marking = plan.marking(parked.keys.data() + i * key_words, lane);
      for (const Arc& arc : plan.net().effect(t))
        if (__builtin_add_overflow(marking[index(arc.place)], arc.weight, &marking[index(arc.place)]))
          throw ResourceError("token counts in place '" + plan.net().name(arc.place) + "' grow beyond 63 bits");
      visit(t, std::span<const Tokens>(marking));
    }
  }
}

/// Wrong plans must not go unnoticed: a field that overflows is another marking.
std::vector<std::uint64_t> fitting(const Plan& plan, std::vector<std::uint64_t> stored) {
  std::vector<std::uint64_t> working(plan.layout().working_words());
  plan.layout().decode(stored.data(), working.data());
  for (std::size_t w = 0; w < working.size(); ++w)
    if ((working[w] & plan.layout().all_guards()[w]) != 0)
      throw std::logic_error("a row does not fit the plan that was made for it");
  return stored;
}

std::vector<std::uint64_t> converted_key(const Plan& from, const std::uint64_t* stored, const Plan& to) {
  std::vector<Tokens> tokens;
  for (std::size_t i = 0; i < from.key_places().size(); ++i) tokens.push_back(from.layout().stored_value(i, stored));
  return fitting(to, to.layout().encode(tokens));
}

/// Where a marking has more than the place's field can hold in any lane, at once what it needs, since tokens may jump,
/// and some more.
void note_overflow(const Plan& plan, const PlaceView& view, std::span<const Tokens> marking, Widening& needed) {
  if (view.field < 0) return;
  const Field& field = plan.layout().field(static_cast<std::size_t>(view.field));
  if (field.proven) return;
  auto key_part = static_cast<__int128>(marking[index(view.place)]) * view.scale;
  if (view.quantity >= 0) key_part -= plan.quantities()[static_cast<std::size_t>(view.quantity)].smallest();
  if (key_part <= static_cast<Tokens>(low_bits(field.width)) - field.bias) return;
  constexpr __int128 no_field_holds = std::numeric_limits<Tokens>::max();
  if (view.quantity >= 0) {
    Tokens& most = needed.key_part[view.place];
    const __int128 wanted = key_part < (Tokens{1} << 58) ? key_part << growth_bits : key_part;
    most = std::max(most, static_cast<Tokens>(std::min(wanted, no_field_holds)));
  } else {
    unsigned& width = needed.width[view.place];
    const auto wanted = static_cast<std::uint64_t>(std::min(key_part, no_field_holds));
    width = std::max({width, field.width + 1, std::min(field.width + growth_bits, 63U), bit_width_of(wanted)});
  }
}

void convert_slots(const Plan& from, const SlotStore& old, const Plan& to, ExploreState& state) {
  if (state.slots) state.slots->reserve(old.size());
  // Keys that were handled first: in both kinds of store what comes after them waits.
  for (const bool waiting : {false, true}) {
    old.for_each([&](std::uint64_t, std::uint64_t key, bool marked) {
      if (marked != waiting) return;
      const std::vector<std::uint64_t> next = converted_key(from, &key, to);
      if (state.slots)
        state.slots->insert(next);
      else
        add_row(*state.rows, next);
    });
    if (!waiting && state.slots) state.slots->unmark_all();
    if (!waiting && state.rows) state.line.begin_at(state.rows->size());
  }
  if (state.rows) state.line.add_below(state.rows->size());
}

/// Sets in `to` the lanes that are set in `from`.
class LaneConversion {
 public:
  LaneConversion(const Plan& from, const Plan& to) {
    for (const LeafMarking& lane : from.lanes().lanes) _lane.push_back(*to.lanes().find(lane));
  }
  void operator()(const std::uint64_t* from, std::uint64_t* to) const {
    for (std::size_t lane = 0; lane < _lane.size(); ++lane)
      to[_lane[lane] / 64] |= (from[lane / 64] >> (lane % 64) & 1) << (_lane[lane] % 64);
  }

 private:
  std::vector<std::uint32_t> _lane;
};

/// In the order of ids, so ids stay, and stores with chains have parents first.
void convert_rows(const Plan& from, const ExploreState& old, const Plan& to, ExploreState& state) {
  std::vector<std::uint64_t> key(from.layout().stored_words());
  const std::uint64_t rows = old.rows->size();
  for (std::uint64_t row = 0; row < rows; ++row) {
    old.rows->key(static_cast<RowStore::Row>(row), key.data());
    add_row(*state.rows, converted_key(from, key.data(), to));
  }
  state.line.wait_like(old.line);
  state.levels_begun = old.levels_begun;
  if (from.leaf().empty()) return;
  const LaneConversion convert_lanes(from, to);
  state.reached.ensure(rows * to.words());
  for (std::uint64_t row = 0; row < rows; ++row)
    convert_lanes(old.reached.data() + row * from.words(), state.reached.data() + row * to.words());
  const auto convert_open = [&](const OpenRows& source, OpenRows& target) {
    target.ensure(rows, source.size(), to.words());
    for (std::uint64_t i = 0; i < source.size(); ++i) {
      if (const std::uint64_t* const mask = source.mask(i, from.words()))
        convert_lanes(mask, target.open(source.row(i), to.words()));
      else
        target.open_whole(source.row(i));
    }
  };
  convert_open(old.open, state.open);
  convert_open(old.next, state.next);
}

}  // namespace

Widening widening_for(const Plan& plan, const Parked& parked) {
  Widening needed;
  for_each_target(plan, parked, [&](Transition, std::span<const Tokens> marking) {
    LeafMarking leaf = plan.leaf_marking(marking);
    if (!plan.lanes().find(leaf)) needed.lanes.insert(std::move(leaf));
    for (const PlaceView& view : plan.views()) note_overflow(plan, view, marking, needed);
  });
  return needed;
}

void Widening::join(const Widening& other) {
  for (const auto& [place, bits] : other.width) width[place] = std::max(width[place], bits);
  for (const auto& [place, most] : other.key_part) key_part[place] = std::max(key_part[place], most);
  lanes.insert(other.lanes.begin(), other.lanes.end());
}

void Widening::widen(PlanRequest& request, const Plan& plan) const {
  for (const auto& [place, bits] : width)
    request.min_width[index(place)] = std::max(request.min_width[index(place)], bits);
  if (request.leaf.empty()) return;  // one lane, of no places
  for (const PlaceView& view : plan.views()) {
    if (view.field < 0 || view.quantity < 0) continue;
    const Field& field = plan.layout().field(static_cast<std::size_t>(view.field));
    if (!field.proven) request.largest_key_part[view.place] = static_cast<Tokens>(low_bits(field.width)) - field.bias;
  }
  for (const auto& [place, most] : key_part)
    request.largest_key_part[place] = std::max(request.largest_key_part[place], most);
  const std::vector<LeafMarking>& lanes_so_far = plan.lanes().lanes;
  std::set<LeafMarking> all(lanes_so_far.begin(), lanes_so_far.end());
  all.insert(lanes.begin(), lanes.end());
  request.known_lanes.assign(all.begin(), all.end());
  request.open_lanes = std::min(max_lanes, 2 * all.size());
}

void carry_figures(const ExploreState& from, ExploreState& to) {
  to.maxima = from.maxima;
  to.goals = from.goals;
  to.states = from.states;
  to.arcs = from.arcs;
  to.deadlocks = from.deadlocks;
  to.row_operations = from.row_operations;
  to.row_visits = from.row_visits;
  to.cross_arcs = from.cross_arcs;
}

ExploreState convert(const Plan& from, const ExploreState& old, const Plan& to) {
  ExploreState state = fresh_state(to, old.choice, old.budget);
  if (old.slots)
    convert_slots(from, *old.slots, to, state);
  else
    convert_rows(from, old, to, state);
  carry_figures(old, state);
  for_each_target(from, old.parked, [&](Transition, std::span<const Tokens> marking) {
    ++state.arcs;
    const std::vector<std::uint64_t> key = fitting(to, to.stored_key(marking));
    const std::size_t lane = *to.lanes().find(to.leaf_marking(marking));
    Undelivered& found = state.undelivered;
    found.keys.insert(found.keys.end(), key.begin(), key.end());
    found.masks.resize(found.masks.size() + to.words(), 0);
    *(found.masks.end() - static_cast<std::ptrdiff_t>(to.words() - lane / 64)) = std::uint64_t{1} << (lane % 64);
    state.maxima.see(marking);
  });
  state.row_operations += old.parked.transitions.size();
  return state;
}

}  // namespace dcheck
