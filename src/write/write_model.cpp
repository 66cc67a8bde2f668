#include "dcheck/write/write_model.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "write/writers.hpp"

namespace dcheck {

namespace write {

std::string without_brackets(const std::string& name) {
  if (!name.ends_with(']')) return name;
  std::string result;
  for (const char c : name)
    if (c != ' ' && c != ']') result += c == '[' || c == ',' ? '_' : c;
  return result;
}

namespace {

Needs needs_of(ModelFormat format) {
  switch (format) {
    case ModelFormat::spn:
      return spn_needs();
    case ModelFormat::pnml:
      return pnml_needs();
    case ModelFormat::tina:
      return tina_needs();
    case ModelFormat::lola:
      return lola_needs();
    default:
      throw std::logic_error("a format that is only read");
  }
}

std::string text_in(ModelFormat format, const Net& net, const Model& model, std::span<const Property> properties) {
  switch (format) {
    case ModelFormat::spn:
      return spn_text(net, model, properties);
    case ModelFormat::pnml:
      return pnml_text(net, model.net);
    case ModelFormat::tina:
      return tina_text(net);
    default:
      return lola_text(net);
  }
}

void count_arcs(const Net& net, WrittenModel& result) {
  for (const Transition t : FirstIds<Transition>(net.transition_count()))
    result.arcs += net.pre(t).size() + net.post(t).size() + net.inhibitors(t).size();
}

void leave_out(std::size_t count, const char* one, const char* many, WrittenModel& result) {
  if (count != 0) result.left_out.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
}

}  // namespace
}  // namespace write

WrittenModel written(const Model& model, std::span<const Property> properties, ModelFormat format) {
  using namespace write;
  const AdaptedNet adapted_net = adapted(model.net, needs_of(format));
  const Net& net = adapted_net.net;
  WrittenModel result{.text = text_in(format, net, model, properties),
                      .places = net.place_count(),
                      .transitions = net.transition_count(),
                      .changed_names = adapted_net.changed_names,
                      .left_out = {}};
  count_arcs(net, result);
  std::size_t rates = 0;
  for (const Transition t : FirstIds<Transition>(net.transition_count())) rates += net.rate(t) ? 1 : 0;
  if (format != ModelFormat::spn) {
    leave_out(rates, "rate", "rates", result);
    leave_out(model.definitions.size(), "definition", "definitions", result);
    leave_out(properties.size(), "property", "properties", result);
  }
  if (format != ModelFormat::pnml) leave_out(net.units().size(), "NUPN unit", "NUPN units", result);
  return result;
}

}  // namespace dcheck
