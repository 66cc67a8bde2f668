#pragma once
// Runs the built program as a user would, for tests that judge it from outside.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace dcheck::test {

struct Outcome {
  int exit_code = -1;  // 128 + signal where one ended it
  bool timed_out = false;
  double cpu_seconds = 0;  // of the processor: other work on the machine does not count
  std::string out, err;
};

/// Runs dcheck with these arguments; kills it after `seconds`. With `out_file`, stdout goes there, and nothing is
/// taken from it.
Outcome run_dcheck(const std::vector<std::string>& arguments, double seconds = 300, const std::string& out_file = "");

/// The same, and sends it a signal, once, as soon as `is_time` says so; it is given what is on stderr so far.
Outcome run_and_signal(const std::vector<std::string>& arguments, int signal,
                       const std::function<bool(const std::string&)>& is_time, double seconds = 300);

/// The arguments as one line, for failure messages.
std::string command_line(const std::vector<std::string>& arguments);

std::size_t count_lines(std::string_view text);

/// A model of ours, by its file name.
std::string model_path(const std::string& name);

/// Known answers of other people: $DCHECK_SHARED, or ../shared beside the project.
std::filesystem::path shared_dir();

/// A directory that is gone with the object.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  /// Writes a file in it and returns its path.
  std::string write(const std::string& name, std::string_view content) const;
  const std::filesystem::path& path() const { return _path; }

 private:
  std::filesystem::path _path;
};

}  // namespace dcheck::test
