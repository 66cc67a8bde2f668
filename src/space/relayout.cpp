#include "dcheck/space/relayout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <set>
#include <stdexcept>

#include "dcheck/base/error.hpp"
#include "dcheck/net/marking.hpp"
#include "dcheck/rows/mask.hpp"
#include "dcheck/space/fresh_state.hpp"
#include "dcheck/space/row_stream.hpp"

namespace dcheck {

namespace {

constexpr unsigned growth_bits = 2;
constexpr __int128 most_tokens = std::numeric_limits<Tokens>::max();

/// visit(transition, target marking) for every parked firing of every lane.
template <typename Visit>
void for_each_target(const Plan& plan, const Parked& parked, Visit&& visit) {
  const std::size_t words = plan.words();
  const std::size_t key_words = plan.layout().stored_words();
  for (std::size_t i = 0; i < parked.transitions.size(); ++i) {
    const Transition t = plan.transition(parked.transitions[i]).id;
    for_each_lane(parked.masks.data() + i * words, words, [&](Lane lane) {
      visit(t, fired(plan.net(), t, plan.marking(parked.keys.data() + i * key_words, lane)));
    });
  }
}

/// The largest number seen for a place; it may be negative.
void raise(std::map<Place, Tokens>& largest, Place place, Tokens value) {
  const auto [known, is_new] = largest.try_emplace(place, value);
  known->second = std::max(known->second, value);
}

/// Wrong plans must not go unnoticed: a field that overflows is another marking. `working` has room for the plan's
/// words.
void expect_fit(const Plan& plan, const std::uint64_t* stored, std::vector<std::uint64_t>& working) {
  plan.layout().decode(stored, working.data());
  for (std::size_t w = 0; w < working.size(); ++w)
    if ((working[w] & plan.layout().all_guards()[w]) != 0)
      throw std::logic_error("a row does not fit the plan that was made for it");
}

/// Whether whatever fits one layout fits the other: the same numbers, each in as many bits at least.
bool is_wider(const Layout& from, const Layout& to) {
  if (from.field_count() != to.field_count()) return false;
  for (std::size_t f = 0; f < from.field_count(); ++f)
    if (to.field(f).width < from.field(f).width || to.field(f).bias != from.field(f).bias) return false;
  return true;
}

/// Keys under another plan with the same key places. Fields keep their order, so many move by the same number of bits:
/// those are moved together.
class KeyConversion {
 public:
  KeyConversion(const Plan& from, const Plan& to)
      : _to(to),
        _is_wider(is_wider(from.layout(), to.layout())),
        _key(to.layout().stored_words()),
        _working(to.layout().working_words()) {
    std::map<std::array<int, 3>, std::uint64_t> masks;  // by word, next word, and bits to the left
    for (std::size_t i = 0; i < from.key_places().size(); ++i) {
      const StoredField& old = from.layout().stored_field(i);
      const StoredField& next = to.layout().stored_field(i);
      if (next.width < old.width) throw std::logic_error("a wider plan has a narrower field");
      if (old.width == 0) continue;
      const int left = static_cast<int>(next.shift) - static_cast<int>(old.shift);
      masks[{static_cast<int>(old.word), static_cast<int>(next.word), left}] |= low_bits(old.width) << old.shift;
    }
    for (const auto& [way, mask] : masks)
      _moves.push_back({mask, static_cast<std::size_t>(way[0]), static_cast<std::size_t>(way[1]), way[2]});
  }

  /// The key, until the next call.
  const std::uint64_t* operator()(const std::uint64_t* stored) {
    std::ranges::fill(_key, 0);
    for (const Move& move : _moves) _key[move.to] |= std::rotl(stored[move.from] & move.mask, move.left);
    if (!_is_wider) expect_fit(_to, _key.data(), _working);
    return _key.data();
  }

 private:
  struct Move {
    std::uint64_t mask;
    std::size_t from, to;  // words
    int left;              // no bit leaves its word
  };
  const Plan& _to;
  bool _is_wider;
  std::vector<Move> _moves;
  std::vector<std::uint64_t> _key, _working;
};

/// Places that depend on key and lane and that no invariant bounds.
std::vector<const PlaceView*> growing_mixed_places(const Plan& plan) {
  std::vector<const PlaceView*> places;
  for (const PlaceView& view : plan.views())
    if (view.field >= 0 && view.quantity >= 0 && !plan.layout().field(static_cast<std::size_t>(view.field)).proven)
      places.push_back(&view);
  return places;
}

/// Where a marking has more than the place's field can hold, at once what it needs, since tokens may jump, and some
/// more.
void note_overflow(const Plan& plan, const PlaceView& view, std::span<const Tokens> marking, Widening& needed) {
  if (view.field < 0 || view.quantity >= 0) return;
  const Field& field = plan.layout().field(static_cast<std::size_t>(view.field));
  const auto scaled = static_cast<__int128>(marking[index(view.place)]) * view.scale;
  if (field.proven || scaled <= static_cast<Tokens>(low_bits(field.width))) return;
  unsigned& width = needed.width[view.place];
  const auto wanted = static_cast<std::uint64_t>(std::min(scaled, most_tokens));
  width = std::max({width, field.width + 1, std::min(field.width + growth_bits, 63U), bit_width_of(wanted)});
}

/// The same for a place that depends on the lane too. What fits is noted as well: with more lanes it might not.
void note_key_part(const Plan& plan, const PlaceView& view, std::span<const Tokens> marking, Widening& needed) {
  const auto& dependents = plan.dependents();
  const auto dependent = std::ranges::find(dependents, view.place, &Dependent::place);
  __int128 part = dependent->constant;
  for (const auto& term : dependent->terms)
    if (!std::ranges::binary_search(plan.leaf(), term.place))
      part += static_cast<__int128>(term.coefficient) * marking[index(term.place)];
  const Field& field = plan.layout().field(static_cast<std::size_t>(view.field));
  const bool overflows = part > static_cast<Tokens>(low_bits(field.width)) - field.bias;
  if (overflows && part < (Tokens{1} << 58)) part <<= growth_bits;
  raise(needed.key_part, view.place, static_cast<Tokens>(std::min(part, most_tokens)));
}

/// Sets in `to` the lanes that are set in `from`. Lanes that no row has may have gone.
class LaneConversion {
 public:
  LaneConversion(const Plan& from, const Plan& to) {
    for (const Lane lane : from.lanes().all())
      if (const auto found = to.lanes().find(from.lanes()[lane])) _lanes.emplace_back(lane, *found);
  }
  void operator()(const std::uint64_t* from, std::uint64_t* to) const {
    for (const auto& [old, next] : _lanes) add_lane(to, next, has_lane(from, old));
  }

 private:
  std::vector<std::pair<Lane, Lane>> _lanes;
};

/// Rows of a stream under another plan with the same key places and the same leaf.
class RowConversion {
 public:
  RowConversion(const Plan& from, const Plan& to, std::size_t columns)
      : _from(from), _to(to), _key(from, to), _lanes(from, to), _masks(columns * to.words()) {}

  StreamedRow operator()(const StreamedRow& row) {
    std::ranges::fill(_masks, 0);
    for (std::size_t i = 0; i * _to.words() < _masks.size(); ++i)
      _lanes(row.masks + i * _from.words(), _masks.data() + i * _to.words());
    return {_key(row.key), _masks.data()};
  }

 private:
  const Plan& _from;
  const Plan& _to;
  KeyConversion _key;
  LaneConversion _lanes;
  std::vector<std::uint64_t> _masks;
};

}  // namespace

Widening widening_for(const Plan& plan, const Parked& parked) {
  Widening needed;
  const std::vector<const PlaceView*> mixed = growing_mixed_places(plan);
  for_each_target(plan, parked, [&](Transition, std::span<const Tokens> marking) {
    // Also where it is a lane already: it may be a guess that would have to go.
    if (!plan.leaf().empty()) needed.lanes.insert(plan.leaf_marking(marking));
    for (const PlaceView& view : plan.views()) note_overflow(plan, view, marking, needed);
    for (const PlaceView* view : mixed) note_key_part(plan, *view, marking, needed);
  });
  return needed;
}

void Widening::join(const Widening& other) {
  for (const auto& [place, bits] : other.width) width[place] = std::max(width[place], bits);
  for (const auto& [place, most] : other.key_part) raise(key_part, place, most);
  lanes.insert(other.lanes.begin(), other.lanes.end());
}

void Widening::widen(PlanRequest& request, const Plan& plan, const PlanUse& in_use) const {
  for (const auto& [place, bits] : width)
    request.min_width[index(place)] = std::max(request.min_width[index(place)], bits);
  if (request.leaf.empty()) return;  // one lane, of no places
  request.largest_key_part = key_part;
  const std::vector<const PlaceView*> mixed = growing_mixed_places(plan);
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    if (in_use.key_parts[i] == 0) continue;
    raise(request.largest_key_part, mixed[i]->place, static_cast<Tokens>(in_use.key_parts[i] - PlanUse::offset));
  }
  // Guesses stay until there is no room for them.
  const bool has_room = 2 * (plan.lane_count() + lanes.size()) <= max_lanes;
  std::set<LeafMarking> all = lanes;
  for (const Lane lane : plan.lanes().all())
    if (has_room || in_use.lanes[index(lane)] != 0) all.insert(plan.lanes()[lane]);
  request.known_lanes.assign(all.begin(), all.end());
  request.open_lanes = std::min(max_lanes, 2 * all.size());
}

PlanUse use_of(const Plan& plan, const ExploreState& state) {
  const std::vector<const PlaceView*> mixed = growing_mixed_places(plan);
  PlanUse use{std::vector<std::uint64_t>(plan.lane_count(), 0), std::vector<std::uint64_t>(mixed.size(), 0)};
  if (plan.leaf().empty()) return use;
  std::vector<std::uint64_t> reached(plan.words(), 0), working(plan.layout().working_words());
  RowSource(plan, state).for_each(Which::all, [&](const StreamedRow& row) {
    for (std::size_t w = 0; w < reached.size(); ++w) reached[w] |= row.masks[w];
    if (mixed.empty()) return;
    plan.layout().decode(row.key, working.data());
    for (std::size_t i = 0; i < mixed.size(); ++i) {
      const Tokens part = plan.layout().field(static_cast<std::size_t>(mixed[i]->field)).value(working.data());
      use.key_parts[i] = std::max(use.key_parts[i], static_cast<std::uint64_t>(part) + PlanUse::offset);
    }
  });
  for_each_lane(reached.data(), reached.size(), [&](Lane lane) { use.lanes[index(lane)] = 1; });
  return use;
}

ExploreState convert(const Plan& from, const ExploreState& old, const Plan& to) {
  ExploreState state = fresh_state(to, old.choice, old.budget);
  carry_knowledge(old, state);
  const RowSource source(from, old);
  RowSink sink(to, state);
  RowConversion converted(from, to, own_columns(old.choice));
  sink.expect(old.row_count());
  for (const Which which : {Which::handled, Which::waiting})
    source.for_each(which, [&](const StreamedRow& row) { sink.add(converted(row)); });
  sink.finish();
  std::vector<std::uint64_t> working(to.layout().working_words());
  for_each_target(from, old.parked, [&](Transition t, std::span<const Tokens> marking) {
    state.counts.arcs += from.net().bindings(t);
    const std::vector<std::uint64_t> key = to.stored_key(marking);
    expect_fit(to, key.data(), working);
    const Lane lane = to.lanes().find(to.leaf_marking(marking)).value();
    Undelivered& found = state.undelivered;
    found.keys.insert(found.keys.end(), key.begin(), key.end());
    found.masks.resize(found.masks.size() + to.words(), 0);
    add_lane(found.masks.data() + found.masks.size() - to.words(), lane);
    state.maxima.see(marking);
  });
  state.counts.row_operations += old.parked.transitions.size();
  return state;
}

}  // namespace dcheck
