#pragma once
// Reads a model file: `.spn` by our own grammar (docs/language.md), `.pnml` by the PNML P/T standard.
// Everything that can be wrong with the text ends in one InputError, `file:line:column: ...`.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dcheck/ctl/formula.hpp"
#include "dcheck/net/net.hpp"

namespace dcheck {

/// A name given by `let`: a predicate, a formula or a number that formulas may use.
struct Definition {
  std::string name;
  bool is_number = false;
  Expression number;  // where is_number
  Formula formula;    // otherwise
};

struct Parameter {
  std::string name;
  Tokens value = 0;
};

enum class ModelFormat : std::uint8_t { spn, pnml };

struct Model {
  Net net;
  std::string text;  // the file's bytes, and how they are written: where it was read from a file
  ModelFormat format = ModelFormat::spn;
  std::string sha256;                 // of the file's bytes, lower-case hex
  std::vector<Parameter> parameters;  // as used, in the order of declaration
  std::vector<Definition> definitions;
  std::vector<Property> checks;    // the model's own properties
  std::set<std::string> families;  // names that stand with indices only; PNML has none
};

/// Values given on the command line by -D, in order; the texts are checked against the declarations.
using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

/// Reads MODEL: a file, a pipe, or `-` for standard input. Without a format its ending decides (.spn, .pnml), and what
/// is in it where it has none or is no regular file: PNML begins with `<`. Any other ending is an InputError.
Model read_model(const std::string& path, const ParameterTexts& parameters,
                 std::optional<ModelFormat> format = std::nullopt);

/// The same from its text, in a format that is known; `file` is what error messages call it.
Model parse_model(std::string text, const std::string& file, const ParameterTexts& parameters, ModelFormat format);

/// The same from memory; `file` is what error messages call it.
Model parse_spn(std::string_view text, const std::string& file, const ParameterTexts& parameters);
Model parse_pnml(std::string_view text, const std::string& file);

/// The same model with places and transitions in the order that the net's structure decides: what dcheck does with it
/// then depends neither on names nor on the order in the file.
Model in_structural_order(Model model);

}  // namespace dcheck
