#pragma once
// Formulas in: the text syntax of docs/formulas.md and the XML of the Model Checking Contest.

#include <string>
#include <string_view>
#include <vector>

#include "dcheck/parse/model.hpp"

namespace dcheck {

/// One formula over the names of the model, or `bound(number)`: an upper bound. The id is also what error
/// messages call the text. Errors have an excerpt.
Property parse_property(std::string_view text, const std::string& id, const Model& model);

/// The same where only a formula will do. `source` is what error messages call the text.
Formula parse_formula(std::string_view text, const std::string& source, const Model& model);

/// The properties of a formula file (or pipe, or `-` for standard input), in order: the Model Checking Contest's XML
/// (CTL, reachability and upper bounds), or text, `name: formula;` with // comments. Names are ids and may not repeat.
/// Errors in text have an excerpt.
std::vector<Property> read_formulas(const std::string& path, const Model& model);

/// The same from memory; `file` is what error messages call it.
std::vector<Property> parse_formulas(std::string_view text, const std::string& file, const Model& model);

}  // namespace dcheck
