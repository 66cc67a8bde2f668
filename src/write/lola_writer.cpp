// LoLA's low-level nets: places, marking, transitions with what they consume and produce; no other arcs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "dcheck/base/error.hpp"
#include "write/writers.hpp"

namespace dcheck::write {
namespace {

constexpr Tokens most = std::numeric_limits<std::int32_t>::max();  // LoLA reads numbers as int

/// Anything without blanks, `,;:(){}`, and what begins a comment; no keyword.
std::string allowed_name(const std::string& name) {
  constexpr std::string_view separators = " ,;:(){}";
  const auto is_allowed = [&](char c) { return !is_control(c) && separators.find(c) == std::string_view::npos; };
  std::string changed = name;
  if (!std::ranges::all_of(name, is_allowed)) changed = with_underscores(without_brackets(name), is_allowed);
  for (std::size_t at = changed.find("/*"); at != std::string::npos; at = changed.find("/*")) changed[at + 1] = '_';
  constexpr std::array keywords{"PLACE",   "MARKING", "SAFE", "TRANSITION", "CONSUME",
                                "PRODUCE", "STRONG",  "WEAK", "FAIR"};
  return std::ranges::find(keywords, changed) == keywords.end() && !changed.empty() ? changed : changed + '_';
}

void require_small(Tokens number, const std::string& where) {
  if (number > most) throw InputError(fmt::format("LoLA has numbers up to {}: {} {}", most, number, where));
}

std::string arc_list(const Net& net, Transition t, std::span<const Arc> arcs) {
  std::string text;
  for (const Arc& arc : arcs) {
    require_small(arc.weight, fmt::format("at an arc of transition '{}'", net.name(t)));
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", net.name(arc.place), arc.weight);
  }
  return text;
}

}  // namespace

Needs lola_needs() {
  return {allowed_name, true};
}

std::string lola_text(const Net& net) {
  if (net.transition_count() == 0) throw InputError("LoLA has no nets without transitions");
  std::string text = "PLACE\n";
  for (const Place p : FirstIds<Place>(net.place_count()))
    text += fmt::format("{}  {}", index(p) == 0 ? "" : ",\n", net.name(p));
  text += ";\n\nMARKING\n";
  const char* separator = "";
  for (const Place p : FirstIds<Place>(net.place_count())) {
    const Tokens tokens = net.initial()[index(p)];
    if (tokens == 0) continue;
    require_small(tokens, fmt::format("tokens in place '{}'", net.name(p)));
    text += fmt::format("{}  {}:{}", separator, net.name(p), tokens);
    separator = ",\n";
  }
  text += ";\n";
  for (const Transition t : FirstIds<Transition>(net.transition_count())) {
    if (!net.inhibitors(t).empty())
      throw InputError(fmt::format("LoLA has no inhibitor arcs, and transition '{}' has one", net.name(t)));
    text += fmt::format("\nTRANSITION {}\n  CONSUME {};\n  PRODUCE {};\n", net.name(t), arc_list(net, t, net.pre(t)),
                        arc_list(net, t, net.post(t)));
  }
  return text;
}

}  // namespace dcheck::write
