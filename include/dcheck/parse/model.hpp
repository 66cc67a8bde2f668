#pragma once
// Reads a model file: `.spn` by our own grammar (docs/language.md), `.pnml` by the PNML P/T standard, and what other
// tools write.
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

/// A colour set of a model's text: integers, or names in their order.
struct ColourSet {
  std::string name;
  Tokens first = 0, last = 0;
  std::vector<std::string> names;  // empty: integers; otherwise first is 0

  std::string text_of(Tokens colour) const {
    return names.empty() ? std::to_string(colour) : names[static_cast<std::size_t>(colour)];
  }
};

struct Model {
  Net net;
  std::string sha256;                 // of the file's bytes, lower-case hex
  std::vector<Parameter> parameters;  // as used, in the order of declaration
  std::vector<Definition> definitions;
  std::vector<Property> checks;    // the model's own properties
  std::set<std::string> families;  // names that stand with indices only; PNML has none
  std::vector<ColourSet> colour_sets;
};

/// Values given on the command line by -D, in order; the texts are checked against the declarations.
using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

enum class ModelFormat : std::uint8_t {
  spn,
  pnml,
  tina,  // .net
  ndr,   // Tina's graphical one
  lola,
  cspl  // .cspl, .c
};

/// What the ending of a file's name says, in upper or lower case.
std::optional<ModelFormat> format_of_ending(const std::string& path);
/// All endings there are: ".spn, .pnml, ...".
std::string all_endings();

/// Reads MODEL: a file, a pipe, or `-` for standard input. Without a format its ending decides, and what is in it where
/// it has none or is no regular file: PNML begins with `<`, and anything else is .spn. Any other ending is an
/// InputError.
Model read_model(const std::string& path, const ParameterTexts& parameters,
                 std::optional<ModelFormat> format = std::nullopt);

/// The same from memory; `file` is what error messages call it.
Model parse_spn(std::string_view text, const std::string& file, const ParameterTexts& parameters);
Model parse_pnml(std::string_view text, const std::string& file);
Model parse_tina(std::string_view text, const std::string& file);
Model parse_cspl(std::string_view text, const std::string& file, const ParameterTexts& parameters);
Model parse_ndr(std::string_view text, const std::string& file);
Model parse_lola(std::string_view text, const std::string& file);

/// The same model with places and transitions in the order that the net's structure decides: what dcheck does with it
/// then depends neither on names nor on the order in the file.
Model in_structural_order(Model model);

}  // namespace dcheck
