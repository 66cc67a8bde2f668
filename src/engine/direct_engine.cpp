#include "engine/direct_engine.hpp"

#include <algorithm>
#include <limits>

#include "dcheck/base/finally.hpp"
#include "dcheck/base/narrow.hpp"
#include "dcheck/net/marking.hpp"

namespace dcheck {

namespace {

constexpr Tokens no_limit = std::numeric_limits<Tokens>::max();

}  // namespace

DirectEngine::DirectEngine(StateSpace& space, const SearchGoals& goals)
    : _space(space),
      _plan(*space.plan),
      _state(space.state),
      _rows(space),
      _goals(goals, _plan, _state.goals, GoalWatch::Deadlocks::by_firing),
      _finder(_plan),
      _firings(_plan.transitions().size()),
      _stored(_plan.layout().stored_words()),
      _marked_of_bit(_stored.size() * 64, 0),
      _working(_plan.layout().working_words()) {
  if (!space.ranks.is_alone()) _goals.ask_others();
  _state.maxima.begin(_plan.net());
  if (_plan.total_fits()) _best_total = _state.maxima.marking * _plan.total().scale;
  make_total();
  for (const PlanTransition t : _plan.all_transitions()) make_firing(_plan.transition(t), firing_of(t));
}

void DirectEngine::make_total() {
  const Layout& layout = _plan.layout();
  _total_of_bit.assign(layout.stored_words() * 64, 0);
  for (const auto& [key_place, coefficient] : _plan.total_in_key().terms) {
    const StoredField& at = layout.stored_field(key_place);
    for (unsigned bit = 0; bit < at.width; ++bit)
      _total_of_bit[at.word * 64 + at.shift + bit] = static_cast<std::uint64_t>(coefficient) << bit;
  }
}

void DirectEngine::make_firing(const RowTransition& t, Firing& firing) {
  firing.deltas = t.stored_deltas;
  firing.stays = t.stays;
  firing.bindings = t.bindings;
  firing.hash_delta = t.hash_delta;
  __int128 gain = 0;
  for (const Arc& arc : _plan.net().effect(t.id)) gain += arc.weight;
  firing.adds_tokens = gain > 0;
  if (_plan.total_fits()) firing.total_gain = static_cast<Tokens>(gain * _plan.total().scale);
  make_rises(t, firing);
}

void DirectEngine::make_rises(const RowTransition& t, Firing& firing) {
  firing.rises_begin = end_of(_rises);
  for (const Arc& arc : _plan.net().effect(t.id)) {
    if (arc.weight <= 0) continue;
    const auto& bound = _plan.bounds()[index(arc.place)];
    if (bound && _state.maxima.place[index(arc.place)] >= *bound) continue;
    const PlaceView& view = _plan.views()[index(arc.place)];
    const bool fits = bound || view.field < 0;
    const std::uint64_t most = fits ? static_cast<std::uint64_t>(no_limit)
                                    : low_bits(_plan.layout().field(static_cast<std::size_t>(view.field)).width);
    _rises.push_back({arc.place, static_cast<std::uint64_t>(arc.weight * view.scale), most, bound.value_or(no_limit)});
  }
  firing.rises_count = end_of(_rises) - firing.rises_begin;
}

bool DirectEngine::explore(const Interruption& interruption) {
  const Finally note_total([&] {
    if (_plan.total_fits()) _state.maxima.marking = _best_total / _plan.total().scale;
  });
  return drive(_space, *this, _rows, interruption);
}

bool DirectEngine::handle_rows(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!_rows.take(_stored.data())) return false;
    ++_state.counts.row_visits;
    visit();
    if (_goals.is_enough()) break;
  }
  note_marked();
  return true;
}

/// One state of every call tells how often fields are marked; now and then the finder learns from it. Samples taken
/// before the exploration are few where nets are large, and from near the initial marking.
void DirectEngine::note_marked() {
  for (std::size_t w = 0; w < _stored.size(); ++w)
    for (std::uint64_t bits = _stored[w]; bits != 0; bits &= bits - 1)
      ++_marked_of_bit[w * 64 + static_cast<unsigned>(std::countr_zero(bits))];
  if (++_noted != _next_lesson) return;
  _next_lesson *= 8;
  std::vector<float> share;
  for (std::size_t f = 0; f < _plan.key_places().size(); ++f) {
    const StoredField& at = _plan.layout().stored_field(f);
    std::uint64_t marked = 0;
    for (unsigned bit = 0; bit < at.width; ++bit) marked += _marked_of_bit[at.word * 64 + at.shift + bit];
    share.push_back(std::min(1.0F, static_cast<float>(marked) / static_cast<float>(_noted)));
  }
  _finder.learn(share);
}

void DirectEngine::visit() {
  _hash = _rows.hash(_stored.data());
  _is_alive = false;
  _knows_total = false;
  if (_goals.is_open()) look_at_goals();
  _finder.for_each(_stored.data(), [&](PlanTransition t) { fire(t); });
  if (_is_alive) return;
  ++_state.counts.deadlocks;
  _goals.see_deadlock();
}

void DirectEngine::look_at_goals() {
  constexpr std::uint64_t lane = 1;
  _plan.layout().decode(_stored.data(), _working.data());
  _goals.see(_working.data(), &lane);
}

/// A largest total is first met by firing a transition that adds tokens.
void DirectEngine::see_total(PlanTransition transition) {
  if (!_plan.total_fits()) return add_up(transition);
  if (!_knows_total) {
    _knows_total = true;
    auto total = static_cast<std::uint64_t>(_plan.total_in_key().constant);
    for (std::size_t w = 0; w < _stored.size(); ++w)
      for (std::uint64_t bits = _stored[w]; bits != 0; bits &= bits - 1)
        total += _total_of_bit[w * 64 + static_cast<unsigned>(std::countr_zero(bits))];
    _total = static_cast<Tokens>(total);
  }
  _best_total = std::max(_best_total, _total + firing_of(transition).total_gain);
}

/// Place by place, with a check. No place overflows by itself: rises_fit() has been asked.
void DirectEngine::add_up(PlanTransition transition) {
  const Transition t = _plan.transition(transition).id;
  const Marking after = fired(_plan.net(), t, _plan.marking(_stored.data(), Lane{}));
  _state.maxima.marking = std::max(_state.maxima.marking, tokens_in(after));
}

void DirectEngine::fire(PlanTransition transition) {
  Firing& firing = firing_of(transition);
  _is_alive = true;
  if (firing.rises_count != 0 && !rises_fit(firing)) return park(transition);
  if (firing.adds_tokens) see_total(transition);
  if (!firing.stays) {
    std::uint64_t* next = _rows.begin_record(transition);
    for (std::size_t w = 0; w < _stored.size(); ++w) next[w] = _stored[w];
    for (std::uint32_t i = firing.deltas.begin; i < firing.deltas.end; ++i)
      next[_plan.stored_deltas()[i].word] += _plan.stored_deltas()[i].delta;
    if (firing.bindings != 1 && _rows.is_aimed_away()) _state.counts.cross_arcs += firing.bindings - 1;
    _rows.end_record(_hash + firing.hash_delta);
  }
  ++_state.counts.row_operations;
  _state.counts.arcs += firing.bindings;
}

/// Looks at the places that get tokens; false where one of them would have too many for its field.
bool DirectEngine::rises_fit(Firing& firing) {
  Rise* const rises = _rises.data() + firing.rises_begin;
  for (std::uint32_t i = 0; i < firing.rises_count;) {
    const Place place = rises[i].place;
    // Both are below 2^63.
    const auto value = static_cast<std::uint64_t>(_finder.scaled(place, _stored.data())) + rises[i].gain;
    if (value > rises[i].most_that_fit) return false;
    Tokens& best = _state.maxima.place[index(place)];
    best = std::max(best, static_cast<Tokens>(value) / _finder.scale(place));
    if (best >= rises[i].bound)
      rises[i] = rises[--firing.rises_count];
    else
      ++i;
  }
  return true;
}

void DirectEngine::park(PlanTransition transition) {
  _state.parked.keys.insert(_state.parked.keys.end(), _stored.begin(), _stored.end());
  _state.parked.transitions.push_back(transition);
  _state.parked.masks.push_back(1);
}

}  // namespace dcheck
