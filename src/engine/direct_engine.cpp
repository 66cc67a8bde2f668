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
      _firings(_plan.transitions().size()),
      _stored(_plan.layout().stored_words()),
      _working(_plan.layout().working_words()) {
  if (!space.ranks.is_alone()) _goals.ask_others();
  _state.maxima.begin(_plan.net());
  if (_plan.total_fits()) _best_total = _state.maxima.marking * _plan.total().scale;
  make_readings();
  for (const PlanTransition t : _plan.all_transitions()) make_firing(_plan.transition(t), firing_of(t));
  make_watch();
}

void DirectEngine::make_readings() {
  const Layout& layout = _plan.layout();
  const auto term_of = [&](Place p, Tokens coefficient) {
    const auto& key = _plan.key_places();
    const StoredField& at =
        layout.stored_field(static_cast<std::size_t>(std::lower_bound(key.begin(), key.end(), p) - key.begin()));
    return Term{low_bits(at.width) << at.shift, at.word, at.shift, static_cast<std::uint64_t>(coefficient)};
  };
  _readings.resize(_plan.net().place_count());
  for (const Place p : _plan.key_places()) {
    const Term field = term_of(p, 1);
    _readings[index(p)] = {field.mask, field.word, field.shift, {}, 0, 1};
  }
  for (const Dependent& d : _plan.dependents()) {
    Reading& reading = _readings[index(d.place)];
    reading.constant = static_cast<std::uint64_t>(d.constant);
    reading.scale = d.scale;
    reading.terms.begin = end_of(_terms);
    for (const auto& term : d.terms) _terms.push_back(term_of(term.place, term.coefficient));
    reading.terms.end = end_of(_terms);
  }
  _total_of_bit.assign(layout.stored_words() * 64, 0);
  for (const auto& [key_place, coefficient] : _plan.total_in_key().terms) {
    const StoredField& at = layout.stored_field(key_place);
    for (unsigned bit = 0; bit < at.width; ++bit)
      _total_of_bit[at.word * 64 + at.shift + bit] = static_cast<std::uint64_t>(coefficient) << bit;
  }
}

void DirectEngine::add_test(Place place, Tokens least, Tokens most, std::vector<BitTest>& bits) {
  const Reading& reading = _readings[index(place)];
  const bool is_bit = reading.mask != 0 && (reading.mask & (reading.mask - 1)) == 0;
  if (!is_bit || least != 1 || most != no_limit) {
    _values.push_back({static_cast<std::uint32_t>(place), least, most});
    return;
  }
  const auto same = std::find_if(bits.begin(), bits.end(), [&](const BitTest& b) { return b.word == reading.word; });
  if (same == bits.end())
    bits.push_back({reading.mask, reading.word});
  else
    same->mask |= reading.mask;
}

void DirectEngine::make_firing(const RowTransition& t, Firing& firing) {
  const Net& net = _plan.net();
  std::vector<BitTest> bits;
  firing.values.begin = end_of(_values);
  for (const Arc& arc : net.pre(t.id))
    add_test(arc.place, arc.weight * _readings[index(arc.place)].scale, no_limit, bits);
  for (const Arc& arc : net.inhibitors(t.id))
    add_test(arc.place, 0, (arc.weight - 1) * _readings[index(arc.place)].scale, bits);
  // First what is cheap to look at and often fails: single fields before sums over many.
  const auto price = [&](const ValueTest& v) {
    const auto length = static_cast<float>(_readings[v.place].terms.end - _readings[v.place].terms.begin);
    return (1 + length) / (1.01F - _plan.marked_share(static_cast<Place>(v.place)));
  };
  std::stable_sort(_values.begin() + firing.values.begin, _values.end(),
                   [&](const ValueTest& a, const ValueTest& b) { return price(a) < price(b); });
  firing.values.end = end_of(_values);
  firing.bits.begin = end_of(_bits);
  _bits.insert(_bits.end(), bits.begin(), bits.end());
  firing.bits.end = end_of(_bits);
  firing.deltas = t.stored_deltas;
  firing.guard = t.guard;
  firing.stays = t.stays;
  firing.hash_delta = t.hash_delta;
  __int128 gain = 0;
  for (const Arc& arc : net.effect(t.id)) gain += arc.weight;
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
    _rises.push_back({static_cast<std::uint32_t>(arc.place), static_cast<std::uint64_t>(arc.weight * view.scale), most,
                      bound.value_or(no_limit)});
  }
  firing.rises_count = end_of(_rises) - firing.rises_begin;
}

void DirectEngine::make_watch() {
  const Layout& layout = _plan.layout();
  const std::size_t fields = _plan.key_places().size();
  _fields.resize(fields);
  _field_of_bit.assign(layout.stored_words() * 64, 0);
  _watched_bits.assign(layout.stored_words(), 0);
  const Plan::Watch& watch = _plan.watch_before();
  std::vector<bool> sleeps(_firings.size(), false);
  for (std::size_t f = 0; f < fields; ++f) {
    const StoredField& at = layout.stored_field(f);
    WatchedField& field = _fields[f];
    field.mask = low_bits(at.width) << at.shift;
    field.sleepers.begin = end_of(_sleepers);
    const Range run = watch.list_of_field[f];
    for (std::uint32_t i = run.begin; i < run.end && at.width != 0; ++i) {
      _sleepers.push_back(sleeper_for(watch.list[i], f));
      sleeps[index(watch.list[i])] = true;
    }
    field.sleepers.end = end_of(_sleepers);
    if (field.sleepers.begin != field.sleepers.end) _watched_bits[at.word] |= field.mask;
    for (unsigned bit = 0; bit < at.width; ++bit)
      _field_of_bit[at.word * 64 + at.shift + bit] = static_cast<std::uint32_t>(f);
  }
  for (const PlanTransition t : _plan.all_transitions())
    if (!sleeps[index(t)]) _always.push_back(t);
}

/// The test at hand should say something new: not only that the watched field is marked.
DirectEngine::Sleeper DirectEngine::sleeper_for(PlanTransition transition, std::size_t f) const {
  const Firing& firing = firing_of(transition);
  const StoredField& at = _plan.layout().stored_field(f);
  const auto says_more = [&](const BitTest& test) {
    return test.word != at.word || (test.mask & ~_fields[f].mask) != 0;
  };
  Sleeper sleeper;
  sleeper.transition = transition;
  unsigned others = 0;
  for (std::uint32_t b = firing.bits.begin; b < firing.bits.end; ++b) {
    if (!says_more(_bits[b])) continue;
    sleeper.mask = _bits[b].mask;
    sleeper.word = _bits[b].word;
    ++others;
  }
  unsigned values = firing.values.end - firing.values.begin;
  for (std::uint32_t v = firing.values.begin; v < firing.values.end; ++v)
    if (_values[v].place == static_cast<std::uint32_t>(_plan.key_places()[f]) && _values[v].least <= 1 &&
        _values[v].most == no_limit)
      --values;
  sleeper.is_all = others <= 1 && values == 0 && firing.guard < 0;
  return sleeper;
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
  return true;
}

void DirectEngine::visit() {
  _hash = _rows.hash(_stored.data());
  _is_alive = false;
  _knows_total = false;
  if (_goals.is_open()) look_at_goals();
  for (const PlanTransition t : _always)
    if (is_enabled(firing_of(t))) fire(t);
  for (std::size_t w = 0; w < _stored.size(); ++w)
    for (std::uint64_t marked = _stored[w] & _watched_bits[w]; marked != 0;) {
      const WatchedField& field = _fields[_field_of_bit[w * 64 + static_cast<unsigned>(std::countr_zero(marked))]];
      marked &= ~field.mask;
      for (std::uint32_t i = field.sleepers.begin; i < field.sleepers.end; ++i) {
        const Sleeper& sleeper = _sleepers[i];
        if ((_stored[sleeper.word] & sleeper.mask) != sleeper.mask) continue;
        if (sleeper.is_all || is_enabled(firing_of(sleeper.transition))) fire(sleeper.transition);
      }
    }
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

bool DirectEngine::is_enabled(const Firing& firing) {
  for (std::uint32_t i = firing.bits.begin; i < firing.bits.end; ++i)
    if ((_stored[_bits[i].word] & _bits[i].mask) != _bits[i].mask) return false;
  for (std::uint32_t i = firing.values.begin; i < firing.values.end; ++i) {
    const ValueTest& test = _values[i];
    const Tokens value = scaled(_readings[test.place], _stored.data());
    if (value < test.least || value > test.most) return false;
  }
  if (firing.guard < 0) return true;
  _plan.layout().decode(_stored.data(), _working.data());
  std::uint64_t lane = 1;
  _plan.guards()[static_cast<std::size_t>(firing.guard)].lanes(_plan, _working.data(), &lane, &lane);
  return lane != 0;
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
    _rows.end_record(_hash + firing.hash_delta);
  }
  ++_state.counts.row_operations;
  ++_state.counts.arcs;
}

/// Looks at the places that get tokens; false where one of them would have too many for its field.
bool DirectEngine::rises_fit(Firing& firing) {
  Rise* const rises = _rises.data() + firing.rises_begin;
  for (std::uint32_t i = 0; i < firing.rises_count;) {
    const Reading& reading = _readings[rises[i].place];
    // Both are below 2^63.
    const auto value = static_cast<std::uint64_t>(scaled(reading, _stored.data())) + rises[i].gain;
    if (value > rises[i].most_that_fit) return false;
    Tokens& best = _state.maxima.place[rises[i].place];
    best = std::max(best, static_cast<Tokens>(value) / reading.scale);
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
