#pragma once
// The functions of C's library that such files use: on texts and on numbers. What prints, prints nothing.

#include <optional>

#include "parse/cspl/interpreter.hpp"

namespace dcheck::parse::cspl {

/// Nothing where there is no such function. `keeps_globals`: no global text may be changed.
std::optional<Value> call_library(Call& call, const Arithmetic& arithmetic, const SourceText& source,
                                  bool keeps_globals);

/// The content of an argument; fails where it is none.
const std::string& text_argument(const Call& call, std::size_t argument, const SourceText& source);

/// Fails where there are not so many arguments.
void require_arguments(const Call& call, std::size_t count, const SourceText& source);

}  // namespace dcheck::parse::cspl
