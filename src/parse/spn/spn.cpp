// parse_spn: text to statements to model.

#include "dcheck/base/sha256.hpp"
#include "dcheck/parse/model.hpp"
#include "parse/spn/spn_elaborator.hpp"
#include "parse/spn/spn_parser.hpp"

namespace dcheck {
Model parse_spn(std::string_view text, const std::string& file, const ParameterTexts& parameters) {
  const parse::SourceText source(text, file);
  source.require_utf8();
  const std::vector<parse::Statement> statements = parse::parse_statements(source);

  std::vector<std::string> declared;
  for (const parse::Statement& statement : statements) {
    if (const auto* parameter = std::get_if<parse::ParameterDeclaration>(&statement)) {
      declared.push_back(parameter->name.text);
    }
  }
  const parse::GivenParameters given(parameters, declared);

  parse::SpnElaborator elaborator(source, parse::name_of_file(file), given);
  elaborator.run(statements);
  Model model = elaborator.finish();
  if (model.net.place_count() == 0) throw InputError(file, {}, "the model has no place: expected at least one 'place'");
  model.sha256 = sha256_hex(text);
  return model;
}

}  // namespace dcheck
