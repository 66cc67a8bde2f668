// The .net format of Tina: `pl` and `tr` lines, with inhibitor arcs, without time.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "write/writers.hpp"

namespace dcheck::write {
namespace {

std::string allowed_name(const std::string& name) {
  return with_underscores(name, [](char c) { return !is_control(c); });
}

/// In braces, with backslashes before braces and backslashes, where it is not of letters, digits, ' and _ alone, or
/// begins a declaration.
std::string name_text(const std::string& name) {
  const auto is_plain = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '\''; };
  constexpr std::array keywords{"net", "tr", "pl", "pr", "lb", "nt"};
  const bool is_keyword = std::ranges::find(keywords, name) != keywords.end();
  if (!is_keyword && std::ranges::all_of(name, is_plain)) return name;
  std::string text = "{";
  for (const char c : name) {
    if (c == '{' || c == '}' || c == '\\') text += '\\';
    text += c;
  }
  return text + '}';
}

void add_arcs(const Net& net, std::span<const Arc> arcs, std::string& text) {
  for (const Arc& arc : arcs) {
    text += ' ' + name_text(net.name(arc.place));
    if (arc.weight != 1) text += fmt::format("*{}", arc.weight);
  }
}

}  // namespace

Needs tina_needs() {
  return {allowed_name, true};
}

std::string tina_text(const Net& net) {
  std::string text = "net " + name_text(net.name()) + '\n';
  for (const Place p : FirstIds<Place>(net.place_count())) {
    const Tokens tokens = net.initial()[index(p)];
    text += "pl " + name_text(net.name(p)) + (tokens == 0 ? "\n" : fmt::format(" ({})\n", tokens));
  }
  for (const Transition t : FirstIds<Transition>(net.transition_count())) {
    text += "tr " + name_text(net.name(t));
    add_arcs(net, net.pre(t), text);
    for (const Arc& arc : net.inhibitors(t)) text += fmt::format(" {}?-{}", name_text(net.name(arc.place)), arc.weight);
    text += " ->";
    add_arcs(net, net.post(t), text);
    text += '\n';
  }
  return text;
}

}  // namespace dcheck::write
