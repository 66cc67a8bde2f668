// Our own language (docs/language.md): everything that a model has, but for NUPN units.

#include <fmt/format.h>

#include "dcheck/base/utf8.hpp"
#include "dcheck/ctl/text.hpp"
#include "write/writers.hpp"

namespace dcheck::write {
namespace {

std::string allowed_name(const std::string& name) {
  const bool is_utf8 = first_invalid_utf8(name) == std::string_view::npos;
  return with_underscores(name, [&](char c) { return !is_control(c) && (is_utf8 || (c & '\x80') == 0); });
}

std::string side_text(const Net& net, std::span<const Arc> arcs) {
  std::string text;
  for (const Arc& arc : arcs) {
    if (!text.empty()) text += " + ";
    if (arc.weight != 1) text += fmt::format("{}*", arc.weight);
    text += text_of_name(net.name(arc.place));
  }
  return text;
}

std::string transition_text(const Net& net, Transition t) {
  std::string text = "trans " + text_of_name(net.name(t));
  if (const auto rate = net.rate(t)) text += fmt::format(" rate {}", *rate);
  const char* separator = " inhibit ";
  for (const Arc& arc : net.inhibitors(t)) {
    text += separator + text_of_name(net.name(arc.place));
    if (arc.weight != 1) text += fmt::format(" < {}", arc.weight);
    separator = ", ";
  }
  if (const Expression* guard = net.guard(t)) text += " when " + text_of(*guard, net);
  return fmt::format("{} : {} -> {};\n", text, side_text(net, net.pre(t)), side_text(net, net.post(t)));
}

}  // namespace

Needs spn_needs() {
  return {allowed_name};
}

std::string spn_text(const Net& net, const Model& model, std::span<const Property> properties) {
  std::string text;
  for (const Place p : FirstIds<Place>(net.place_count())) {
    const Tokens tokens = net.initial()[index(p)];
    text += "place " + text_of_name(net.name(p)) + (tokens == 0 ? ";\n" : fmt::format(" init {};\n", tokens));
  }
  text += '\n';
  for (const Transition t : FirstIds<Transition>(net.transition_count())) text += transition_text(net, t);
  text += '\n';
  for (const Definition& definition : model.definitions)
    text += fmt::format("let {} = {};\n", text_of_name(definition.name),
                        definition.is_number ? text_of(definition.number, net) : text_of(definition.formula, net));
  for (const Property& property : properties) {
    const std::string question = property.is_upper_bound ? fmt::format("bound({})", text_of(property.bound_of, net))
                                                         : text_of(property.formula, net);
    text += fmt::format("check {} : {};\n", text_of_name(property.id), question);
  }
  return text;
}

}  // namespace dcheck::write
