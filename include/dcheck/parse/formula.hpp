#pragma once
// Formulas in: the text syntax of docs/formulas.md and the XML of the Model Checking Contest.

#include <string>
#include <string_view>
#include <vector>

#include "dcheck/parse/model.hpp"

namespace dcheck {

/// One formula over the names of the model. `source` is what error messages call the text.
Formula parse_formula(std::string_view text, const std::string& source, const Model& model);

}  // namespace dcheck
