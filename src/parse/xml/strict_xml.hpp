#pragma once
// The rules of XML that pugixml does not look after. Without them part of a file could be dropped or misread in
// silence.

#include "parse/source_text.hpp"

namespace dcheck::parse {

/// Throws InputError at the first thing that XML forbids: a second outermost element, text outside of it, a reference
/// to an entity that XML does not define or to a character that is none, an attribute given twice, `<` in the value of
/// an attribute, a control character. Everything else is pugixml's to refuse, before or after.
/// @pre The document type, if there is one, declares nothing.
void require_strict_xml(const SourceText& source);

}  // namespace dcheck::parse
