// The last part of planning: every transition as tests and additions on words and masks.

#include <algorithm>

#include "dcheck/base/narrow.hpp"
#include "dcheck/base/random.hpp"
#include "dcheck/rows/mask.hpp"
#include "rows/plan_builder.hpp"

namespace dcheck {

bool PlanBuilder::can_never_fire(Transition t) const {
  if (std::binary_search(_structure.dead.begin(), _structure.dead.end(), t)) return true;
  const auto fixed = [&](Place p) -> std::optional<Tokens> {  // the tokens of a place that never changes
    const Dependent* d = dependent(p);
    return d != nullptr && d->terms.empty() ? std::optional(d->constant / d->scale) : std::nullopt;
  };
  const auto cannot_hold = [&](const Arc& arc) {
    const auto& bound = _structure.bounds[index(arc.place)];
    return bound && *bound < arc.weight;
  };
  if (std::any_of(_net.post(t).begin(), _net.post(t).end(), cannot_hold)) return true;
  const auto inhibits_itself = [&](const Arc& inhibitor) {
    const auto arc = std::ranges::lower_bound(_net.pre(t), inhibitor.place, {}, &Arc::place);
    return arc != _net.pre(t).end() && arc->place == inhibitor.place && arc->weight >= inhibitor.weight;
  };
  if (std::ranges::any_of(_net.inhibitors(t), inhibits_itself)) return true;
  const bool starves = std::any_of(_net.pre(t).begin(), _net.pre(t).end(), [&](const Arc& arc) {
    const auto most = fixed(arc.place) ? fixed(arc.place) : _structure.bounds[index(arc.place)];
    return most && *most < arc.weight;
  });
  return starves || std::any_of(_net.inhibitors(t).begin(), _net.inhibitors(t).end(),
                                [&](const Arc& arc) { return fixed(arc.place) && *fixed(arc.place) >= arc.weight; });
}

LeafAction PlanBuilder::leaf_action(Transition t) const {
  LeafAction action;
  for (const Arc& arc : _net.effect(t))
    if (_role[index(arc.place)] == Role::leaf) action.effect.emplace_back(_position[index(arc.place)], arc.weight);
  for (const Arc& arc : _net.pre(t))
    if (auto view = leaf_view(arc.place)) {
      view->weights.at_least = view->scale * arc.weight - view->weights.at_least;
      action.tests.push_back(std::move(view->weights));
    }
  for (const Arc& arc : _net.inhibitors(t)) {
    auto view = leaf_view(arc.place);
    if (!view) continue;
    for (auto& [position, weight] : view->weights.terms) weight = -weight;
    view->weights.at_least = view->weights.at_least - view->scale * (arc.weight - 1);
    action.tests.push_back(std::move(view->weights));
  }
  return action;
}

Tests PlanBuilder::make_tests(const TokenLimits& at_least, const TokenLimits& at_most) {
  Tests tests;
  tests.floors.begin = end_of(_plan._floors);
  tests.ceilings.begin = end_of(_plan._ceilings);
  tests.mixed.begin = end_of(_plan._mixed);
  for (const auto& [place, least] : at_least) add_floor(place, least);
  for (const auto& [place, most] : at_most) add_ceiling(place, most);
  tests.floors.end = end_of(_plan._floors);
  tests.ceilings.end = end_of(_plan._ceilings);
  tests.mixed.end = end_of(_plan._mixed);
  for (std::uint32_t i = tests.floors.begin; i < tests.floors.end; ++i) _floor_of_word[_plan._floors[i].word] = no_test;
  for (std::uint32_t i = tests.ceilings.begin; i < tests.ceilings.end; ++i)
    _ceiling_of_word[_plan._ceilings[i].word] = no_test;
  return tests;
}

void PlanBuilder::add_floor(Place place, Tokens least) {
  const PlaceView& view = _plan._views[index(place)];
  if (view.field < 0) return;  // on the leaf alone: in the lane masks; constant: can_never_fire()
  const Tokens threshold = view.scale * least;
  if (view.quantity >= 0) {
    _plan._mixed.push_back({static_cast<std::uint32_t>(place), threshold, false});
    return;
  }
  const Field& field = _plan._layout->field(static_cast<std::size_t>(view.field));
  std::uint32_t& number = _floor_of_word[field.word];
  if (number == no_test) {
    number = end_of(_plan._floors);
    _plan._floors.push_back({field.word, 0, 0});
  }
  FloorTest& test = _plan._floors[number];
  test.subtract += static_cast<std::uint64_t>(threshold) << field.shift;
  test.guard |= field.guard();
}

void PlanBuilder::add_ceiling(Place place, Tokens most) {
  const PlaceView& view = _plan._views[index(place)];
  const auto& bound = _structure.bounds[index(place)];
  if (view.field < 0 || (bound && *bound <= most)) return;
  const Wide scaled = static_cast<Wide>(view.scale) * most;
  if (view.quantity >= 0) {
    const Wide threshold = scaled + view.scale;
    if (threshold < mixed_limit)
      _plan._mixed.push_back({static_cast<std::uint32_t>(place), static_cast<Tokens>(threshold), true});
    return;
  }
  const Field& field = _plan._layout->field(static_cast<std::size_t>(view.field));
  if (scaled >= static_cast<Wide>(low_bits(field.width))) return;
  std::uint32_t& number = _ceiling_of_word[field.word];
  if (number == no_test) {
    number = end_of(_plan._ceilings);
    _plan._ceilings.push_back({field.word, 0, 0, 0});
  }
  CeilingTest& test = _plan._ceilings[number];
  test.fields |= field.mask();
  test.ceiling |= static_cast<std::uint64_t>(scaled) << field.shift;
  test.guard |= field.guard();
}

Tests PlanBuilder::tests_before(Transition t) {
  TokenLimits at_least;
  TokenLimits at_most;
  for (const Arc& arc : _net.pre(t)) at_least.emplace(arc.place, arc.weight);
  for (const Arc& arc : _net.inhibitors(t)) at_most.emplace(arc.place, arc.weight - 1);
  return make_tests(at_least, at_most);
}

Tests PlanBuilder::tests_after(Transition t) {
  TokenLimits at_least;
  TokenLimits at_most;
  for (const Arc& arc : _net.post(t)) at_least.emplace(arc.place, arc.weight);
  for (const Arc& arc : _net.inhibitors(t)) at_most.emplace(arc.place, arc.weight - 1);
  for (const Arc& change : _net.effect(t)) {
    if (const auto limit = at_most.find(change.place); limit != at_most.end())
      if (__builtin_add_overflow(limit->second, change.weight, &limit->second)) at_most.erase(limit);  // no limit
    // What the transition took must have fitted: a sum that runs over its field would be another key.
    if (change.weight > 0 || _role[index(change.place)] != Role::key) continue;
    const Field& field = _plan._layout->field(_position[index(change.place)]);
    const Tokens most = _structure.bounds[index(change.place)].value_or(static_cast<Tokens>(low_bits(field.width)));
    const auto [limit, is_new] = at_most.emplace(change.place, most + change.weight);
    if (!is_new) limit->second = std::min(limit->second, most + change.weight);
  }
  return make_tests(at_least, at_most);
}

void PlanBuilder::add_effect(RowTransition& row) {
  KeyChange change;
  for (const Arc& arc : _net.effect(row.id))
    if (_role[index(arc.place)] == Role::key) change.emplace_back(_position[index(arc.place)], arc.weight);
  row.stays = change.empty();
  row.working_deltas.begin = end_of(_plan._working_deltas);
  for (const WordDelta& part : _plan._layout->working_delta(change)) _plan._working_deltas.push_back(part);
  row.working_deltas.end = end_of(_plan._working_deltas);
  row.stored_deltas.begin = end_of(_plan._stored_deltas);
  for (const WordDelta& part : _plan._layout->stored_delta(change)) {
    _plan._stored_deltas.push_back(part);
    row.hash_delta += part.delta * _plan._hash_factors[part.word];
  }
  row.stored_deltas.end = end_of(_plan._stored_deltas);
}

void PlanBuilder::add_lane_masks(RowTransition& row, const LeafAction& action) {
  const std::size_t words = _plan.words();
  row.masks = end_of(_plan._lane_masks);
  row.moves_lanes = !action.effect.empty();
  _plan._lane_masks.resize(_plan._lane_masks.size() + 3 * words, 0);
  std::uint64_t* domain = _plan._lane_masks.data() + row.masks;
  std::uint64_t* image = domain + words;
  std::uint64_t* escape = image + words;
  if (!row.moves_lanes && action.tests.empty()) {
    for (const Lane lane : _plan.lanes().all()) add_lane(domain, lane);
    std::copy_n(domain, words, image);
    return;
  }
  const auto all = [&](const auto& tests, const LeafMarking& leaf) {
    return std::all_of(tests.begin(), tests.end(), [&](const auto& test) { return holds(test, leaf); });
  };
  // Adding a constant keeps the order: images are found by going along with the lanes.
  const LaneSpace& lanes = _plan.lanes();
  const std::size_t count = _plan.lane_count();
  LeafMarking to(_plan._leaf.size());
  Lane next{};
  for (const Lane lane : lanes.all()) {
    _patience.spend(2 * (1 + _plan._leaf.size()));
    if (!all(action.tests, lanes[lane])) {
      row.tests_lanes = true;
      continue;
    }
    const bool fits = take_effect(action, lanes[lane], to);
    if (!row.moves_lanes) next = lane;
    while (fits && index(next) < count && lanes[next] < to) next = static_cast<Lane>(index(next) + 1);
    if (fits && index(next) < count && lanes[next] == to) {
      add_lane(domain, lane);
      add_lane(image, next);
      continue;
    }
    row.tests_lanes = true;
    // A marking that breaks a cut is unreachable: the key part will not enable the transition there. What leaves 63
    // bits may be enabled; then it ends the run.
    const bool possible =
        !fits || (std::all_of(to.begin(), to.end(), [](Tokens n) { return n >= 0; }) && all(_cuts, to));
    if (!possible) continue;
    add_lane(escape, lane);
    row.escapes = true;
  }
}

void PlanBuilder::make_transitions() {
  Random random(0x64636865636BU);
  for (std::size_t w = 0; w < _plan._layout->stored_words(); ++w) _plan._hash_factors.push_back(random.next() | 1);
  _floor_of_word.assign(_plan._layout->working_words(), no_test);
  _ceiling_of_word.assign(_plan._layout->working_words(), no_test);
  for (std::size_t i = 0; i < _net.transition_count(); ++i) {
    const auto t = static_cast<Transition>(i);
    _patience.spend(10 * (1 + _net.pre(t).size() + _net.post(t).size()));
    if (can_never_fire(t)) continue;
    RowTransition row;
    row.id = t;
    row.bindings = _net.bindings(t);
    row.before = tests_before(t);
    row.after = tests_after(t);
    add_effect(row);
    add_lane_masks(row, leaf_action(t));
    row.domain = WordRange::of(_plan.lane_masks() + row.masks, _plan.words());
    row.image = WordRange::of(_plan.lane_masks() + row.masks + _plan.words(), _plan.words());
    if (const Expression* guard = _net.guard(t)) {
      row.guard = narrow<std::int32_t>(_plan._guards.size());
      _plan._guards.emplace_back(*guard, _plan);
    }
    _plan._transitions.push_back(row);
  }
}

Plan::Watch PlanBuilder::make_watch(Moment moment) const {
  // A transition sleeps on the key place it needs that is marked least often.
  const Layout& layout = *_plan._layout;
  const auto share = [&](Place p) {
    if (!_request.marked_share.empty()) return _request.marked_share[index(p)];
    return _net.initial()[index(p)] > 0 ? 1.0F : 0.0F;
  };
  std::vector<std::vector<PlanTransition>> lists(layout.field_count());
  Plan::Watch watch;
  for (const PlanTransition number : _plan.all_transitions()) {
    const Transition t = _plan.transition(number).id;
    const PlaceView* rarest = nullptr;
    for (const Arc& arc : moment == Moment::before ? _net.pre(t) : _net.post(t)) {
      const PlaceView& view = _plan._views[index(arc.place)];
      if (view.field < 0 || view.quantity >= 0) continue;
      if (rarest == nullptr || share(arc.place) < share(rarest->place)) rarest = &view;
    }
    auto& list = rarest == nullptr ? watch.always : lists[static_cast<std::size_t>(rarest->field)];
    list.push_back(number);
  }
  watch.watched_bits.assign(layout.working_words(), 0);
  watch.field_of_bit.assign(layout.working_words() * 64, 0);
  for (std::size_t f = 0; f < lists.size(); ++f) {
    const Field& field = layout.field(f);
    Range run{end_of(watch.list), 0};
    watch.list.insert(watch.list.end(), lists[f].begin(), lists[f].end());
    run.end = end_of(watch.list);
    watch.list_of_field.push_back(run);
    if (lists[f].empty()) continue;
    watch.watched_bits[field.word] |= field.mask();
    for (unsigned bit = 0; bit < field.width; ++bit)
      watch.field_of_bit[field.word * 64 + field.shift + bit] = static_cast<std::uint32_t>(f);
  }
  return watch;
}

}  // namespace dcheck
