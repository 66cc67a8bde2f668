#pragma once
// The record of a run in a file.

#include "archive/h5_file.hpp"
#include "dcheck/archive/run_record.hpp"

namespace dcheck {

void write_record(H5Writer& file, FileKind kind, const RunRecord& record);
/// Throws InputError where the file is of another kind or another format.
RunRecord read_record(const H5Reader& file, FileKind kind);

}  // namespace dcheck
