#pragma once
// The XML side of PNML: a parsed document, positions in it, and the few shapes in which tools write values.

#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "dcheck/base/ids.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse {

class PnmlDocument {
 public:
  /// Throws InputError where the text is not well-formed XML or brings its own entity declarations.
  PnmlDocument(std::string_view text, const std::string& file);

  /// The only <net> of the document.
  pugi::xml_node net() const;

  [[noreturn]] void fail(const pugi::xml_node& at, const std::string& message) const;

  /// An attribute that must be there, not be empty and be valid UTF-8.
  std::string attribute(const pugi::xml_node& node, const char* name) const;

  /// What a label such as <initialMarking> or <inscription> says: its <text> or <value>, or its own text.
  std::string label_text(const pugi::xml_node& label) const;

  /// A number of tokens or a weight; `what` is how messages call it.
  Tokens number(const pugi::xml_node& at, std::string_view text, std::string_view what) const;

 private:
  SourceText _source;
  pugi::xml_document _document;
};

/// The element's name without a namespace prefix.
std::string_view local_name(const pugi::xml_node& node);

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

std::string lower_case(std::string_view text);

}  // namespace dcheck::parse
