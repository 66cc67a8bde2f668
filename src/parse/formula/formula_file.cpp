// Formula files: which of the two formats it is, and the one in our own syntax.

#include "dcheck/parse/formula.hpp"
#include "parse/expression/expression_parser.hpp"
#include "parse/formula/formula_scope.hpp"
#include "parse/formula/mcc_xml.hpp"
#include "parse/formula/property_list.hpp"
#include "parse/input_file.hpp"
#include "parse/spn/spn_parser.hpp"

namespace dcheck {
namespace parse {
namespace {

/// `name: formula;`, any number of times.
class FormulaFileParser : private ExpressionParser {
 public:
  FormulaFileParser(const SourceText& source, const Model& model)
      : ExpressionParser(source),
        _source(source),
        _names(model),
        _evaluator(source, _names.scope()),
        _properties(source) {}

  std::vector<Property> all() {
    while (token().kind != Token::Kind::end) property();
    return _properties.finish();
  }

 private:
  void property() {
    if (token().kind != Token::Kind::name) expected("the name of a property, as in 'home: AG EF initial;'");
    const Offset at = token().begin;
    const std::string id = token().name;
    _properties.require_new(at, id);
    advance();
    expect(":",
           "after the name of the property (a name with other characters than letters, digits, '_' and '.' "
           "needs double quotes)");
    const Offset begin = token().begin;
    start_counting();
    const Question asked = question();
    const std::string_view text = _source.text().substr(begin, end_of_last() - begin);
    std::string one_line = on_one_line(text);
    expect(";", "or an operator after the formula");
    _properties.add(at, _evaluator.property(asked, id, std::move(one_line)));
  }

  const SourceText& _source;
  FormulaScope _names;
  Evaluator _evaluator;
  PropertyList _properties;
};

}  // namespace
}  // namespace parse

std::vector<Property> parse_formulas(std::string_view text, const std::string& file, const Model& model) {
  if (parse::looks_like_xml(text)) return parse::parse_mcc_xml(text, file, model);
  const parse::SourceText source(text, file, parse::Excerpts::yes);
  source.require_utf8();
  return parse::FormulaFileParser(source, model).all();
}

std::vector<Property> read_formulas(const std::string& path, const Model& model) {
  constexpr const char* expected = "a formula file";
  parse::require_readable(path, expected);
  return parse_formulas(parse::bytes_of(path, expected), parse::source_name(path), model);
}

}  // namespace dcheck
