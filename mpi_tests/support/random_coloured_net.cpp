#include "support/random_coloured_net.hpp"

#include <algorithm>
#include <string>

#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : _dice(seed) {}

  ColouredNet make() {
    _net.name = "coloured";
    add_classes();
    for (auto n = _dice.between(1, 4); n > 0; --n) add_place();
    for (auto n = _dice.between(1, 4); n > 0; --n) add_transition();
    return std::move(_net);
  }

 private:
  std::size_t any(std::size_t count) { return static_cast<std::size_t>(_dice.next() % count); }

  void add_classes() {
    for (auto n = _dice.between(1, 2); n > 0; --n) {
      ColourClass made{"c" + std::to_string(_net.classes.size()), {}, 0, 0, !_dice.one_in(3)};
      for (auto colours = _dice.between(1, 4); colours > 0; --colours)
        made.names.push_back(std::string(1, static_cast<char>('a' + made.size++)));
      _net.classes.push_back(std::move(made));
    }
    if (_dice.one_in(2))
      _net.classes.push_back({"range", {}, _dice.between(-1, 5), static_cast<Colour>(_dice.between(1, 3)), false});
    if (_dice.one_in(2)) _net.classes.push_back({"dot", {"dot"}, 0, 1, true});
  }

  void add_place() {
    ColouredPlace place{"p" + std::to_string(_net.places.size()), {}, {}, 0};
    do place.classes.push_back(static_cast<std::uint32_t>(any(_net.classes.size())));
    while (place.classes.size() < 3 && _dice.one_in(3));
    for (auto n = _dice.between(0, 2); n > 0; --n) {
      ColourTuple tuple{_dice.between(1, 2), {}};
      for (const std::uint32_t of : place.classes) tuple.components.push_back(_dice.one_in(4) ? all(of) : constant(of));
      place.initial.push_back(std::move(tuple));
    }
    _net.places.push_back(std::move(place));
  }

  ColourTerm all(std::uint32_t of) { return {ColourTerm::Kind::all, of, 0, 0, {}}; }
  ColourTerm constant(std::uint32_t of) {
    return {ColourTerm::Kind::constant, of, 0, static_cast<Colour>(any(_net.classes[of].size)), {}};
  }
  ColourTerm set(std::uint32_t of) {
    ColourTerm made{ColourTerm::Kind::set, of, 0, 0, {}};
    for (Colour colour = 0; colour < _net.classes[of].size; ++colour)
      if (_dice.one_in(2)) made.set.push_back(colour);
    return made;
  }
  /// One of the transition's variables, a new one perhaps, and perhaps its successor.
  ColourTerm variable(std::uint32_t of) {
    std::vector<ColourVariable>& variables = _transition.variables;
    std::vector<std::uint32_t> fit;
    for (std::uint32_t i = 0; i < variables.size(); ++i)
      if (variables[i].colour_class == of) fit.push_back(i);
    if (variables.size() < 4 && (fit.empty() || _dice.one_in(3))) {
      fit = {static_cast<std::uint32_t>(variables.size())};
      variables.push_back({std::string(1, static_cast<char>('u' + variables.size())), of});
    }
    if (fit.empty()) return constant(of);
    ColourTerm made{ColourTerm::Kind::variable, of, fit[any(fit.size())], 0, {}};
    if (_net.classes[of].is_cyclic && _dice.one_in(3)) made.value = static_cast<Colour>(any(_net.classes[of].size));
    return made;
  }
  ColourTerm term(std::uint32_t of) {
    switch (_dice.between(0, 9)) {
      case 0:
        return constant(of);
      case 1:
        return all(of);
      case 2:
        return _dice.one_in(3) ? set(of) : variable(of);
      default:
        return variable(of);
    }
  }

  ColouredArc arc() {
    ColouredArc made{static_cast<std::uint32_t>(any(_net.places.size())), {}, 0};
    const std::vector<std::uint32_t>& classes = _net.places[made.place].classes;
    do {
      ColourTuple tuple{_dice.one_in(4) ? _dice.between(2, 3) : 1, {}};
      for (const std::uint32_t of : classes) tuple.components.push_back(term(of));
      made.inscription.push_back(std::move(tuple));
    } while (_dice.one_in(3));
    if (!_dice.one_in(6)) return made;
    // All colours but one: what is taken away is always there.
    ColourTuple whole{1, {}}, part{-1, {}};
    for (const std::uint32_t of : classes) {
      whole.components.push_back(all(of));
      part.components.push_back(variable(of));
    }
    made.inscription = {std::move(whole), std::move(part)};
    return made;
  }

  ColourGuard guard(int depth) {
    using Kind = ColourGuard::Kind;
    const auto kind = static_cast<Kind>(_dice.between(depth > 0 ? 0 : 3, 7));
    ColourGuard made;
    made.kind = kind;
    if (kind == Kind::negation) {
      made.children.push_back(guard(depth - 1));
    } else if (kind <= Kind::disjunction) {
      for (auto n = _dice.between(0, 3); n > 0; --n) made.children.push_back(guard(depth - 1));
    } else {
      const auto of = static_cast<std::uint32_t>(any(_net.classes.size()));
      made.left = _dice.one_in(5) ? constant(of) : variable(of);
      if (kind == Kind::member)
        made.right = _dice.one_in(5) ? all(of) : set(of);
      else
        made.right = _dice.one_in(3) ? constant(of) : variable(of);
    }
    return made;
  }

  void add_transition() {
    _transition = {};
    _transition.name = "t" + std::to_string(_net.transitions.size());
    for (auto n = _dice.between(_dice.one_in(8) ? 0 : 1, 3); n > 0; --n) _transition.inputs.push_back(arc());
    if (_dice.one_in(2)) _transition.guard = guard(2);
    for (auto n = _dice.between(0, 2); n > 0; --n) _transition.outputs.push_back(arc());
    _net.transitions.push_back(std::move(_transition));
  }

  Dice _dice;
  ColouredNet _net;
  ColouredTransition _transition;
};

}  // namespace

ColouredNet random_coloured_net(std::uint64_t seed) {
  return Maker(seed).make();
}

}  // namespace dcheck::test
