#include "parse/pnml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace dcheck::parse {
namespace {

constexpr std::string_view blanks = " \t\r\n";

}  // namespace

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

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

PnmlDocument::PnmlDocument(std::string_view text, const std::string& file) : _source(text, file) {
  const auto result =
      _document.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_doctype, pugi::encoding_auto);
  if (!result) {
    const auto at = static_cast<Offset>(std::max<std::ptrdiff_t>(result.offset, 0));
    const bool at_end = at + 1 >= text.size() && result.status != pugi::status_no_document_element;
    _source.fail(at, fmt::format("not well-formed XML: {}{}", result.description(),
                                 at_end ? " (the file seems to be truncated)" : ""));
  }
  for (const pugi::xml_node child : _document) {
    // Entities are how a small file makes gigabytes, or reads other files; no PNML needs them.
    if (child.type() == pugi::node_doctype && std::string_view(child.value()).find('[') != std::string_view::npos) {
      fail(child, "document type with its own declarations (entities): expected plain PNML");
    }
  }
}

void PnmlDocument::fail(const pugi::xml_node& at, const std::string& message) const {
  _source.fail(static_cast<Offset>(std::max<std::ptrdiff_t>(at.offset_debug(), 0)), message);
}

pugi::xml_node PnmlDocument::net() const {
  const pugi::xml_node root = _document.document_element();
  if (local_name(root) != "pnml") {
    fail(root, fmt::format("expected <pnml> as the outermost element, found <{}>", shown(root.name())));
  }
  pugi::xml_node net;
  for (const pugi::xml_node child : root.children()) {
    if (child.type() != pugi::node_element) continue;
    if (local_name(child) == "net") {
      if (net) fail(child, "several nets in one file: expected exactly one <net>");
      net = child;
    } else if (local_name(child) != "toolspecific" && local_name(child) != "name") {
      fail(child, fmt::format("element <{}> is not supported here: expected <net>", shown(child.name())));
    }
  }
  if (!net) fail(root, "no net in the file: expected <net>");
  return net;
}

std::string PnmlDocument::attribute(const pugi::xml_node& node, const char* name) const {
  std::string value(trimmed(node.attribute(name).value()));
  if (value.empty()) fail(node, fmt::format("<{}> has no attribute '{}'", shown(node.name()), name));
  if (first_invalid_utf8(value) != std::string::npos) {
    fail(node, fmt::format("attribute '{}' of <{}> is not valid UTF-8", name, shown(node.name())));
  }
  return value;
}

std::string PnmlDocument::label_text(const pugi::xml_node& label) const {
  for (const pugi::xml_node child : label.children()) {
    if (local_name(child) == "text" || local_name(child) == "value") return std::string(trimmed(child.child_value()));
  }
  return std::string(trimmed(label.child_value()));
}

Tokens PnmlDocument::number(const pugi::xml_node& at, std::string_view text, std::string_view what) const {
  // PIPE writes the class of the tokens before their number; its only class in a P/T net is this one.
  constexpr std::string_view default_class = "Default,";
  std::string_view digits = text;
  if (digits.starts_with(default_class)) digits.remove_prefix(default_class.size());
  Tokens value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) {
    fail(at, fmt::format("{} is '{}': expected a number", what, shown(text)));
  }
  if (error != std::errc{}) fail(at, fmt::format("{} is {}: expected at most 2^63 - 1", what, shown(text)));
  return value;
}

}  // namespace dcheck::parse
