#include "support/random_formula.hpp"

#include <utility>

namespace dcheck::test {
namespace {

using Kind = Formula::Kind;
using AtomKind = Expression::Kind;

std::uint32_t any_of(Dice& dice, std::size_t count) {
  return static_cast<std::uint32_t>(dice.between(0, static_cast<std::int64_t>(count) - 1));
}

Expression random_atom(Dice& dice, const Net& net) {
  switch (dice.between(0, 11)) {
    case 0:
      return Expression::of(dice.one_in(2) ? AtomKind::always : AtomKind::never);
    case 1:
      return Expression::of(AtomKind::deadlock);
    case 2:
      return Expression::of(AtomKind::initial);
    case 3:
    case 4:
      return Expression::fireable_of(Transition{any_of(dice, net.transition_count())});
    case 5: {
      const AtomKind kind = dice.one_in(2) ? AtomKind::disjunction : AtomKind::conjunction;
      return Expression::of(kind, {random_atom(dice, net), random_atom(dice, net)});
    }
    case 6:
      return Expression::of(AtomKind::negation, {random_atom(dice, net)});
    case 7:
    case 8:  // often true and often false: a place against a small number
      return Expression::of(AtomKind::less_equal, {Expression::constant_of(dice.between(1, 2)),
                                                   Expression::tokens_in(Place{any_of(dice, net.place_count())})});
    default:
      return random_predicate(dice, net.place_count());
  }
}

/// A negation, `and` or `or` of what `random_child` makes.
template <typename RandomChild>
Formula random_combination(Dice& dice, RandomChild random_child) {
  const bool is_raw = dice.one_in(4);
  if (dice.one_in(3)) {
    Formula child = random_child();
    return is_raw ? Formula::of(Kind::negation, {std::move(child)}) : negation_of(std::move(child));
  }
  const bool is_conjunction = dice.one_in(2);
  std::vector<Formula> children;
  for (auto n = dice.between(is_raw ? 0 : 2, 3); n > 0; --n) children.push_back(random_child());
  if (is_raw) return Formula::of(is_conjunction ? Kind::conjunction : Kind::disjunction, std::move(children));
  return is_conjunction ? conjunction_of(std::move(children)) : disjunction_of(std::move(children));
}

class FormulaMaker {
 public:
  FormulaMaker(Dice& dice, const Net& net) : _dice(dice), _net(net) {}

  Formula make(int depth) {
    if (!_made.empty() && _dice.one_in(6)) {
      const Made& again = _made[any_of(_dice, _made.size())];
      if (again.depth <= depth) return _dice.one_in(2) ? again.formula : negation_of(again.formula);
    }
    Formula formula = make_new(depth);
    _made.push_back({formula, depth});
    return formula;
  }

 private:
  struct Made {
    Formula formula;
    int depth;
  };

  Formula make_new(int depth) {
    if (depth <= 0 || _dice.one_in(8)) return Formula::atom_of(random_atom(_dice, _net));
    if (_dice.one_in(4)) return random_combination(_dice, [&] { return make(depth - 1); });
    // The kind is thrown first: the order in which arguments of a call are evaluated is the compiler's choice.
    constexpr Kind kinds[] = {Kind::ex, Kind::ax, Kind::ef, Kind::af, Kind::eg, Kind::ag, Kind::eu, Kind::au, Kind::eu};
    const Kind kind = kinds[_dice.between(0, 8)];
    std::vector<Formula> children;
    children.push_back(make(depth - 1));
    if (kind >= Kind::eu) children.push_back(make(depth - 1));
    return Formula::of(kind, std::move(children));
  }

  Dice& _dice;
  const Net& _net;
  std::vector<Made> _made;  // parts, to stand in the formula once more
};

}  // namespace

Formula random_formula(Dice& dice, const Net& net, int depth) {
  return FormulaMaker(dice, net).make(depth);
}

Formula random_reachability(Dice& dice, const Net& net, int depth) {
  if (depth > 0 && !dice.one_in(4))
    return random_combination(dice, [&] { return random_reachability(dice, net, depth - 1); });
  const Kind kind = dice.one_in(2) ? Kind::ef : Kind::ag;
  return Formula::of(kind, {Formula::atom_of(random_atom(dice, net))});
}

Expression random_sum(Dice& dice, const Net& net) {
  std::vector<Expression> terms;
  for (auto n = dice.between(1, 4); n > 0; --n) {
    Expression tokens = Expression::tokens_in(Place{any_of(dice, net.place_count())});
    if (dice.one_in(3)) {
      constexpr Tokens coefficients[] = {-1, 2, 3};
      tokens = Expression::of(AtomKind::multiply,
                              {Expression::constant_of(coefficients[dice.between(0, 2)]), std::move(tokens)});
    }
    terms.push_back(std::move(tokens));
  }
  if (dice.one_in(4)) terms.push_back(Expression::constant_of(dice.between(-2, 2)));
  return terms.size() == 1 ? std::move(terms.front()) : Expression::of(AtomKind::add, std::move(terms));
}

}  // namespace dcheck::test
