#pragma once
// The XML side of PNML: a parsed document, positions in it, and the few shapes in which tools write values.

#include <optional>
#include <string>
#include <string_view>

#include "parse/xml/xml_document.hpp"

namespace dcheck::parse {

class PnmlDocument : public XmlDocument {
 public:
  PnmlDocument(std::string_view text, const std::string& file) : XmlDocument(text, file, "PNML") {}

  /// The only <net> of the document.
  pugi::xml_node net() const;

  /// An attribute that must be there, not be empty and be valid UTF-8.
  std::string attribute(const pugi::xml_node& node, const char* name) const;

  /// What a label such as <initialMarking> or <inscription> says: its <text> or <value>, or its own text. Fails where
  /// it says more than one thing.
  std::string label_text(const pugi::xml_node& label) const;

  /// A number of tokens or a weight; `what` is how messages call it.
  Tokens number(const pugi::xml_node& at, std::string_view text, std::string_view what) const;

  /// The same for a number that tools write in several places: fails unless it is the `known` one, and keeps it there.
  void agree(std::optional<Tokens>& known, const pugi::xml_node& at, std::string_view text,
             std::string_view what) const;
};

/// Elements that say nothing about behaviour.
bool is_decoration(const pugi::xml_node& node);

std::string lower_case(std::string_view text);

}  // namespace dcheck::parse
