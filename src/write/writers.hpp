#pragma once
// One writer for each format. Each gets a net that is made ready for it (adapted_net.hpp) and writes places and
// transitions in the net's order.

#include <string>

#include "dcheck/parse/model.hpp"
#include "write/adapted_net.hpp"

namespace dcheck::write {

Needs spn_needs();
std::string spn_text(const Net& net, const Model& model, std::span<const Property> properties);

Needs pnml_needs();
/// `names` are the names before they were made ready: they become labels for people.
std::string pnml_text(const Net& net, const Net& names);

Needs tina_needs();
std::string tina_text(const Net& net);

Needs lola_needs();
/// Throws InputError where the net has inhibitor arcs, no transition, or numbers beyond 2^31 - 1.
std::string lola_text(const Net& net);

/// The name with `_` for each byte that is not allowed.
template <typename IsAllowed>
std::string with_underscores(std::string name, IsAllowed is_allowed) {
  for (char& c : name)
    if (!is_allowed(c)) c = '_';
  return name.empty() ? "_" : name;
}

inline bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

inline bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// `pm[1,2]` as `pm_1_2`: what becomes of a member of a family where names have no brackets.
std::string without_brackets(const std::string& name);

}  // namespace dcheck::write
