#include "archive/new_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace fs = std::filesystem;

namespace {

std::string end_of_links(const std::string& name) {
  std::error_code error;
  const fs::path end = fs::is_symlink(name, error) ? fs::weakly_canonical(name, error) : fs::path(name);
  return error ? name : end.string();
}

/// Without this the new name may be gone after the machine has lost its power.
bool sync_directory_of(const fs::path& path) {
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_synced = fsync(descriptor) == 0 || errno == EINVAL;
  close(descriptor);
  return is_synced;
}

}  // namespace

// Always the same name: what a run that was killed has left is written over by the next one.
NewFile::NewFile(const std::string& name) : _target(end_of_links(name)), _path(_target + ".part") {}

NewFile::~NewFile() {
  if (!_is_published) unlink(_path.c_str());
}

void NewFile::publish() {
  errno = 0;
  if (std::rename(_path.c_str(), _target.c_str()) == 0) {
    _is_published = true;
    if (sync_directory_of(_target)) return;
  }
  throw ResourceError(fmt::format("'{}' could not be written: {}", _target, std::strerror(errno)));
}

}  // namespace dcheck
