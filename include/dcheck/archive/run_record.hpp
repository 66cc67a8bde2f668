#pragma once
// What a file of states says about the run that wrote it: which model, which questions, which program.

#include <string>
#include <utility>
#include <vector>

namespace dcheck {

/// Names and what they stand for, in an order of their own.
using NamedTexts = std::vector<std::pair<std::string, std::string>>;

struct RunRecord {
  std::string program = {};  // "dcheck 0.1.0"
  std::string command = {};  // the command line
  std::string host = {}, time = {};
  // The model, whole: the file is enough to go on.
  std::string model_name = {}, model_format = {}, model_text = {}, model_sha256 = {};
  NamedTexts parameters = {};  // -D
  /// What a run that goes on from a checkpoint must have in common with the one that wrote it: an option, or a property
  /// by its id, and its text.
  NamedTexts terms = {};
};

/// What a file is for.
enum class FileKind { save, checkpoint };

/// Reads a file's record. Throws InputError, one line, where it is damaged in any place, cannot be read, or is a file
/// of the other kind. Cost: one pass over the bytes of the file.
RunRecord read_run_record(const std::string& path, FileKind kind);

/// Throws InputError where a checkpoint is of another model, other parameters, other properties, or options that do not
/// go together: one line says which.
void expect_same_run(const std::string& path, const RunRecord& of_file, const RunRecord& now);

}  // namespace dcheck
