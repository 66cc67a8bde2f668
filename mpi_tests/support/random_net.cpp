#include "support/random_net.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "dcheck/net/net_builder.hpp"

namespace dcheck::test {

namespace {

using Kind = Expression::Kind;

struct DraftTransition {
  std::vector<Arc> inputs, outputs, inhibitors;
  std::optional<Expression> guard;
};

/// A net as plain lists, easy to add to before it is built.
class Draft {
 public:
  Draft(Dice& dice, const NetFlavour& flavour) : _dice(dice), _flavour(flavour) {}

  Net build() {
    switch (_flavour.base) {
      case NetFlavour::Base::arbitrary:
        add_arbitrary();
        break;
      case NetFlavour::Base::conservative:
        add_conservative();
        break;
      case NetFlavour::Base::machines:
        add_machines();
        break;
    }
    add_transition_extras();
    add_place_extras();
    if (_flavour.jumps) add_jumps();
    if (_flavour.huge) make_huge();
    return finish();
  }

 private:
  Place add_place(Tokens tokens) {
    _initial.push_back(tokens);
    return Place{static_cast<std::uint32_t>(_initial.size() - 1)};
  }

  Place any_place() {
    return Place{static_cast<std::uint32_t>(_dice.between(0, static_cast<std::int64_t>(_initial.size()) - 1))};
  }

  DraftTransition& any_transition() {
    return _transitions[static_cast<std::size_t>(_dice.between(0, static_cast<std::int64_t>(_transitions.size()) - 1))];
  }

  Tokens weight() { return _flavour.weights ? _dice.between(1, 4) : 1; }

  void add_arbitrary() {
    for (auto n = _dice.between(2, 8); n > 0; --n) add_place(_dice.between(0, 3));
    for (auto n = _dice.between(1, 10); n > 0; --n) {
      DraftTransition t;
      for (auto arcs = _dice.between(1, 3); arcs > 0; --arcs) t.inputs.push_back({any_place(), weight()});
      for (auto arcs = _dice.between(0, 3); arcs > 0; --arcs) t.outputs.push_back({any_place(), weight()});
      _transitions.push_back(std::move(t));
    }
  }

  /// Every transition moves equal sums of coefficient * weight; place 0 has coefficient 1, so that any rest fits.
  void add_conservative() {
    std::vector<Tokens> coefficients;
    for (auto n = _dice.between(2, 8); n > 0; --n) {
      coefficients.push_back(coefficients.empty() || !_flavour.weights ? 1 : _dice.between(1, 3));
      add_place(_dice.between(0, 3));
    }
    for (auto n = _dice.between(1, 10); n > 0; --n) {
      DraftTransition t;
      Tokens rest = 0;
      for (auto arcs = _dice.between(1, 2); arcs > 0; --arcs) {
        t.inputs.push_back({any_place(), weight()});
        rest += coefficients[index(t.inputs.back().place)] * t.inputs.back().weight;
      }
      while (rest > 0) {
        const Place p = _dice.one_in(4) ? Place{0} : any_place();
        if (coefficients[index(p)] > rest) continue;
        t.outputs.push_back({p, 1});
        rest -= coefficients[index(p)];
      }
      _transitions.push_back(std::move(t));
    }
  }

  /// Machines with two or three states and a token or two each; a step may take or give back the
  /// shared resource, and may be taken by two machines together.
  void add_machines() {
    const Place resource = add_place(_dice.between(1, 2));
    std::vector<std::pair<Place, Place>> steps;
    for (auto machines = _dice.between(1, 3); machines > 0; --machines) {
      const auto states = static_cast<std::uint32_t>(_dice.between(2, machines == 3 ? 2 : 3));
      if (_initial.size() + states > 8) break;
      const auto first = static_cast<std::uint32_t>(add_place(_dice.between(1, 2)));
      for (std::uint32_t s = 1; s < states; ++s) add_place(0);
      for (std::uint32_t s = 0; s < states; ++s) steps.emplace_back(Place{first + s}, Place{first + (s + 1) % states});
    }
    for (const auto& [from, to] : steps) {
      DraftTransition t;
      t.inputs.push_back({from, 1});
      t.outputs.push_back({to, 1});
      if (from < to && _dice.one_in(2)) t.inputs.push_back({resource, 1});
      if (to < from && _dice.one_in(2)) t.outputs.push_back({resource, 1});
      if (_dice.one_in(4)) {
        const auto& [also_from, also_to] =
            steps[static_cast<std::size_t>(_dice.between(0, static_cast<std::int64_t>(steps.size()) - 1))];
        t.inputs.push_back({also_from, 1});
        t.outputs.push_back({also_to, 1});
      }
      _transitions.push_back(std::move(t));
    }
  }

  void add_transition_extras() {
    if (_flavour.self_loops) {
      const Place p = any_place();
      const Arc both{p, weight()};
      DraftTransition& t = any_transition();
      t.inputs.push_back(both);
      t.outputs.push_back(both);
      _transitions.push_back({{{any_place(), 1}}, {}, {}, {}});
      _transitions.back().outputs = _transitions.back().inputs;
    }
    if (_flavour.source) {
      DraftTransition t;
      if (!_dice.one_in(3)) t.inputs = t.outputs = {{any_place(), 1}};
      t.outputs.push_back({_dice.one_in(2) ? any_place() : add_place(0), weight()});
      _transitions.push_back(std::move(t));
    }
    if (_flavour.dead) {
      _transitions.push_back({{{any_place(), 1000}}, {{any_place(), 1}}, {}, {}});
      const Place never = add_place(0);
      _transitions.push_back({{{never, 1}}, {{never, 2}, {any_place(), 1}}, {}, {}});
    }
    if (_flavour.inhibitors) {
      for (auto n = _dice.between(1, 3); n > 0; --n)
        any_transition().inhibitors.push_back({any_place(), _dice.between(1, 3)});
    }
    if (_flavour.guards) {
      for (auto n = _dice.between(1, 3); n > 0; --n) any_transition().guard = random_predicate(_dice, _initial.size());
    }
    if (_flavour.twins) {
      const DraftTransition twin = any_transition();
      _transitions.push_back(twin);
    }
  }

  void add_place_extras() {
    if (_flavour.copies) {
      const Place doubled = any_place();
      add_like(doubled, _dice.between(0, 2), false);
      const Place mirrored = any_place();
      add_like(mirrored, _dice.between(3, 6), true);
    }
    if (_flavour.isolated) add_place(_dice.between(0, 3));
    if (_flavour.constant) {
      const Arc test{add_place(_dice.between(1, 3)), 1};
      DraftTransition& t = any_transition();
      t.inputs.push_back(test);
      t.outputs.push_back(test);
    }
  }

  /// What lets them fire once only: an inhibitor, a guard, or a token that is used up.
  void add_jumps() {
    constexpr Tokens sizes[] = {5, 9, 40, 130, 300, 1000, 2001};
    for (auto n = _dice.between(1, 2); n > 0; --n) {
      DraftTransition t;
      if (_dice.one_in(2)) t.inputs = t.outputs = {{any_place(), 1}};
      t.outputs.push_back({any_place(), sizes[_dice.between(0, 6)]});
      fire_once(t);
      _transitions.push_back(std::move(t));
    }
  }

  void fire_once(DraftTransition& t) {
    switch (_dice.between(0, 2)) {
      case 0:
        t.inputs.push_back({add_place(1), 1});
        return;
      case 1:
        t.outputs.push_back({add_place(0), 1});
        t.inhibitors.push_back({t.outputs.back().place, 1});
        return;
      default:
        t.outputs.push_back({add_place(0), 1});
        t.guard =
            Expression::of(Kind::equal, {Expression::tokens_in(t.outputs.back().place), Expression::constant_of(0)});
    }
  }

  /// Some places count in large units, which changes nothing; or something adds a large number, which may be too much.
  void make_huge() {
    for (auto n = _dice.between(1, 3); n > 0; --n) multiply(any_place(), Tokens{1} << _dice.between(20, 58));
    if (_dice.one_in(2)) return;
    constexpr Tokens most = std::numeric_limits<Tokens>::max();
    constexpr Tokens sizes[] = {most, most - 1, most / 2 + 1, most / 2, most / 4};
    DraftTransition t;
    t.outputs.push_back({any_place(), sizes[_dice.between(0, 4)]});
    fire_once(t);
    _transitions.push_back(std::move(t));
  }

  void multiply(Place place, Tokens factor) {
    const auto is_small = [&](Tokens number) { return number < (Tokens{1} << 60) / factor; };
    bool can_be = is_small(_initial[index(place)]);
    const auto for_each_arc = [&](auto&& visit) {
      for (DraftTransition& t : _transitions)
        for (std::vector<Arc>* arcs : {&t.inputs, &t.outputs, &t.inhibitors})
          for (Arc& arc : *arcs)
            if (arc.place == place) visit(arc);
    };
    for_each_arc([&](const Arc& arc) { can_be = can_be && is_small(arc.weight); });
    if (!can_be) return;
    _initial[index(place)] *= factor;
    for_each_arc([&](Arc& arc) { arc.weight *= factor; });
  }

  /// A place with the arcs of `original`, or with each turned round (which bounds the original).
  void add_like(Place original, Tokens more, bool opposite) {
    const Place copy = add_place(opposite ? more : _initial[index(original)] + more);
    for (DraftTransition& t : _transitions) {
      const std::vector<Arc> inputs = t.inputs;
      const std::vector<Arc> outputs = t.outputs;
      for (const Arc& arc : inputs) {
        if (arc.place == original) (opposite ? t.outputs : t.inputs).push_back({copy, arc.weight});
      }
      for (const Arc& arc : outputs) {
        if (arc.place == original) (opposite ? t.inputs : t.outputs).push_back({copy, arc.weight});
      }
    }
  }

  Net finish() {
    NetBuilder builder("random");
    Families<Transition> families;
    for (std::size_t p = 0; p < _initial.size(); ++p) builder.add_place("p" + std::to_string(p), _initial[p]);
    for (std::size_t i = 0; i < _transitions.size(); ++i) {
      const std::string family = "t" + std::to_string(i / 4);
      const Transition t = builder.add_transition(family + "[" + std::to_string(i) + "]");
      if (i % 4 == 0) families.add({family, false});
      families.join(t, static_cast<std::uint32_t>(i / 4));
      if (_flavour.twins) builder.set_bindings(t, static_cast<std::uint32_t>(1 + i % 3));
      for (const Arc& arc : _transitions[i].inputs) builder.add_input(t, arc.place, arc.weight);
      for (const Arc& arc : _transitions[i].outputs) builder.add_output(t, arc.place, arc.weight);
      for (const Arc& arc : _transitions[i].inhibitors) builder.add_inhibitor(t, arc.place, arc.weight);
      if (_transitions[i].guard) builder.add_guard(t, *_transitions[i].guard);
    }
    builder.set_families({}, std::move(families));
    return builder.build();
  }

  Dice& _dice;
  const NetFlavour& _flavour;
  std::vector<Tokens> _initial;
  std::vector<DraftTransition> _transitions;
};

Expression random_number(Dice& dice, std::size_t places) {
  const auto place = [&] {
    return Expression::tokens_in(
        Place{static_cast<std::uint32_t>(dice.between(0, static_cast<std::int64_t>(places) - 1))});
  };
  switch (dice.between(0, 6)) {
    case 0:
      return place();
    case 1:
      return Expression::of(Kind::add, {place(), place(), Expression::constant_of(dice.between(-1, 1))});
    case 2:
      return Expression::of(Kind::subtract, {place(), place()});
    case 3:
      return Expression::of(Kind::multiply, {Expression::constant_of(dice.between(2, 3)), place()});
    case 4:
      return Expression::of(Kind::multiply, {place(), place()});
    case 5:
      return Expression::of(Kind::remainder, {Expression::of(Kind::subtract, {place(), place()}),
                                              Expression::constant_of(dice.between(2, 3))});
    default:
      return Expression::of(
          Kind::divide, {Expression::of(Kind::add, {place(), place()}), Expression::constant_of(dice.between(1, 3))});
  }
}

}  // namespace

std::uint64_t Dice::next() {
  _state += 0x9e3779b97f4a7c15U;
  std::uint64_t x = _state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

std::int64_t Dice::between(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
}

NetFlavour NetFlavour::from(Dice& dice) {
  NetFlavour flavour;
  flavour.base = static_cast<Base>(dice.between(0, 2));
  for (bool NetFlavour::*option :
       {&NetFlavour::weights, &NetFlavour::inhibitors, &NetFlavour::guards, &NetFlavour::source, &NetFlavour::dead,
        &NetFlavour::self_loops, &NetFlavour::twins, &NetFlavour::isolated, &NetFlavour::constant, &NetFlavour::copies,
        &NetFlavour::jumps}) {
    flavour.*option = dice.one_in(4);
  }
  return flavour;
}

std::string NetFlavour::describe() const {
  std::string text = base == Base::arbitrary ? "arbitrary" : base == Base::conservative ? "conservative" : "machines";
  const auto add = [&](bool is_on, const char* name) {
    if (is_on) text += std::string(" ") + name;
  };
  add(weights, "weights");
  add(inhibitors, "inhibitors");
  add(guards, "guards");
  add(source, "source");
  add(dead, "dead");
  add(self_loops, "self-loops");
  add(twins, "twins");
  add(isolated, "isolated");
  add(constant, "constant");
  add(copies, "copies");
  add(jumps, "jumps");
  add(huge, "huge");
  return text;
}

Net random_net(std::uint64_t seed, const NetFlavour& flavour) {
  Dice dice(seed);
  return Draft(dice, flavour).build();
}

Net random_net(std::uint64_t seed) {
  Dice dice(~seed);
  return random_net(seed, NetFlavour::from(dice));
}

Expression random_predicate(Dice& dice, std::size_t places, int depth) {
  if (depth > 0 && dice.one_in(2)) {
    switch (dice.between(0, 2)) {
      case 0:
        return Expression::of(Kind::negation, {random_predicate(dice, places, depth - 1)});
      case 1:
        return Expression::of(Kind::conjunction,
                              {random_predicate(dice, places, depth - 1), random_predicate(dice, places, depth - 1)});
      default:
        return Expression::of(Kind::disjunction,
                              {random_predicate(dice, places, depth - 1), random_predicate(dice, places, depth - 1)});
    }
  }
  constexpr Kind comparisons[] = {Kind::less, Kind::less_equal, Kind::equal, Kind::not_equal};
  const Kind kind = comparisons[dice.between(0, 3)];
  Expression left = random_number(dice, places);
  Expression right = dice.one_in(3) ? random_number(dice, places) : Expression::constant_of(dice.between(0, 3));
  if (dice.one_in(3)) std::swap(left, right);
  return Expression::of(kind, {std::move(left), std::move(right)});
}

}  // namespace dcheck::test
