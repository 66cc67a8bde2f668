#pragma once
// A parsed XML document and positions in it.

#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "dcheck/base/ids.hpp"
#include "parse/source_text.hpp"

namespace dcheck::parse {

class XmlDocument {
 public:
  /// Throws InputError where the text is not well-formed XML (strict_xml.hpp: by XML's rules, not pugixml's) or brings
  /// its own entity declarations. `format` is how messages call what was expected, such as PNML.
  XmlDocument(std::string_view text, const std::string& file, std::string_view format);

  pugi::xml_node root() const { return _document.document_element(); }

  const SourceText& source() const { return _source; }
  Offset offset(const pugi::xml_node& node) const;
  [[noreturn]] void fail(const pugi::xml_node& at, const std::string& message) const;

  /// The elements directly below this one. Fails on text between them.
  std::vector<pugi::xml_node> elements(const pugi::xml_node& node) const;
  /// The element of this name directly below; null where there is none. Fails at a second one.
  pugi::xml_node child(const pugi::xml_node& node, std::string_view name) const;
  /// All the text of an element that has nothing else in it, without blanks at both ends. Fails on elements and on
  /// what is not valid UTF-8.
  std::string text(const pugi::xml_node& node) const;

  /// A number that fits 64 bits; `what` is how messages call it.
  Tokens number(const pugi::xml_node& at, std::string_view text, std::string_view what) const;

 private:
  SourceText _source;
  pugi::xml_document _document;
};

/// The text directly in an element: all its pieces joined, those in CDATA too. Comments and processing instructions
/// between them are no text.
std::string own_text(const pugi::xml_node& node);

/// The element's name without a namespace prefix.
std::string_view local_name(const pugi::xml_node& node);

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace dcheck::parse
