// Writes what the grammar of docs/formulas.md reads back to the same tree. Where the reader flattens or folds
// (a sum in a sum, a product that starts with a product), parentheses or a factor 1 keep the tree as it is.

#include "dcheck/ctl/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "dcheck/net/net.hpp"

namespace dcheck {

namespace {

using Kind = Expression::Kind;

/// How strongly the outermost operator of a text binds, weakest first.
enum class Level : std::uint8_t { disjunction, conjunction, unary, comparison, sum, term, primary };

struct Text {
  std::string text;
  Level level = Level::primary;
};

std::string at_least(Level level, Text part) {
  if (part.level >= level) return std::move(part.text);
  return '(' + part.text + ')';
}

Level stronger(Level level) {
  return static_cast<Level>(static_cast<std::uint8_t>(level) + 1);
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Letters, digits, `_`, and dots inside; no digit first; no keyword of the language.
bool is_plain(std::string_view name) {
  static constexpr std::array<std::string_view, 29> keywords{
      "param", "place", "trans",  "for",    "in",       "where",   "let",      "check",   "init", "rate",
      "when",  "sum",   "exists", "forall", "fireable", "inhibit", "deadlock", "initial", "true", "false",
      "EX",    "AX",    "EF",     "AF",     "EG",       "AG",      "E",        "A",       "U"};
  if (name.empty() || !is_letter(name.front()) || name.back() == '.') return false;
  if (name.find("..") != std::string_view::npos) return false;
  if (!std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '.'; })) return false;
  return std::ranges::find(keywords, name) == keywords.end();
}

/// An integer as an index is printed: `7`, `-3`, never `+7` or `07`.
bool is_index(std::string_view text) {
  if (text == "0") return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  constexpr std::size_t safe_digits = std::numeric_limits<Tokens>::digits10;
  return !text.empty() && text.size() <= safe_digits && text.front() != '0' && std::ranges::all_of(text, is_digit);
}

/// `1,-2,3]`: what stands behind the bracket of a member of a family.
bool are_indices(std::string_view text) {
  if (!text.ends_with(']')) return false;
  text.remove_suffix(1);
  for (;;) {
    const std::size_t comma = text.find(',');
    if (!is_index(text.substr(0, comma))) return false;
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
}

class Writer {
 public:
  explicit Writer(const Net& net) : _net(net) {}

  Text formula(const Formula& formula) const {
    using F = Formula::Kind;
    switch (formula.kind) {
      case F::atom:
        return expression(formula.predicate);
      case F::negation:
        return negation(this->formula(formula.children[0]));
      case F::conjunction:
      case F::disjunction:
        return combination(formula.children, formula.kind == F::conjunction,
                           [this](const Formula& child) { return this->formula(child); });
      case F::eu:
      case F::au:
        return {(formula.kind == F::eu ? "E[" : "A[") + this->formula(formula.children[0]).text + " U " +
                    this->formula(formula.children[1]).text + ']',
                Level::primary};
      default:
        return {path_operator(formula.kind) + at_least(Level::unary, this->formula(formula.children[0])), Level::unary};
    }
  }

  Text expression(const Expression& expression) const {
    switch (expression.kind) {
      case Kind::constant:
        return constant(expression.value);
      case Kind::place:
        return {text_of_name(_net.name(expression.place))};
      case Kind::add:
      case Kind::subtract:
        return sum(expression);
      case Kind::multiply:
        return product(expression);
      case Kind::divide:
      case Kind::remainder:
        return quotient(expression);
      case Kind::less:
      case Kind::less_equal:
      case Kind::equal:
      case Kind::not_equal:
        return comparison(expression);
      case Kind::always:
        return {"true"};
      case Kind::never:
        return {"false"};
      case Kind::negation:
        return negation(this->expression(expression.children[0]));
      case Kind::conjunction:
        return combination(expression.children, true, [this](const Expression& e) { return this->expression(e); });
      case Kind::disjunction:
        if (is_fireable_list(expression.children)) return fireable(expression.children);
        return combination(expression.children, false, [this](const Expression& e) { return this->expression(e); });
      case Kind::fireable:
        return fireable({&expression, 1});
      case Kind::deadlock:
        return {"deadlock"};
      case Kind::initial:
        return {"initial"};
    }
    return {};
  }

 private:
  static std::string path_operator(Formula::Kind kind) {
    switch (kind) {
      case Formula::Kind::ex:
        return "EX ";
      case Formula::Kind::ax:
        return "AX ";
      case Formula::Kind::ef:
        return "EF ";
      case Formula::Kind::af:
        return "AF ";
      case Formula::Kind::eg:
        return "EG ";
      default:
        return "AG ";
    }
  }

  static Text constant(Tokens value) {
    if (value == std::numeric_limits<Tokens>::min()) return {std::to_string(value + 1) + " - 1", Level::sum};
    return {std::to_string(value), Level::primary};
  }

  /// `!p == 1` would be read the same but misread by people.
  static Text negation(Text of) {
    const bool is_unary = of.level == Level::unary;
    return {'!' + (is_unary ? std::move(of.text) : at_least(Level::primary, std::move(of))), Level::unary};
  }

  template <typename Child, typename Write>
  static Text combination(const std::vector<Child>& children, bool is_conjunction, Write&& write) {
    if (children.empty()) return {is_conjunction ? "true" : "false", Level::primary};
    if (children.size() == 1) return write(children.front());
    const Level level = is_conjunction ? Level::conjunction : Level::disjunction;
    std::string text;
    for (const Child& child : children) {
      if (!text.empty()) text += is_conjunction ? " && " : " || ";
      text += at_least(stronger(level), write(child));
    }
    return {std::move(text), level};
  }

  static bool is_fireable_list(const std::vector<Expression>& parts) {
    const auto is_fireable = [](const Expression& part) { return part.kind == Kind::fireable; };
    return !parts.empty() && std::ranges::all_of(parts, is_fireable);
  }

  /// The coloured family whose members, all and in order, these nodes are; null where they are something else.
  template <typename Id>
  static const Family* coloured(std::span<const Expression> nodes, const Families<Id>& families, Id Expression::*id,
                                Kind kind) {
    if (nodes.empty() || nodes.front().kind != kind) return nullptr;
    const auto number = families.of(nodes.front().*id);
    if (!number || !families[*number].is_coloured) return nullptr;
    const auto is_member = [&](const Expression& node, Id member) { return node.kind == kind && node.*id == member; };
    return std::ranges::equal(nodes, families.members(*number), is_member) ? &families[*number] : nullptr;
  }

  Text fireable(std::span<const Expression> parts) const {
    if (const Family* all = coloured(parts, _net.transition_families(), &Expression::transition, Kind::fireable))
      return {"fireable(" + name_text(all->name) + ')', Level::primary};
    std::string text = "fireable(";
    for (const Expression& part : parts) {
      if (&part != &parts.front()) text += ", ";
      text += text_of_name(_net.name(part.transition));
    }
    return {text + ')', Level::primary};
  }

  Text comparison(const Expression& comparison) const {
    const Expression &left = comparison.children[0], &right = comparison.children[1];
    const bool is_order = comparison.kind == Kind::less || comparison.kind == Kind::less_equal;
    // A number is read more easily on the right; the reader turns it round again.
    const bool is_turned = is_order && left.kind == Kind::constant && right.kind != Kind::constant;
    const auto write = [&](const Expression& side) { return at_least(Level::sum, expression(side)); };
    const auto join = [&](const char* sign) {
      return Text{write(is_turned ? right : left) + sign + write(is_turned ? left : right), Level::comparison};
    };
    switch (comparison.kind) {
      case Kind::less:
        return join(is_turned ? " > " : " < ");
      case Kind::less_equal:
        return join(is_turned ? " >= " : " <= ");
      case Kind::equal:
        return join(" == ");
      default:
        return join(" != ");
    }
  }

  /// The reader gathers what is added, then what is subtracted, and all constants in one: `a + b + 1 - c - d` is
  /// (a + b + 1) - (c + d).
  Text sum(const Expression& sum) const {
    if (const Family* place = coloured(sum.children, _net.place_families(), &Expression::place, Kind::place))
      return {name_text(place->name)};
    if (sum.kind == Kind::add && sum.children.size() == 1) return expression(sum.children.front());
    const Expression& added = sum.kind == Kind::add ? sum : sum.children[0];
    std::string text;
    for (const Expression& part : parts_of(added)) append_term(text, part, false);
    if (sum.kind == Kind::subtract) {
      const auto is_constant = [](const Expression& part) { return part.kind == Kind::constant; };
      const Expression& subtracted = sum.children[1];
      if (std::ranges::any_of(subtracted.children, is_constant)) {
        append_term(text, subtracted, true);
      } else {
        for (const Expression& part : parts_of(subtracted)) append_term(text, part, true);
      }
    }
    return {std::move(text), Level::sum};
  }

  static std::span<const Expression> parts_of(const Expression& sum) {
    return sum.kind == Kind::add ? std::span(sum.children) : std::span(&sum, 1);
  }

  void append_term(std::string& text, const Expression& part, bool is_subtracted) const {
    std::string term = at_least(Level::term, expression(part));
    if (!text.empty() && !is_subtracted && part.kind == Kind::constant && term.starts_with('-')) {
      term.erase(0, 1);
      is_subtracted = true;
    }
    if (!text.empty()) text += is_subtracted ? " - " : " + ";
    text += term;
  }

  Text product(const Expression& product) const {
    if (product.children.size() == 1) return expression(product.children.front());
    const bool starts_with_product = product.children.front().kind == Kind::multiply;
    std::string text = starts_with_product ? "1" : "";
    for (const Expression& factor : product.children) {
      const Level level = text.empty() ? Level::term : Level::primary;
      if (!text.empty()) text += " * ";
      text += at_least(level, expression(factor));
    }
    return {std::move(text), Level::term};
  }

  Text quotient(const Expression& quotient) const {
    const char* sign = quotient.kind == Kind::divide ? " / " : " % ";
    return {at_least(Level::term, expression(quotient.children[0])) + sign +
                at_least(Level::primary, expression(quotient.children[1])),
            Level::term};
  }

  const Net& _net;
};

}  // namespace

std::string text_of_name(const std::string& name) {
  const std::size_t bracket = name.find('[');
  const std::string_view whole = name, base = whole.substr(0, bracket);
  if (is_plain(base) && (bracket == std::string::npos || are_indices(whole.substr(bracket + 1)))) return name;
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string text_of(const Formula& formula, const Net& net) {
  return Writer(net).formula(formula).text;
}

std::string text_of(const Expression& expression, const Net& net) {
  return Writer(net).expression(expression).text;
}

}  // namespace dcheck
