#include "dcheck/net/expression.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "dcheck/base/error.hpp"
#include "dcheck/net/net.hpp"

namespace dcheck {

namespace {

using Kind = Expression::Kind;

Tokens floor_divide(Tokens a, Tokens positive) {
  const Tokens quotient = a / positive;
  return a % positive < 0 ? quotient - 1 : quotient;
}

Tokens floor_remainder(Tokens a, Tokens positive) {
  const Tokens rest = a % positive;
  return rest < 0 ? rest + positive : rest;
}

[[noreturn]] void throw_too_large() {
  throw ResourceError("the value of an expression leaves 64 bits");
}

Tokens checked_add(Tokens a, Tokens b) {
  Tokens result = 0;
  if (__builtin_add_overflow(a, b, &result)) throw_too_large();
  return result;
}

Tokens checked_subtract(Tokens a, Tokens b) {
  Tokens result = 0;
  if (__builtin_sub_overflow(a, b, &result)) throw_too_large();
  return result;
}

Tokens checked_multiply(Tokens a, Tokens b) {
  Tokens result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw_too_large();
  return result;
}

Tokens divisor_of(const Expression& expression) {
  const Expression& divisor = expression.children.at(1);
  if (divisor.kind != Kind::constant || divisor.value <= 0) {
    throw std::logic_error("a divisor is not a positive constant");
  }
  return divisor.value;
}

/// Collects factor * expression into one linear form; every function is false where that is impossible.
class LinearCollector {
 public:
  bool add(const Expression& expression, Tokens factor) {
    switch (expression.kind) {
      case Kind::constant:
        return add_scaled(_constant, expression.value, factor);
      case Kind::place:
        return add_scaled(_coefficients[expression.place], 1, factor);
      case Kind::add:
        return std::ranges::all_of(expression.children, [&](const Expression& child) { return add(child, factor); });
      case Kind::subtract: {
        Tokens opposite = 0;
        return add(expression.children[0], factor) && !__builtin_sub_overflow(Tokens{0}, factor, &opposite) &&
               add(expression.children[1], opposite);
      }
      case Kind::multiply:
        return add_product(expression, factor);
      case Kind::divide:
      case Kind::remainder:
        return add_division(expression, factor);
      default:
        return false;
    }
  }

  LinearForm take() const {
    LinearForm form;
    form.constant = _constant;
    for (const auto& [place, coefficient] : _coefficients) {
      if (coefficient != 0) form.terms.push_back({place, coefficient});
    }
    return form;
  }

 private:
  static bool add_scaled(Tokens& sum, Tokens value, Tokens factor) {
    Tokens product = 0;
    return !__builtin_mul_overflow(value, factor, &product) && !__builtin_add_overflow(sum, product, &sum);
  }

  bool add_form(const LinearForm& form, Tokens factor) {
    if (!add_scaled(_constant, form.constant, factor)) return false;
    return std::ranges::all_of(form.terms, [&](const LinearForm::Term& term) {
      return add_scaled(_coefficients[term.place], term.coefficient, factor);
    });
  }

  /// Linear where at most one factor depends on places.
  bool add_product(const Expression& product, Tokens factor) {
    std::optional<LinearForm> variable;
    for (const Expression& child : product.children) {
      std::optional<LinearForm> form = linear_form(child);
      if (!form) return false;
      if (form->terms.empty()) {
        if (__builtin_mul_overflow(factor, form->constant, &factor)) return false;
      } else if (!variable) {
        variable = std::move(form);
      } else {
        return false;
      }
    }
    return variable ? add_form(*variable, factor) : add_scaled(_constant, 1, factor);
  }

  /// Linear where the divisor divides every coefficient: floor((d * A + c) / d) = A + floor(c / d).
  bool add_division(const Expression& division, Tokens factor) {
    std::optional<LinearForm> form = linear_form(division.children[0]);
    if (!form) return false;
    const Tokens divisor = divisor_of(division);
    for (LinearForm::Term& term : form->terms) {
      if (term.coefficient % divisor != 0) return false;
      term.coefficient /= divisor;
    }
    if (division.kind == Kind::divide) {
      form->constant = floor_divide(form->constant, divisor);
    } else {
      form->terms.clear();
      form->constant = floor_remainder(form->constant, divisor);
    }
    return add_form(*form, factor);
  }

  std::map<Place, Tokens> _coefficients;
  Tokens _constant = 0;
};

bool is_deadlock(const Net& net, std::span<const Tokens> marking) {
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    if (net.is_enabled(Transition{t}, marking)) return false;
  }
  return true;
}

}  // namespace

Expression Expression::constant_of(Tokens value) {
  Expression result;
  result.kind = Kind::constant;
  result.value = value;
  return result;
}

Expression Expression::tokens_in(Place place) {
  Expression result;
  result.kind = Kind::place;
  result.place = place;
  return result;
}

Expression Expression::fireable_of(Transition transition) {
  Expression result;
  result.kind = Kind::fireable;
  result.transition = transition;
  return result;
}

Expression Expression::of(Kind kind, std::vector<Expression> children) {
  Expression result;
  result.kind = kind;
  result.children = std::move(children);
  return result;
}

std::optional<LinearForm> linear_form(const Expression& arithmetic) {
  LinearCollector collector;
  if (!collector.add(arithmetic, 1)) return std::nullopt;
  return collector.take();
}

Tokens evaluate_number(const Expression& arithmetic, std::span<const Tokens> marking) {
  const std::vector<Expression>& children = arithmetic.children;
  switch (arithmetic.kind) {
    case Kind::constant:
      return arithmetic.value;
    case Kind::place:
      return marking[index(arithmetic.place)];
    case Kind::add: {
      Tokens sum = 0;
      for (const Expression& child : children) sum = checked_add(sum, evaluate_number(child, marking));
      return sum;
    }
    case Kind::subtract:
      return checked_subtract(evaluate_number(children[0], marking), evaluate_number(children[1], marking));
    case Kind::multiply: {
      Tokens product = 1;
      for (const Expression& child : children) product = checked_multiply(product, evaluate_number(child, marking));
      return product;
    }
    case Kind::divide:
      return floor_divide(evaluate_number(children[0], marking), divisor_of(arithmetic));
    case Kind::remainder:
      return floor_remainder(evaluate_number(children[0], marking), divisor_of(arithmetic));
    default:
      throw std::logic_error("a predicate stands where a number is expected");
  }
}

bool evaluate(const Expression& predicate, const Net& net, std::span<const Tokens> marking) {
  const std::vector<Expression>& children = predicate.children;
  const auto number = [&](std::size_t child) { return evaluate_number(children[child], marking); };
  const auto holds = [&](const Expression& child) { return evaluate(child, net, marking); };
  switch (predicate.kind) {
    case Kind::less:
      return number(0) < number(1);
    case Kind::less_equal:
      return number(0) <= number(1);
    case Kind::equal:
      return number(0) == number(1);
    case Kind::not_equal:
      return number(0) != number(1);
    case Kind::always:
      return true;
    case Kind::never:
      return false;
    case Kind::negation:
      return !holds(children[0]);
    case Kind::conjunction:
      return std::ranges::all_of(children, holds);
    case Kind::disjunction:
      return std::ranges::any_of(children, holds);
    case Kind::fireable:
      return net.is_enabled(predicate.transition, marking);
    case Kind::deadlock:
      return is_deadlock(net, marking);
    case Kind::initial:
      return std::ranges::equal(marking, net.initial());
    default:
      throw std::logic_error("a number stands where a predicate is expected");
  }
}

}  // namespace dcheck
