#pragma once
// XML written in another way that means the same, and XML that means two things at once.

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace dcheck::test {

/// The pieces of a well-formed document, in order: whole tags, comments, CDATA sections and processing instructions,
/// and the text between them. Joined they are the document.
std::vector<std::string> xml_pieces(std::string_view xml);

/// The same document for every reader that takes no notice of blanks at both ends of a text: comments and processing
/// instructions anywhere, text cut into CDATA sections and character references, blanks between tags and attributes,
/// other quotes, `<a></a>` for `<a/>`.
std::string rewritten(std::string_view xml, std::mt19937& random);

/// The document with the element that begins at this piece, up to its end, twice.
std::string with_element_twice(std::string_view xml, std::size_t piece);

}  // namespace dcheck::test
