#pragma once
// What transitions do to stored keys, as stores with chains need it: effects that can be applied and taken back, and
// the labels that links carry.
//
// Transitions that change the key alike have one effect. A label stands for one effect; or, where families share labels
// (paper two's variant 5), for all effects of a family: of tok[1], tok[2], ...; or for all effects that change the same
// places (paper three). Labels are numbered as they come, so that those in use are small.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dcheck/base/bits.hpp"
#include "dcheck/rows/plan.hpp"

namespace dcheck {

/// Bits of a key that lie together: one field or several.
struct BitRun {
  std::uint32_t word = 0, shift = 0, width = 0;

  std::uint64_t mask() const { return low_bits(width) << shift; }
};

class KeyEffects {
 public:
  /// Which effects share a label.
  enum class Alike : std::uint8_t { effect, family, places };

  KeyEffects(const Plan& plan, Alike alike);

  std::uint32_t count() const { return static_cast<std::uint32_t>(_effects.size()); }
  /// The effect of a transition of the plan. It must change the key.
  std::uint32_t effect_of(PlanTransition t) const { return _effect_of_transition[index(t)]; }

  void apply(std::uint32_t effect, std::uint64_t* key) const {
    const Range run = _effects[effect].deltas;
    for (std::uint32_t i = run.begin; i < run.end; ++i) key[_deltas[i].word] += _deltas[i].delta;
  }
  void undo(std::uint32_t effect, std::uint64_t* key) const {
    const Range run = _effects[effect].deltas;
    for (std::uint32_t i = run.begin; i < run.end; ++i) key[_deltas[i].word] -= _deltas[i].delta;
  }
  /// Whether no place would have fewer than no tokens, or more than its field holds, before the effect. Where it is
  /// false, no row with the effect leads to the key.
  bool can_undo(std::uint32_t effect, const std::uint64_t* key) const {
    const Effect& of = _effects[effect];
    for (std::uint32_t i = of.bits.begin; i < of.bits.end; ++i)
      if ((key[_bits[i].word] & _bits[i].mask) != _bits[i].value) return false;
    for (std::uint32_t i = of.fields.begin; i < of.fields.end; ++i) {
      const FieldTest& test = _fields[i];
      const std::uint64_t tokens = (key[test.word] >> test.shift) & test.mask;
      if (tokens < test.least || tokens > test.most) return false;
    }
    return true;
  }
  /// What the effect adds to the linear hash of a key.
  std::uint64_t hash_delta(std::uint32_t effect) const { return _effects[effect].hash_delta; }

  /// The label for links with this effect; a new one where it is the first.
  std::uint32_t label_for(std::uint32_t effect);
  /// What a label stands for: one effect, but for families.
  std::span<const std::uint32_t> effects_of(std::uint32_t label) const { return _members[_group_of_label[label]]; }
  /// Where labels stand for one effect each.
  std::uint32_t only_effect_of(std::uint32_t label) const { return _first_of_label[label]; }

  /// Where labels stand for places: the bits of these, and how many they are.
  std::span<const BitRun> runs_of(std::uint32_t label) const {
    const Range runs = _runs_of_group[_group_of_label[label]];
    return std::span(_runs).subspan(runs.begin, runs.end - runs.begin);
  }
  std::uint32_t width_of(std::uint32_t label) const { return _width_of_label[label]; }

  /// The effects that share the effect's label, it being one of them.
  std::span<const std::uint32_t> family_of(std::uint32_t effect) const { return _members[_group_of_effect[effect]]; }

  std::size_t bytes() const;

 private:
  struct Effect {
    Range deltas, bits, fields;
    std::uint64_t hash_delta = 0;
  };
  /// (key[word] & mask) == value: fields of one bit.
  struct BitTest {
    std::uint32_t word = 0;
    std::uint64_t mask = 0, value = 0;
  };
  struct FieldTest {
    std::uint32_t word = 0, shift = 0;
    std::uint64_t mask = 0, least = 0, most = 0;
  };

  using Change = std::vector<std::pair<Place, Tokens>>;

  struct Groups;

  std::uint32_t group_of(const Plan& plan, const RowTransition& t, const Change& change, Groups& groups);
  void add_effect(const Plan& plan, const RowTransition& t);
  void add_runs(const Plan& plan, const Change& change);

  std::vector<Effect> _effects;
  std::vector<WordDelta> _deltas;
  std::vector<BitTest> _bits;
  std::vector<FieldTest> _fields;
  std::vector<std::uint32_t> _effect_of_transition;
  std::vector<std::uint32_t> _group_of_effect;  // its family, or itself
  Alike _alike;
  std::vector<std::vector<std::uint32_t>> _members;  // per group: its effects
  std::vector<std::uint32_t> _label_of_group;        // no_label: none yet
  std::vector<std::uint32_t> _group_of_label, _first_of_label, _width_of_label;
  std::vector<BitRun> _runs;
  std::vector<Range> _runs_of_group;  // where labels stand for places
};

}  // namespace dcheck
