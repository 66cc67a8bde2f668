// read_model: from a path to a model, by the ending of its name.

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

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".spn" || extension == ".pnml") return extension;
  throw InputError(path, {}, fmt::format("unknown kind of model '{}': expected .spn or .pnml", extension));
}

}  // namespace

Model read_model(const std::string& path, const ParameterTexts& parameters) {
  parse::require_regular_file(path, "a .spn or .pnml model");
  const std::string extension = extension_of(path);
  const std::string bytes = parse::bytes_of(path, "a model");
  if (extension == ".spn") return parse_spn(bytes, path, parameters);
  const parse::GivenParameters none_is_declared(parameters, {});
  return parse_pnml(bytes, path);
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
