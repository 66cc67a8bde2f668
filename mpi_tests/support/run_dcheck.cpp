#include "support/run_dcheck.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

#include "support/paths.hpp"

namespace dcheck::test {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// In the child: the streams go to files, so that no full pipe can ever block the program.
[[noreturn]] void become_dcheck(std::vector<std::string> words, const std::string& out, const std::string& err) {
  const int in_fd = open("/dev/null", O_RDONLY);
  const int out_fd = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_fd = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (in_fd < 0 || out_fd < 0 || err_fd < 0) _exit(126);
  dup2(in_fd, STDIN_FILENO);
  dup2(out_fd, STDOUT_FILENO);
  dup2(err_fd, STDERR_FILENO);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(argv.front(), argv.data());
  _exit(127);
}

/// Runs it with stdout in a file; look(child, what is on stderr) now and then, while it runs.
Outcome run_to_file(const std::vector<std::string>& arguments, double seconds, const std::string& out,
                    const std::function<void(pid_t, const std::filesystem::path&)>& look) {
  const TemporaryDirectory directory;
  const std::string err = directory.path() / "err";
  std::vector<std::string> words{binary_path()};
  words.insert(words.end(), arguments.begin(), arguments.end());

  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become_dcheck(std::move(words), out, err);

  Outcome run;
  int status = 0;
  rusage used{};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (wait4(child, &status, WNOHANG, &used) == 0) {
    if (!run.timed_out && std::chrono::steady_clock::now() > deadline) {
      run.timed_out = true;
      kill(child, SIGKILL);
    }
    look(child, err);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  run.err = content_of(err);
  return run;
}

}  // namespace

Outcome run_dcheck(const std::vector<std::string>& arguments, double seconds, const std::string& out_file) {
  const TemporaryDirectory directory;
  const std::string out = out_file.empty() ? (directory.path() / "out").string() : out_file;
  Outcome run = run_to_file(arguments, seconds, out, [](pid_t, const std::filesystem::path&) {});
  if (out_file.empty()) run.out = content_of(out);
  return run;
}

Outcome run_and_signal(const std::vector<std::string>& arguments, int signal,
                       const std::function<bool(const std::string&)>& is_time, double seconds) {
  const TemporaryDirectory directory;
  const std::string out = directory.path() / "out";
  bool is_sent = false;
  Outcome run = run_to_file(arguments, seconds, out, [&](pid_t child, const std::filesystem::path& err) {
    if (is_sent || !is_time(content_of(err))) return;
    is_sent = true;
    kill(child, signal);
  });
  run.out = content_of(out);
  return run;
}

std::string command_line(const std::vector<std::string>& arguments) {
  std::string line = "dcheck";
  for (const std::string& argument : arguments) line += " '" + argument.substr(0, 200) + "'";
  return line;
}

std::size_t count_lines(std::string_view text) {
  const auto ends = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  return ends + (text.empty() || text.back() == '\n' ? 0 : 1);
}

std::string model_path(const std::string& name) {
  return source_dir() + "/models/" + name;
}

std::filesystem::path shared_dir() {
  const char* given = std::getenv("DCHECK_SHARED");
  return given != nullptr ? std::filesystem::path(given) : std::filesystem::path(source_dir()) / ".." / "shared";
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = std::filesystem::temp_directory_path() / "dcheck-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary directory");
  _path = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(_path, ignored);
}

std::string TemporaryDirectory::write(const std::string& name, std::string_view content) const {
  const std::filesystem::path path = _path / name;
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
  return path;
}

}  // namespace dcheck::test
