// read_model: from a path to a model, by the ending of its name or by what is in it.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "dcheck/base/error.hpp"
#include "dcheck/parse/model.hpp"
#include "parse/input_file.hpp"
#include "parse/parameters.hpp"

namespace dcheck {
namespace {

/// By the ending of the name; none where there is none, or where the file is a stream: /dev/fd/63, /dev/stdin.
std::optional<ModelFormat> format_of_name(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".spn") return ModelFormat::spn;
  if (extension == ".pnml") return ModelFormat::pnml;
  if (extension.empty() || parse::is_stream(path)) return std::nullopt;
  throw InputError(path, {}, fmt::format("unknown kind of model '{}': expected .spn or .pnml, or --format", extension));
}

}  // namespace

Model read_model(const std::string& path, const ParameterTexts& parameters, std::optional<ModelFormat> format) {
  parse::require_readable(path, "a .spn or .pnml model");
  if (!format) format = format_of_name(path);
  std::string bytes = parse::bytes_of(path, "a model");
  if (!format) format = parse::looks_like_xml(bytes) ? ModelFormat::pnml : ModelFormat::spn;
  return parse_model(std::move(bytes), parse::source_name(path), parameters, *format);
}

Model parse_model(std::string text, const std::string& file, const ParameterTexts& parameters, ModelFormat format) {
  Model model;
  if (format == ModelFormat::spn) {
    model = parse_spn(text, file, parameters);
  } else {
    const parse::GivenParameters none_is_declared(parameters, {});
    model = parse_pnml(text, file);
  }
  model.text = std::move(text);
  model.format = format;
  return model;
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
