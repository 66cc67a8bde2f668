#include "app/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <utility>

#include "dcheck/base/error.hpp"

namespace dcheck {
namespace {

namespace fs = std::filesystem;

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

fs::path directory_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The number in /dev/fd/3 or /proc/self/fd/3: opening such a name again would not go on where the descriptor is.
std::optional<int> descriptor_named(const fs::path& path) {
  std::error_code ignored;
  if (!fs::equivalent(directory_of(path), "/proc/self/fd", ignored)) return std::nullopt;
  const std::string digits = path.filename();
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(number) : std::nullopt;
}

/// Follows symbolic links to what need not exist yet, but not beyond the name of a descriptor of ours.
fs::path end_of_links(fs::path path) {
  constexpr int most_links = 40;
  std::error_code error;
  for (int i = 0; i < most_links && !descriptor_named(path); ++i) {
    if (!fs::is_symlink(fs::symlink_status(path, error))) break;
    const fs::path next = fs::read_symlink(path, error);
    if (error) break;
    path = next.is_absolute() ? next : directory_of(path) / next;
  }
  return path;
}

/// Zero, or the number of an error.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// Zero, or the number of an error.
int write_produced(int descriptor, const std::function<void(const OutputFile::Sink&)>& produce) {
  struct Failure {
    int error;
  };
  try {
    produce([descriptor](std::string_view piece) {
      if (const int error = write_all(descriptor, piece)) throw Failure{error};
    });
  } catch (const Failure& failure) {
    return failure.error;
  }
  return 0;
}

/// A new file beside `target`, open for writing, or an error number.
struct Beside {
  explicit Beside(const fs::path& target) {
    std::random_device random;
    do {
      path = directory_of(target) / fmt::format(".dcheck-{:08x}{:08x}.tmp", random(), random());
      descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EEXIST);
    if (descriptor < 0) error = errno;
  }
  ~Beside() {
    if (descriptor >= 0) close(descriptor);
    if (error == 0 && is_temporary) unlink(path.c_str());
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  /// All of the content is on the disk, or an error number is returned.
  int fill(const std::function<void(const OutputFile::Sink&)>& produce) {
    if (const int failed = write_produced(descriptor, produce)) return failed;
    if (fsync(descriptor) != 0) return errno;
    return close(std::exchange(descriptor, -1)) == 0 ? 0 : errno;
  }
  int take_place_of(const std::string& target) {
    if (std::rename(path.c_str(), target.c_str()) != 0) return errno;
    is_temporary = false;
    return 0;
  }

  fs::path path;
  int descriptor = -1, error = 0;
  bool is_temporary = true;
};

}  // namespace

OutputFile::OutputFile(std::string option, std::string name, std::span<const std::string> inputs)
    : _option(std::move(option)), _name(std::move(name)) {
  if (_name.empty()) throw InputError(fmt::format("dcheck: {}: the name of a file was expected, not ''", _option));
  _target = end_of_links(_name);
  struct stat there {};
  if (const auto own = descriptor_named(_target)) {
    const int flags = fcntl(*own, F_GETFL);
    if (flags < 0) refuse(std::strerror(errno));
    if ((flags & O_ACCMODE) == O_RDONLY) refuse("it is open for reading only");
    _descriptor = fcntl(*own, F_DUPFD_CLOEXEC, 0);
    _is_stdout = *own == STDOUT_FILENO;
  } else if (stat(_name.c_str(), &there) == 0) {
    take_existing(_target, inputs);
  } else if (errno != ENOENT) {
    refuse(std::strerror(errno));
  } else if (!fs::path(_target).has_filename()) {
    refuse("it names a directory");
  } else if (const int error = try_directory()) {
    refuse(std::strerror(error));
  }
}

OutputFile::~OutputFile() {
  if (_descriptor >= 0) close(_descriptor);
}

void OutputFile::refuse(const std::string& why) const {
  throw InputError(fmt::format("dcheck: {}: cannot write '{}': {}", _option, _name, why));
}

void OutputFile::take_existing(const std::string& target, std::span<const std::string> inputs) {
  struct stat there {
  }, other{};
  if (stat(target.c_str(), &there) != 0) refuse(std::strerror(errno));
  if (S_ISDIR(there.st_mode)) refuse("it is a directory");
  for (const std::string& input : inputs) {
    const bool is_known = (input == "-" ? fstat(STDIN_FILENO, &other) : stat(input.c_str(), &other)) == 0;
    if (is_known && S_ISREG(there.st_mode) && is_same(there, other))
      refuse(input == "-" ? "it is the file on stdin" : fmt::format("it is the input '{}'", input));
  }
  _is_stdout = fstat(STDOUT_FILENO, &other) == 0 && is_same(there, other);
  if (_is_stdout) {
    _descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    return;
  }
  if (S_ISREG(there.st_mode)) {
    if (faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) refuse(std::strerror(errno));
    if (try_directory() == 0) return;
    _is_truncated = true;
  }
  _descriptor = open(target.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (_descriptor < 0) refuse(std::strerror(errno));
}

int OutputFile::try_directory() const {
  return Beside(_target).error;
}

int OutputFile::replace(const Produce& produce) const {
  struct stat old {};
  const bool is_there = stat(_target.c_str(), &old) == 0;
  Beside beside(_target);
  if (beside.error != 0) return beside.error;
  if (is_there) {  // the owner as far as we may; it comes first, since it may take permissions away
    [[maybe_unused]] const int owner = fchown(beside.descriptor, old.st_uid, old.st_gid);
    if (fchmod(beside.descriptor, old.st_mode & 07777U) != 0) return errno;
  }
  if (const int error = beside.fill(produce)) return error;
  return beside.take_place_of(_target);
}

int OutputFile::write_in_place(int descriptor, const Produce& produce) {
  if (ftruncate(descriptor, 0) != 0) return errno;
  if (const int error = write_produced(descriptor, produce)) return error;
  return fsync(descriptor) == 0 ? 0 : errno;
}

void OutputFile::write(std::string_view content) {
  write([content](const Sink& sink) { sink(content); });
}

void OutputFile::write(const Produce& produce) {
  int error = 0;
  if (_is_truncated) {
    error = write_in_place(_descriptor, produce);
  } else if (_descriptor >= 0) {
    error = write_produced(_descriptor, produce);
  } else {
    error = replace(produce);
    // Another user's file in a directory such as /tmp, or a mount point.
    const bool cannot_be_replaced = error == EPERM || error == EACCES || error == EBUSY || error == EXDEV;
    if (cannot_be_replaced) _descriptor = open(_target.c_str(), O_WRONLY | O_CLOEXEC);
    if (_descriptor >= 0) error = write_in_place(_descriptor, produce);
  }
  if (error != 0)
    throw ResourceError(fmt::format("{}: '{}' could not be written: {}", _option, _name, std::strerror(error)));
}

}  // namespace dcheck
