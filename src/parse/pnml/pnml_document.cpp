#include "parse/pnml/pnml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "dcheck/base/utf8.hpp"

namespace dcheck::parse {

bool is_decoration(const pugi::xml_node& node) {
  constexpr std::array names{"name", "graphics", "toolspecific", "orientation", "infiniteServer", "tagged", "labels"};
  if (node.type() != pugi::node_element) return true;
  return std::find(names.begin(), names.end(), local_name(node)) != names.end();
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

pugi::xml_node PnmlDocument::net() const {
  const pugi::xml_node root = this->root();
  if (local_name(root) != "pnml") {
    fail(root, fmt::format("expected <pnml> as the outermost element, found <{}>", shown(root.name())));
  }
  pugi::xml_node net;
  for (const pugi::xml_node& child : elements(root)) {
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
  if (value.size() > longest_name) {
    fail(node,
         fmt::format("attribute '{}' of <{}> is longer than {} characters", name, shown(node.name()), longest_name));
  }
  if (first_invalid_utf8(value) != std::string::npos) {
    fail(node, fmt::format("attribute '{}' of <{}> is not valid UTF-8", name, shown(node.name())));
  }
  return value;
}

std::string PnmlDocument::label_text(const pugi::xml_node& label) const {
  pugi::xml_node said;
  for (const pugi::xml_node child : label.children()) {
    if (is_decoration(child)) continue;
    if (local_name(child) != "text" && local_name(child) != "value") {
      fail(child, fmt::format("element <{}> in <{}> is not supported", shown(child.name()), shown(label.name())));
    }
    if (said) fail(child, fmt::format("<{}> says two things: expected one", shown(label.name())));
    said = child;
  }
  if (!said) return std::string(trimmed(own_text(label)));
  elements(label);
  return text(said);
}

Tokens PnmlDocument::number(const pugi::xml_node& at, std::string_view text, std::string_view what) const {
  // PIPE writes the class of the tokens before their number; its only class in a P/T net is this one.
  constexpr std::string_view default_class = "Default,";
  const bool has_class = text.starts_with(default_class);
  return XmlDocument::number(at, has_class ? text.substr(default_class.size()) : text, what);
}

void PnmlDocument::agree(std::optional<Tokens>& known, const pugi::xml_node& at, std::string_view text,
                         std::string_view what) const {
  const Tokens value = number(at, trimmed(text), what);
  if (known && *known != value) fail(at, fmt::format("{} is {} and {}: expected one number", what, *known, value));
  known = value;
}

}  // namespace dcheck::parse
