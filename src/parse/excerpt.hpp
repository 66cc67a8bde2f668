#pragma once
// The line that a complaint is about, with a caret under the place.

#include <string>
#include <string_view>

#include "parse/source_text.hpp"

namespace dcheck::parse {

/// Two lines, the second with the caret. A long line is cut to a window around the place. Everything is as
/// wide on a terminal as it seems: tabs are blanks, and what cannot be shown is a question mark.
std::string excerpt(std::string_view text, Offset at);

}  // namespace dcheck::parse
