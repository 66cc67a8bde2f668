#pragma once
// Gives expressions their meaning: resolves names, runs loops, folds constants.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "parse/expression/scope.hpp"
#include "parse/expression/syntax.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse {

/// A number or a formula, with its size (nodes) and depth so that no tree grows beyond what is sane.
struct Value {
  bool is_number = true;
  Expression number;
  Formula formula;
  std::uint32_t size = 1, depth = 1;

  bool is_constant() const { return is_number && number.kind == Expression::Kind::constant; }
};

/// A property, and what keeping it costs (in nodes).
struct SizedProperty {
  Property property;
  std::size_t size = 1;
};

/// Limits on what a short text may make; see docs/language.md.
inline constexpr std::uint64_t max_steps = 50'000'000;
inline constexpr std::uint64_t max_iterations = 10'000'000;
inline constexpr std::uint32_t max_value_size = 1'000'000;
inline constexpr std::uint32_t max_value_depth = 1'000;
/// Operators kept in all guards, definitions and properties of a file together.
inline constexpr std::size_t max_kept_nodes = 5'000'000;

class Evaluator {
 public:
  /// Refers to both: they must outlive the evaluator.
  Evaluator(const SourceText& source, Scope& scope) : _source(source), _scope(scope) {}

  Value value(const Node& node);

  /// A number that depends on no place.
  Tokens integer(const Node& node);
  /// A condition that depends on no place.
  bool condition(const Node& node);
  /// A number that depends on no place and may have decimals.
  double real(const Node& node);
  SizedProperty property(const Question& question, std::string id, std::string text);

  /// An index as it stands in the name of a member: a number, or a named colour.
  std::string index_text(const Node& index);
  /// `p[1,2]`: the name with its indices worked out.
  std::string full_name(const Node& name);
  Place place(const Node& name);
  /// The transition of this name, or all bindings of the coloured transition.
  std::vector<Transition> transitions(const Node& name);

  /// Calls visit() with the loop variables set, once for every combination that passes the filter.
  /// `node` has `binding`s and perhaps a `filter` among its children. Counts as a step each.
  template <typename Visit>
  void for_each_binding(const Node& node, Visit&& visit) {
    iterate(node, 0, 1, visit);
  }

  /// What a `binding` runs through: integers, or the colours of a set.
  struct Range {
    Tokens first, last;
    const ColourSet* set;
    std::uint64_t count() const { return static_cast<std::uint64_t>(last - first) + 1; }
  };
  /// Fails where the binding has more than max_iterations / `times` members.
  Range range(const Node& binding, std::uint64_t times);

  /// Fails where the loop variable of a `binding` is already one.
  void require_new_variable(const Node& binding) const;

  /// Counts work, so that no text makes us run for ever.
  void step(Offset at, std::uint64_t count = 1);

 private:
  template <typename Visit>
  void iterate(const Node& node, std::size_t child, std::uint64_t times, Visit& visit);

  Value named(const Node& node);
  Range colour_range(const Node& name, std::uint64_t times) const;
  /// The tokens in a coloured place: the sum over its colours.
  Value tokens_of(const Node& node, std::span<const Place> colours);
  Value sum(const Node& node);
  Value product(const Node& node);
  Value quotient(const Node& node);
  Value comparison(const Node& node);
  Value combination(const Node& node);
  Value equivalence(const Node& node);
  Value quantifier(const Node& node);
  Value temporal(const Node& node);
  Value fireable(const Node& node);

  /// `family` is what the scope says of a family of this name, `suggestion` the nearest name otherwise.
  [[noreturn]] void fail_unknown(const Node& node, std::string_view what, const std::string& name,
                                 const std::string& family, const std::string& suggestion) const;

  Value number_value(const Node& node);
  Value formula_value(const Node& node);
  Value constant(Tokens value) const;
  Value atom(Expression predicate) const;
  /// A sum under construction: constants are folded at once.
  struct Sum {
    Tokens constant = 0;
    std::vector<Value> plus, minus;
    std::uint64_t size = 0;
  };
  void add_to(Sum& sum, const Node& node, const Node& term, bool subtracted);
  Value added(const Node& node, std::vector<Value> parts);
  /// One arithmetic expression of the parts.
  Value joined(const Node& node, Expression::Kind kind, std::vector<Value> parts);
  void require_size(const Node& node, std::uint64_t size) const;
  /// Takes over size and depth of the parts; fails where the whole is too large.
  Value sized(const Node& node, Value whole, const std::vector<Value>& parts) const;
  [[noreturn]] void fail(const Node& node, const std::string& message) const { _source.fail(node.at, message); }

  const SourceText& _source;
  Scope& _scope;
  std::uint64_t _steps = 0;
};

template <typename Visit>
void Evaluator::iterate(const Node& node, std::size_t child, std::uint64_t times, Visit& visit) {
  const Node* inner = child < node.children.size() ? &node.children[child] : nullptr;
  if (inner == nullptr || inner->kind != Node::Kind::binding) {
    if (inner != nullptr && inner->kind == Node::Kind::filter && !condition(inner->children.front())) return;
    visit();
    return;
  }
  const auto [first, last, set] = range(*inner, times);
  if (last < first) return;
  const auto count = static_cast<std::uint64_t>(last - first) + 1;
  require_new_variable(*inner);
  _scope.push_variable(inner->text, first, set);
  for (Tokens i = first;; ++i) {
    step(inner->at);
    _scope.set_variable(i);
    iterate(node, child + 1, times * count, visit);
    if (i == last) break;
  }
  _scope.pop_variable();
}

}  // namespace dcheck::parse
