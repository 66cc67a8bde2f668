#pragma once
// The seal of a file: checksums of all its bytes, behind them. It is looked at before anybody reads anything out of the
// file, so that a file that was cut short, or in which a single bit has changed, is never taken for what it was.
//
//   the file's own bytes | checksum of each MiB of them | how many bytes they are | checksum of all checksums | magic
//
// Programs that read HDF5 take no notice of what stands behind the end of the HDF5 file.

#include <cstdint>
#include <string>

namespace dcheck {

/// Adds the seal to a file that has none, and waits until all of it is on the disk. Throws ResourceError.
void seal_file(const std::string& path);

/// Throws InputError, one line that begins with the path, where the file is not as it was when it was sealed.
void expect_sealed(const std::string& path);

}  // namespace dcheck
