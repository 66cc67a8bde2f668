#pragma once
// Names and formulas as they may be sent to a terminal: models come from anywhere, and what they call
// their places must not move the cursor or look like a line of ours.

#include <string>
#include <string_view>

namespace dcheck {

/// Control characters and bytes that are not UTF-8 become escapes (\x1b, \xe9, \u009b); the rest stays.
std::string printable(std::string_view text);

/// The same with every run of blanks and line ends as one blank, and none at the ends.
std::string printable_line(std::string_view text);

/// Characters of a printable text, which is about the columns it takes.
std::size_t width_of(std::string_view printable_text);

/// At most `columns` characters; where some had to go, the last one is an ellipsis.
std::string cut_to(std::string_view printable_text, std::size_t columns);

}  // namespace dcheck
