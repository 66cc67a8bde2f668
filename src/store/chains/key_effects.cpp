#include "store/chains/key_effects.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "dcheck/base/narrow.hpp"

namespace dcheck {

namespace {

constexpr std::uint32_t no_label = ~std::uint32_t{0};

/// Transitions of one family share a number, any other transition has one of its own.
std::uint64_t family_number(const Net& net, Transition t) {
  const auto family = net.transition_families().of(t);
  return family ? *family : net.transition_families().count() + index(t);
}

}  // namespace

/// Of effects that share labels: by family, or by the places that change.
struct KeyEffects::Groups {
  std::map<std::uint64_t, std::uint32_t> families;
  std::map<std::vector<Place>, std::uint32_t> places;
};

KeyEffects::KeyEffects(const Plan& plan, Alike alike) : _alike(alike) {
  // By places: one word may change alike in two ways that need other tests.
  std::map<Change, std::uint32_t> known;
  Groups groups;
  for (const RowTransition& t : plan.transitions()) {
    Change change;
    for (const Arc& arc : plan.net().effect(t.id))
      if (arc.weight != 0 && std::binary_search(plan.key_places().begin(), plan.key_places().end(), arc.place))
        change.emplace_back(arc.place, arc.weight);
    const auto [at, is_new] = known.emplace(std::move(change), count());
    _effect_of_transition.push_back(at->second);
    if (!is_new) continue;
    add_effect(plan, t);
    const std::uint32_t group = group_of(plan, t, at->first, groups);
    _members[group].push_back(at->second);
    _group_of_effect.push_back(group);
  }
  _label_of_group.assign(_members.size(), no_label);
}

/// A new one where no effect before is like it.
std::uint32_t KeyEffects::group_of(const Plan& plan, const RowTransition& t, const Change& change, Groups& groups) {
  const auto next = static_cast<std::uint32_t>(_members.size());
  std::uint32_t group = next;
  if (_alike == Alike::family) {
    group = groups.families.emplace(family_number(plan.net(), t.id), next).first->second;
  } else if (_alike == Alike::places) {
    std::vector<Place> places;
    for (const auto& [place, tokens] : change) places.push_back(place);
    group = groups.places.emplace(std::move(places), next).first->second;
    if (group == next) add_runs(plan, change);
  }
  if (group == next) _members.emplace_back();
  return group;
}

/// The fields of these places; those that touch each other become one run.
void KeyEffects::add_runs(const Plan& plan, const Change& change) {
  const auto& places = plan.key_places();
  std::vector<BitRun> fields;
  for (const auto& [place, tokens] : change) {
    const auto field = std::lower_bound(places.begin(), places.end(), place) - places.begin();
    const StoredField& at = plan.layout().stored_field(static_cast<std::size_t>(field));
    fields.push_back({at.word, at.shift, at.width});
  }
  std::ranges::sort(fields, {}, [](const BitRun& run) { return std::pair(run.word, run.shift); });
  const std::uint32_t begin = end_of(_runs);
  for (const BitRun& field : fields) {
    const bool is_first = end_of(_runs) == begin;
    if (!is_first && _runs.back().word == field.word && _runs.back().shift + _runs.back().width == field.shift)
      _runs.back().width += field.width;
    else
      _runs.push_back(field);
  }
  _runs_of_group.push_back({begin, end_of(_runs)});
}

/// A key place that got c tokens had m - c before: c <= m where c > 0, and m - c fits its field where c < 0.
void KeyEffects::add_effect(const Plan& plan, const RowTransition& t) {
  Effect effect;
  effect.hash_delta = t.hash_delta;
  effect.deltas.begin = end_of(_deltas);
  for (std::uint32_t i = t.stored_deltas.begin; i < t.stored_deltas.end; ++i)
    _deltas.push_back(plan.stored_deltas()[i]);
  effect.deltas.end = end_of(_deltas);

  effect.bits.begin = end_of(_bits);
  effect.fields.begin = end_of(_fields);
  const auto& places = plan.key_places();
  for (const Arc& arc : plan.net().effect(t.id)) {
    const auto found = std::lower_bound(places.begin(), places.end(), arc.place);
    if (found == places.end() || *found != arc.place || arc.weight == 0) continue;
    const StoredField& at = plan.layout().stored_field(static_cast<std::size_t>(found - places.begin()));
    const std::uint64_t most = low_bits(at.width);
    const auto change = static_cast<std::uint64_t>(arc.weight < 0 ? -arc.weight : arc.weight);
    if (at.width != 1 || change != 1) {
      const std::uint64_t least = arc.weight > 0 ? change : 0;
      _fields.push_back({at.word, at.shift, most, least, arc.weight > 0 ? most : most - std::min(most, change)});
      continue;
    }
    const auto same_word = std::find_if(_bits.begin() + effect.bits.begin, _bits.end(),
                                        [&](const BitTest& test) { return test.word == at.word; });
    const std::uint64_t bit = std::uint64_t{1} << at.shift;
    BitTest& test = same_word != _bits.end() ? *same_word : _bits.emplace_back(BitTest{at.word, 0, 0});
    test.mask |= bit;
    test.value |= arc.weight > 0 ? bit : 0;
  }
  effect.bits.end = end_of(_bits);
  effect.fields.end = end_of(_fields);
  _effects.push_back(effect);
}

std::uint32_t KeyEffects::label_for(std::uint32_t effect) {
  const std::uint32_t group = _group_of_effect[effect];
  std::uint32_t& label = _label_of_group[group];
  if (label == no_label) {
    label = static_cast<std::uint32_t>(_group_of_label.size());
    _group_of_label.push_back(group);
    _first_of_label.push_back(_members[group].front());
    std::uint32_t width = 0;
    if (_alike == Alike::places)
      for (const BitRun& run : runs_of(label)) width += run.width;
    _width_of_label.push_back(width);
  }
  return label;
}

std::size_t KeyEffects::bytes() const {
  std::size_t members = 0;
  for (const auto& group : _members) members += sizeof(std::vector<std::uint32_t>) + group.capacity() * 4;
  return _effects.capacity() * sizeof(Effect) + _deltas.capacity() * sizeof(WordDelta) +
         _bits.capacity() * sizeof(BitTest) + _fields.capacity() * sizeof(FieldTest) + members +
         4 * (_effect_of_transition.capacity() + _group_of_effect.capacity() + _label_of_group.capacity() +
              _group_of_label.capacity() + _first_of_label.capacity() + _width_of_label.capacity()) +
         _runs.capacity() * sizeof(BitRun) + _runs_of_group.capacity() * sizeof(Range);
}

}  // namespace dcheck
