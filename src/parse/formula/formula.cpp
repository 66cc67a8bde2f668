// One formula, as on the command line.

#include "dcheck/parse/formula.hpp"

#include "parse/expression/evaluator.hpp"
#include "parse/expression/expression_parser.hpp"
#include "parse/formula/formula_scope.hpp"
#include "parse/spn/spn_parser.hpp"

namespace dcheck {

Property parse_property(std::string_view text, const std::string& id, const Model& model) {
  const parse::SourceText source(text, id, parse::Excerpts::yes);
  source.require_utf8();
  parse::ExpressionParser parser(source);
  const parse::Question question = parser.question();
  parser.expect_end();
  parse::FormulaScope names(model);
  parse::Evaluator evaluator(source, names.scope());
  return evaluator.property(question, id, parse::on_one_line(text)).property;
}

Formula parse_formula(std::string_view text, const std::string& source, const Model& model) {
  Property property = parse_property(text, source, model);
  if (property.is_upper_bound) {
    parse::SourceText(text, source, parse::Excerpts::yes).fail(0, "expected a formula, found an upper bound");
  }
  return std::move(property.formula);
}

}  // namespace dcheck
