#include "parse/xml/xml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "dcheck/base/utf8.hpp"
#include "parse/xml/strict_xml.hpp"

namespace dcheck::parse {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_text(const pugi::xml_node& node) {
  return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
}

}  // namespace

std::string own_text(const pugi::xml_node& node) {
  std::string whole;
  for (const pugi::xml_node piece : node.children()) {
    if (is_text(piece)) whole += piece.value();
  }
  return whole;
}

std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

XmlDocument::XmlDocument(std::string_view text, const std::string& file, std::string_view format)
    : _source(text, file) {
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    _source.fail(static_cast<Offset>(zero), fmt::format("a zero byte: expected {} in UTF-8", format));
  }
  // With blanks: those between two pieces of a text belong to it.
  constexpr unsigned kept = pugi::parse_default | pugi::parse_doctype | pugi::parse_ws_pcdata;
  const auto result = _document.load_buffer(text.data(), text.size(), kept, pugi::encoding_auto);
  if (!result) {
    const auto at = static_cast<Offset>(std::max<std::ptrdiff_t>(result.offset, 0));
    const bool at_end = at + 1 >= text.size() && result.status != pugi::status_no_document_element;
    _source.fail(at, fmt::format("not well-formed XML: {}{}", result.description(),
                                 at_end ? " (the file seems to be truncated)" : ""));
  }
  for (const pugi::xml_node child : _document) {
    // Entities are how a small file makes gigabytes, or reads other files; no format of ours needs them.
    if (child.type() == pugi::node_doctype && std::string_view(child.value()).find('[') != std::string_view::npos) {
      fail(child, fmt::format("document type with its own declarations (entities): expected plain {}", format));
    }
  }
  require_strict_xml(_source);
}

Offset XmlDocument::offset(const pugi::xml_node& node) const {
  return static_cast<Offset>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
}

void XmlDocument::fail(const pugi::xml_node& at, const std::string& message) const {
  _source.fail(offset(at), message);
}

std::vector<pugi::xml_node> XmlDocument::elements(const pugi::xml_node& node) const {
  std::vector<pugi::xml_node> found;
  for (const pugi::xml_node part : node.children()) {
    if (part.type() == pugi::node_element) {
      found.push_back(part);
    } else if (is_text(part) && !trimmed(part.value()).empty()) {
      fail(part, fmt::format("unexpected text '{}' in <{}>: expected elements only", shown(trimmed(part.value())),
                             shown(node.name())));
    }
  }
  return found;
}

pugi::xml_node XmlDocument::child(const pugi::xml_node& node, std::string_view name) const {
  pugi::xml_node found;
  for (const pugi::xml_node part : node.children()) {
    if (part.type() != pugi::node_element || local_name(part) != name) continue;
    if (found) fail(part, fmt::format("<{}> has two <{}>: expected one", shown(node.name()), name));
    found = part;
  }
  return found;
}

std::string XmlDocument::text(const pugi::xml_node& node) const {
  for (const pugi::xml_node part : node.children()) {
    if (part.type() != pugi::node_element) continue;
    fail(part,
         fmt::format("unexpected element <{}> in <{}>: expected text only", shown(part.name()), shown(node.name())));
  }
  std::string whole(trimmed(own_text(node)));
  if (first_invalid_utf8(whole) != std::string::npos) {
    fail(node, fmt::format("the text of <{}> is not valid UTF-8", shown(node.name())));
  }
  return whole;
}

Tokens XmlDocument::number(const pugi::xml_node& at, std::string_view text, std::string_view what) const {
  Tokens value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) {
    fail(at, fmt::format("{} is '{}': expected a number", what, shown(text)));
  }
  if (error != std::errc{}) fail(at, fmt::format("{} is {}: expected at most 2^63 - 1", what, shown(text)));
  return value;
}

}  // namespace dcheck::parse
