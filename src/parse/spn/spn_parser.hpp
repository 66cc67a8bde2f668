#pragma once
// The statements of a .spn model (docs/language.md).

#include <vector>

#include "parse/expression/syntax.hpp"

namespace dcheck::parse {

/// The model as written. Throws InputError at the first thing that is not in the grammar.
std::vector<Statement> parse_statements(const SourceText& source);

/// The text between two offsets on one line: comments and runs of blanks become one blank.
std::string on_one_line(std::string_view text);

}  // namespace dcheck::parse
