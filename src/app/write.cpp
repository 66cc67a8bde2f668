#include "app/write.hpp"

#include <fmt/format.h>

#include "app/output_file.hpp"
#include "app/run.hpp"
#include "dcheck/base/error.hpp"
#include "dcheck/write/write_model.hpp"

namespace dcheck {
namespace {

std::string summary(const std::string& file, const WrittenModel& model) {
  std::string line =
      fmt::format("{}: {} places, {} transitions, {} arcs", file, model.places, model.transitions, model.arcs);
  if (!model.left_out.empty()) line += fmt::format("; left out: {}", fmt::join(model.left_out, ", "));
  if (model.changed_names != 0)
    line += fmt::format("; {} {} changed", model.changed_names, model.changed_names == 1 ? "name" : "names");
  return line + "\n";
}

}  // namespace

std::string write_model(const Options& options) {
  const auto format = format_of_ending(options.write);
  if (!format || *format == ModelFormat::cspl || *format == ModelFormat::ndr)
    throw InputError(
        fmt::format("dcheck: --write: '{}': expected a name that ends in .spn, .pnml, .net or .lola", options.write));
  const Model model = read_model(options.model, options.parameters, options.format);
  const std::vector<Property> properties = properties_asked(options, model);
  std::vector<std::string> inputs = options.formula_files;
  inputs.push_back(options.model);
  OutputFile file("--write", options.write, inputs);
  try {
    const WrittenModel result = written(model, properties, *format);
    file.write(result.text);
    return summary(options.write, result);
  } catch (const InputError& error) {
    throw InputError(fmt::format("dcheck: --write {}: {}", options.write, error.what()));
  }
}

}  // namespace dcheck
