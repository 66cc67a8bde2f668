#include "fuzz/entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "dcheck/base/error.hpp"
#include "dcheck/ctl/text.hpp"
#include "dcheck/parse/formula.hpp"
#include "dcheck/parse/model.hpp"
#include "dcheck/write/write_model.hpp"
#include "support/net_text.hpp"
#include "support/xml_rewriting.hpp"

namespace dcheck::fuzz {
namespace {

/// Nets of more places are read and left at that, so that an input stays a matter of milliseconds.
constexpr std::size_t small_net = 1000;

void require(bool holds, const std::string& what) {
  if (!holds) throw FuzzFailure(what);
}

void require_well_said(const InputError& error, const std::string& source) {
  const std::string line = error.what();
  require(line.rfind(source + ":", 0) == 0, "a refusal that does not name the source: " + line);
  require(line.find('\n') == std::string::npos, "a refusal of several lines: " + line);
  require(line.size() < 1000, "a refusal that is too long: " + line);
  const std::string& excerpt = error.excerpt();
  require(excerpt.size() < 1000, "an excerpt that is too long: " + excerpt);
  require(std::count(excerpt.begin(), excerpt.end(), '\n') <= 1, "an excerpt of more than two lines: " + excerpt);
}

/// What read() gives; nothing where it refuses the text.
template <typename Read>
auto read_or_refused(const std::string& source, Read&& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const InputError& error) {
    require_well_said(error, source);
    return std::nullopt;
  }
}

std::string text_of(const Property& property, const Net& net) {
  if (property.is_upper_bound) return fmt::format("bound({})", dcheck::text_of(property.bound_of, net));
  return dcheck::text_of(property.formula, net);
}

/// Formulas that a reader has made can be written by the writer and read again, with the same meaning. Texts nest less
/// deeply than what loops, definitions and XML may make; then the reader says so.
void require_same_when_read_again(const Property& property, const Model& model) {
  const std::string text = text_of(property, model.net);
  try {
    const Property again = parse_property(text, property.id, model);
    require(again.is_upper_bound == property.is_upper_bound, "another kind of property: " + text);
    require(again.formula == property.formula && again.bound_of == property.bound_of, "another meaning: " + text);
  } catch (const InputError& error) {
    const std::string_view line = error.what();
    require(line.find("nested too deeply") != std::string_view::npos ||
                line.find("text is too long") != std::string_view::npos,
            fmt::format("not read again: {}: {}", line, text));
  }
}

std::vector<std::string> texts_of(const std::vector<Property>& properties, const Net& net) {
  std::vector<std::string> texts;
  for (const Property& property : properties) texts.push_back(property.id + ": " + text_of(property, net));
  return texts;
}

/// Rewritten a few times, each time in another way, but always the same for the same text.
void for_each_rewriting(std::string_view xml, const std::function<void(const std::string&)>& visit) {
  std::mt19937 random(static_cast<std::uint32_t>(xml.size()));
  for (int round = 0; round < 3; ++round) visit(test::rewritten(xml, random));
}

/// What is written can be read, and is the same net. Our own texts have limits of their own, of which the reader tells.
void require_same_when_written(const Model& model, ModelFormat format, Model (*read)(std::string_view)) {
  if (model.net.place_count() > small_net || model.net.transition_count() > small_net) return;
  std::string text;
  try {
    text = written(model, model.checks, format).text;
  } catch (const InputError&) {
    return;  // the format cannot say it
  }
  try {
    const Model again = read(text);
    require(test::shape_of(again.net) == test::shape_of(model.net), "another net when it is read again: " + text);
    require(again.checks.size() == model.checks.size() || format != ModelFormat::spn, "other properties: " + text);
  } catch (const InputError& error) {
    const std::string_view line = error.what();
    require(line.find("nested too deeply") != std::string_view::npos || line.find("too long") != std::string_view::npos,
            fmt::format("not read again: {}: {}", line, text));
  }
}

Model read_again_as_spn(std::string_view text) {
  return parse_spn(text, "again.spn", {});
}

/// A reader of another tool's nets.
void read_other(std::string_view text, Model (*read)(std::string_view text), const std::string& source,
                ModelFormat format) {
  const auto model = read_or_refused(source, [&] { return read(text); });
  if (!model) return;
  require_same_when_written(*model, ModelFormat::spn, read_again_as_spn);
  if (format != ModelFormat::ndr) require_same_when_written(*model, format, read);
}

}  // namespace

const Model& model_with_all_names() {
  static const Model model = parse_spn(R"(
    param N = 3;
    place p init 1, q, "odd name", r[1..N] init 1, s[1..2, 0..1], "in", x.y, bound;
    trans t : p -> q;
    trans u when p + q < 2 : q -> p;
    trans v[i in 1..N] inhibit q : r[i] -> s[1, i % 2];
    let busy = p + q >= 1;
    let load = sum i in 1..N : r[i];
    let free[i in 1..N] = r[i] == 0 && EF deadlock;)",
                                       "m.spn", {});
  return model;
}

void read_pnml(std::string_view text) {
  const std::string source = "m.pnml";
  const auto model = read_or_refused(source, [&] { return parse_pnml(text, source); });
  if (!model || model->net.place_count() > small_net) return;
  const std::string net = test::text_of(model->net);
  for_each_rewriting(text, [&](const std::string& other) {
    const auto again = read_or_refused(source, [&] { return parse_pnml(other, source); });
    require(again && test::text_of(again->net) == net, "written differently it is another net: " + other);
  });
  const Model ordered = in_structural_order(*model);
  for (std::size_t i = 0; i < ordered.net.place_count(); ++i) {
    const auto place = static_cast<Place>(i);
    const auto before = model->net.find_place(ordered.net.name(place));
    require(before && model->net.initial()[index(*before)] == ordered.net.initial()[i], "the order changed the net");
  }
}

void read_coloured(std::string_view text) {
  read_pnml(text);
  const std::string source = "m.pnml";
  const auto model = read_or_refused(source, [&] { return parse_pnml(text, source); });
  if (!model || model->net.place_count() > small_net || model->net.transition_count() > small_net) return;
  const Net& net = model->net;
  if (net.place_families().count() == 0) return;  // not coloured after all
  for (std::size_t i = 0; i < net.place_count(); ++i)
    require(net.place_families().of(static_cast<Place>(i)).has_value(), "a place of no family");
  std::vector<Expression> sums;
  for (std::uint32_t i = 0; i < net.place_families().count(); ++i)
    for (const Place place : net.place_families().members(i)) sums.push_back(Expression::tokens_in(place));
  if (!sums.empty())
    require_same_when_read_again({"sum", {}, {}, true, Expression::of(Expression::Kind::add, std::move(sums))}, *model);
}

void read_spn(std::string_view text) {
  const std::string source = "m.spn";
  const auto model = read_or_refused(source, [&] { return parse_spn(text, source, {}); });
  if (!model || model->net.place_count() > small_net) return;
  for (const Property& property : model->checks) require_same_when_read_again(property, *model);
  for (const Definition& definition : model->definitions) {
    require_same_when_read_again({definition.name, {}, definition.formula, definition.is_number, definition.number},
                                 *model);
  }
}

void read_cspl(std::string_view text) {
  const auto model = read_or_refused("m.cspl", [&] { return parse_cspl(text, "m.cspl", {}); });
  if (model) require_same_when_written(*model, ModelFormat::spn, read_again_as_spn);
}

void read_tina(std::string_view text) {
  read_other(
      text, [](std::string_view one) { return parse_tina(one, "m.net"); }, "m.net", ModelFormat::tina);
}

void read_ndr(std::string_view text) {
  read_other(
      text, [](std::string_view one) { return parse_ndr(one, "m.ndr"); }, "m.ndr", ModelFormat::ndr);
}

void read_lola(std::string_view text) {
  read_other(
      text, [](std::string_view one) { return parse_lola(one, "m.lola"); }, "m.lola", ModelFormat::lola);
}

void read_formulas_as_text(std::string_view text) {
  const Model& model = model_with_all_names();
  const auto property = read_or_refused("ctl-1", [&] { return parse_property(text, "ctl-1", model); });
  if (property) require_same_when_read_again(*property, model);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '<') return;
  const auto list = read_or_refused("f.ctl", [&] { return parse_formulas(text, "f.ctl", model); });
  if (!list) return;
  for (const Property& listed : *list) require_same_when_read_again(listed, model);
}

void read_mcc_xml(std::string_view text) {
  const Model& model = model_with_all_names();
  const auto read = [&](std::string_view xml) {
    return read_or_refused("f.xml", [&] { return parse_formulas(xml, "f.xml", model); });
  };
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '<') return;
  const auto properties = read(text);
  if (!properties) return;
  for (const Property& property : *properties) require_same_when_read_again(property, model);
  for_each_rewriting(text, [&](const std::string& other) {
    const auto again = read(other);
    require(again && texts_of(*again, model.net) == texts_of(*properties, model.net),
            "written differently it has other formulas: " + other);
  });
}

}  // namespace dcheck::fuzz
