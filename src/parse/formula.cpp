// parse_formula: a formula over the names of a finished model.

#include "dcheck/parse/formula.hpp"

#include <algorithm>

#include "parse/evaluator.hpp"
#include "parse/expression_parser.hpp"

namespace dcheck {
namespace {

using namespace parse;

class FinishedNames : public NetNames {
 public:
  explicit FinishedNames(const Net& net) : _net(net) {}

  std::optional<Place> find_place(std::string_view name) const override { return _net.find_place(name); }
  std::optional<Transition> find_transition(std::string_view name) const override { return _net.find_transition(name); }
  void for_each_place(const std::function<void(const std::string&)>& visit) const override {
    for (std::size_t i = 0; i < _net.place_count(); ++i) visit(_net.name(static_cast<Place>(i)));
  }
  void for_each_transition(const std::function<void(const std::string&)>& visit) const override {
    for (std::size_t i = 0; i < _net.transition_count(); ++i) visit(_net.name(static_cast<Transition>(i)));
  }

 private:
  const Net& _net;
};

struct Extent {
  std::uint32_t size = 1, depth = 1;

  void include(const Extent& part) {
    size += part.size;
    depth = std::max(depth, part.depth + 1);
  }
};

Extent extent_of(const Expression& expression) {
  Extent whole;
  for (const Expression& child : expression.children) whole.include(extent_of(child));
  return whole;
}

Extent extent_of(const Formula& formula) {
  Extent whole = extent_of(formula.predicate);
  for (const Formula& child : formula.children) whole.include(extent_of(child));
  return whole;
}

}  // namespace

Formula parse_formula(std::string_view text, const std::string& source_name, const Model& model) {
  const SourceText source(text, source_name);
  if (const std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos) {
    source.fail(static_cast<Offset>(bad), "text is not valid UTF-8");
  }
  ExpressionParser parser(source);
  const Node tree = parser.expression();
  parser.expect_end();

  const FinishedNames names(model.net);
  Scope scope(names);
  for (const Parameter& parameter : model.parameters) scope.add_parameter(parameter.name, parameter.value);
  for (const Definition& definition : model.definitions) {
    const Extent extent = definition.is_number ? extent_of(definition.number) : extent_of(definition.formula);
    scope.add_definition(definition.name, {&definition, extent.size, extent.depth});
  }
  return Evaluator(source, scope).formula(tree);
}

}  // namespace dcheck
