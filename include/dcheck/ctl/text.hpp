#pragma once
// Formulas and names back to text, in the syntax of docs/formulas.md: what is written can be read again.

#include <string>

#include "dcheck/ctl/formula.hpp"

namespace dcheck {

std::string text_of(const Formula& formula, const Net& net);
std::string text_of(const Expression& expression, const Net& net);

/// A name as formulas and models write it: in quotes where it would not be read as a name.
std::string text_of_name(const std::string& name);

}  // namespace dcheck
