#include "support/net_text.hpp"

#include <fmt/format.h>

#include "dcheck/ctl/text.hpp"

namespace dcheck::test {
namespace {

std::string text_of(std::span<const Arc> arcs) {
  std::string text;
  for (const Arc& arc : arcs) text += fmt::format(" {}*{}", arc.weight, index(arc.place));
  return text;
}

std::string text_of(const Net& net, Transition t) {
  return fmt::format("trans '{}' times {} rate {} takes{} gives{} inhibited{} when {}\n", net.name(t), net.bindings(t),
                     net.rate(t).value_or(0), text_of(net.pre(t)), text_of(net.post(t)), text_of(net.inhibitors(t)),
                     net.guard(t) == nullptr ? "" : dcheck::text_of(*net.guard(t), net));
}

std::string text_of(const Unit& unit) {
  std::string text = fmt::format("unit '{}' places", unit.name);
  for (const Place place : unit.places) text += fmt::format(" {}", index(place));
  text += " subunits";
  for (const std::uint32_t subunit : unit.subunits) text += fmt::format(" {}", subunit);
  return text + "\n";
}

}  // namespace

std::string text_of(const Net& net) {
  std::string text = fmt::format("net '{}'\n", net.name());
  for (std::size_t i = 0; i < net.place_count(); ++i) {
    const auto place = static_cast<Place>(i);
    text += fmt::format("place '{}' {} written {}\n", net.name(place), net.initial()[i], net.position(place));
  }
  for (std::size_t i = 0; i < net.transition_count(); ++i) text += text_of(net, static_cast<Transition>(i));
  for (const Unit& unit : net.units()) text += text_of(unit);
  return text + (net.units_claim_safe() ? "safe\n" : "");
}

std::string shape_of(const Net& net) {
  std::string shape;
  for (const Tokens tokens : net.initial()) shape += fmt::format("{} ", tokens);
  for (const Transition t : FirstIds<Transition>(net.transition_count()))
    for (const auto& arcs : {net.pre(t), net.post(t), net.inhibitors(t)}) shape += ";" + text_of(arcs);
  return shape;
}

}  // namespace dcheck::test
