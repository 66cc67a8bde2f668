// read_model: from a path to a model, by the ending of its name or by what is in it.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "dcheck/base/error.hpp"
#include "dcheck/parse/model.hpp"
#include "parse/input_file.hpp"
#include "parse/parameters.hpp"

namespace dcheck {
namespace {

struct Ending {
  std::string_view text;
  ModelFormat format;
};
constexpr std::array<Ending, 7> endings{{{".spn", ModelFormat::spn},
                                         {".pnml", ModelFormat::pnml},
                                         {".cspl", ModelFormat::cspl},
                                         {".c", ModelFormat::cspl},
                                         {".net", ModelFormat::tina},
                                         {".ndr", ModelFormat::ndr},
                                         {".lola", ModelFormat::lola}}};

/// By the ending of the name; none where there is none, or where the file is a stream: /dev/fd/63, /dev/stdin.
std::optional<ModelFormat> format_of_name(const std::string& path) {
  if (const auto format = format_of_ending(path)) return format;
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending.empty() || parse::is_stream(path)) return std::nullopt;
  throw InputError(path, {},
                   fmt::format("unknown kind of model '{}': expected {}, or --format", ending, all_endings()));
}

}  // namespace

std::optional<ModelFormat> format_of_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto found = std::ranges::find(endings, ending, &Ending::text);
  return found == endings.end() ? std::nullopt : std::optional(found->format);
}

std::string all_endings() {
  std::string all;
  for (const Ending& ending : endings)
    all += fmt::format("{}{}", all.empty() ? "" : &ending == &endings.back() ? " or " : ", ", ending.text);
  return all;
}

Model read_model(const std::string& path, const ParameterTexts& parameters, std::optional<ModelFormat> format) {
  parse::require_readable(path, "a model, such as .spn or .pnml");
  if (!format) format = format_of_name(path);
  const std::string bytes = parse::bytes_of(path, "a model");
  if (!format) format = parse::looks_like_xml(bytes) ? ModelFormat::pnml : ModelFormat::spn;
  const std::string name = parse::source_name(path);
  if (format == ModelFormat::spn) return parse_spn(bytes, name, parameters);
  if (format == ModelFormat::cspl) return parse_cspl(bytes, name, parameters);
  const parse::GivenParameters none_is_declared(parameters, {});
  switch (*format) {
    case ModelFormat::tina:
      return parse_tina(bytes, name);
    case ModelFormat::ndr:
      return parse_ndr(bytes, name);
    case ModelFormat::lola:
      return parse_lola(bytes, name);
    default:
      return parse_pnml(bytes, name);
  }
}

Model in_structural_order(Model model) {
  const Renumbering numbers = structural_order(model.net);
  model.net = renumbered(model.net, numbers);
  for (Definition& definition : model.definitions) {
    renumber(definition.number, numbers);
    renumber(definition.formula, numbers);
  }
  for (Property& check : model.checks) {
    renumber(check.formula, numbers);
    renumber(check.bound_of, numbers);
  }
  return model;
}

}  // namespace dcheck
