#pragma once
// The files of --export: whether they can be written is found out before exploring.

#include <memory>
#include <vector>

#include "app/export_options.hpp"
#include "app/output_file.hpp"
#include "dcheck/parse/model.hpp"

namespace dcheck {

class GraphFiles {
 public:
  /// Throws InputError where a file cannot be written. `inputs` as for OutputFile. The net of the model may move away;
  /// its definitions that are predicates become labels.
  GraphFiles(const ExportChoice& choice, const Model& model, const std::vector<std::string>& inputs);

  bool are_asked() const { return !_targets.empty(); }
  /// What cannot be written is a line on stderr, and does not keep the others from being written.
  /// Returns whether all were.
  bool write(const StateGraph& graph);

 private:
  struct Target {
    ExportFormat format;
    std::vector<std::unique_ptr<OutputFile>> files;  // one for each file of the format, in its order
  };
  std::vector<Target> _targets;
  std::vector<StateLabel> _labels;
};

}  // namespace dcheck
