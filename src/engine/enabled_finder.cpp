#include "engine/enabled_finder.hpp"

#include <algorithm>
#include <limits>

#include "dcheck/base/bits.hpp"

namespace dcheck {

namespace {

constexpr Tokens no_limit = std::numeric_limits<Tokens>::max();

bool is_one_bit(std::uint64_t mask) {
  return std::has_single_bit(mask);
}

/// Adds a test to those of its word; false where another one wants the opposite of a bit.
template <typename BitTest>
bool join(std::vector<BitTest>& tests, const BitTest& more) {
  const auto same = std::ranges::find(tests, more.word, &BitTest::word);
  if (same == tests.end()) {
    tests.push_back(more);
    return true;
  }
  if (((same->value ^ more.value) & same->mask & more.mask) != 0) return false;
  same->mask |= more.mask;
  same->value |= more.value;
  same->pass *= more.pass;
  return true;
}

}  // namespace

EnabledFinder::EnabledFinder(const Plan& plan)
    : _plan(plan), _share(plan.net().place_count()), _working(plan.layout().working_words()) {
  for (std::size_t p = 0; p < _share.size(); ++p) _share[p] = plan.marked_share(static_cast<Place>(p));
  make_readings();
  make_tree();
}

void EnabledFinder::learn(std::span<const float> share) {
  for (std::size_t f = 0; f < share.size(); ++f) _share[index(_plan.key_places()[f])] = share[f];
  make_tree();
}

std::size_t EnabledFinder::field_of(Place key_place) const {
  const auto& key = _plan.key_places();
  return static_cast<std::size_t>(std::lower_bound(key.begin(), key.end(), key_place) - key.begin());
}

EnabledFinder::Term EnabledFinder::term_of(Place key_place, Tokens coefficient) const {
  const StoredField& at = _plan.layout().stored_field(field_of(key_place));
  return {low_bits(at.width) << at.shift, at.word, at.shift, static_cast<std::uint64_t>(coefficient)};
}

void EnabledFinder::make_readings() {
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
}

/// "At least so many" as bits of words: one bit that is set; a sum that every token in another place makes too small,
/// so that all these must be empty. False: it is neither, or contradicts what is there.
bool EnabledFinder::add_as_bits(Place place, Tokens least, std::vector<BitTest>& bits) const {
  const Reading& reading = _readings[index(place)];
  const float pass = _share[index(place)];
  if (is_one_bit(reading.mask)) return least == 1 && join(bits, {reading.mask, reading.mask, reading.word, pass});
  const auto constant = static_cast<Tokens>(reading.constant);
  if (reading.mask != 0 || constant < least) return false;
  const auto terms = std::span(_terms).subspan(reading.terms.begin, reading.terms.end - reading.terms.begin);
  const bool must_be_empty = std::ranges::all_of(terms, [&](const Term& term) {
    const auto coefficient = static_cast<Tokens>(term.coefficient);
    return coefficient < 0 && static_cast<__int128>(constant) + coefficient < least;
  });
  return must_be_empty && std::ranges::all_of(terms, [&](const Term& term) {
           return join(bits, {term.mask, 0, term.word, pass});
         });
}

void EnabledFinder::make_tests(const RowTransition& t, Tests& tests) {
  const Net& net = _plan.net();
  std::vector<BitTest> bits;
  tests.guard = t.guard;
  tests.values.begin = end_of(_values);
  for (const Arc& arc : net.pre(t.id)) {
    const Reading& reading = _readings[index(arc.place)];
    const Tokens least = arc.weight * reading.scale;
    if (!add_as_bits(arc.place, least, bits)) _values.push_back({reading, least, no_limit, arc.place});
  }
  for (const Arc& arc : net.inhibitors(t.id)) {
    const Reading& reading = _readings[index(arc.place)];
    const BitTest is_empty{reading.mask, 0, reading.word, 1 - _share[index(arc.place)]};
    if (reading.mask == 0 || arc.weight != 1 || !join(bits, is_empty))
      _values.push_back({reading, 0, (arc.weight - 1) * reading.scale, arc.place});
  }
  const auto price = [&](const ValueTest& v) {
    const auto length = static_cast<float>(v.reading.terms.end - v.reading.terms.begin);
    return (1 + length) / (1.01F - _share[index(v.place)]);
  };
  std::stable_sort(_values.begin() + tests.values.begin, _values.end(),
                   [&](const ValueTest& a, const ValueTest& b) { return price(a) < price(b); });
  tests.values.end = end_of(_values);
  std::ranges::stable_sort(bits, {}, &BitTest::pass);
  tests.bits.begin = end_of(_bits);
  _bits.insert(_bits.end(), bits.begin(), bits.end());
  tests.bits.end = end_of(_bits);
}

void EnabledFinder::make_tree() {
  _bits.clear();
  _values.clear();
  _tests.assign(_plan.transitions().size(), {});
  std::vector<WatchTree::Needs> needs(_tests.size());
  for (const PlanTransition t : _plan.all_transitions()) {
    make_tests(_plan.transition(t), _tests[index(t)]);
    for (const Arc& arc : _plan.net().pre(_plan.transition(t).id))
      if (_readings[index(arc.place)].mask != 0)
        needs[index(t)].push_back(static_cast<std::uint32_t>(field_of(arc.place)));
  }
  std::vector<WatchTree::Field> fields;
  for (const Place p : _plan.key_places())
    fields.push_back({_readings[index(p)].word, _readings[index(p)].mask, _share[index(p)]});
  _tree = WatchTree(fields, std::move(needs));
  _sleepers.clear();
  for (const std::uint32_t number : _tree.sleepers())
    _sleepers.push_back(sleeper_for(static_cast<PlanTransition>(number)));
}

/// The test at hand should say something new: not only that fields on the way to the sleeper are marked.
EnabledFinder::Sleeper EnabledFinder::sleeper_for(PlanTransition transition) const {
  const Tests& tests = _tests[index(transition)];
  const auto known = _tree.known_fields(static_cast<std::uint32_t>(index(transition)));
  const auto is_known = [&](const ValueTest& v) {
    return v.reading.mask != 0 && v.least <= 1 && v.most == no_limit &&
           std::ranges::find(known, static_cast<std::uint32_t>(field_of(v.place))) != known.end();
  };
  Sleeper sleeper;
  sleeper.transition = transition;
  unsigned others = tests.guard < 0 ? 0 : 1;
  for (std::uint32_t v = tests.values.begin; v < tests.values.end; ++v)
    if (!is_known(_values[v])) ++others;
  bool has_one = false;
  for (std::uint32_t b = tests.bits.begin; b < tests.bits.end; ++b) {
    BitTest test = _bits[b];
    for (const std::uint32_t field : known) {
      const Reading& reading = _readings[index(_plan.key_places()[field])];
      if (reading.word != test.word || !is_one_bit(reading.mask & test.value)) continue;
      test.mask &= ~reading.mask;
      test.value &= ~reading.mask;
    }
    if (test.mask == 0) continue;
    if (has_one)
      ++others;
    else
      sleeper.test = test;
    has_one = true;
  }
  sleeper.is_all = others == 0;
  return sleeper;
}

bool EnabledFinder::passes(PlanTransition transition, const std::uint64_t* key) {
  const Tests& tests = _tests[index(transition)];
  for (std::uint32_t i = tests.bits.begin; i < tests.bits.end; ++i)
    if ((key[_bits[i].word] & _bits[i].mask) != _bits[i].value) return false;
  for (std::uint32_t i = tests.values.begin; i < tests.values.end; ++i) {
    const Tokens value = scaled(_values[i].reading, key);
    if (value < _values[i].least || value > _values[i].most) return false;
  }
  if (tests.guard < 0) return true;
  _plan.layout().decode(key, _working.data());
  std::uint64_t lane = 1;
  _plan.guards()[static_cast<std::size_t>(tests.guard)].lanes(_plan, _working.data(), &lane, &lane);
  return lane != 0;
}

}  // namespace dcheck
