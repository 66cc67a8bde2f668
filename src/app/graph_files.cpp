#include "app/graph_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

std::string path_of(const ExportTarget& target, const std::string& ending) {
  return ending.empty() ? target.path : std::filesystem::path(target.path).replace_extension("").string() + ending;
}

}  // namespace

GraphFiles::GraphFiles(const ExportChoice& choice, const Model& model, const std::vector<std::string>& inputs) {
  for (const Definition& definition : model.definitions)
    if (!definition.is_number && definition.formula.kind == Formula::Kind::atom)
      _labels.push_back({definition.name, definition.formula.predicate});
  for (const ExportTarget& target : choice.targets) {
    Target& made = _targets.emplace_back(Target{target.format, {}});
    for (const std::string& ending : export_endings(target.format))
      made.files.push_back(std::make_unique<OutputFile>("--export", path_of(target, ending), inputs));
  }
}

bool GraphFiles::write(const StateGraph& graph) {
  bool are_all_written = true;
  for (const Target& target : _targets) {
    const std::vector<ExportWriter> writers = export_writers(graph, target.format, _labels);
    try {
      for (std::size_t i = 0; i < writers.size(); ++i) target.files[i]->write(writers[i]);
    } catch (const ResourceError& error) {
      fmt::print(stderr, "dcheck: {}\n", error.what());
      are_all_written = false;
    }
  }
  return are_all_written;
}

}  // namespace dcheck
