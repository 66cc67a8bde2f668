#include "comm/reaper.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace dcheck {

namespace {

struct Process {
  std::string name;
  int parent = 0;
};

/// None where it does not exist any more.
std::optional<Process> look_up(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  // "123 (name) S 1 ...", and a name may hold anything.
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 4 >= text.size()) return std::nullopt;
  return Process{text.substr(open + 1, close - open - 1), std::atoi(text.c_str() + close + 4)};
}

/// A number that stands for this very process, also when its id has been given to another; -1 where there is none.
int handle_of(int process) {
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

bool has_ended(int handle, int patience_ms) {
  pollfd wanted{handle, POLLIN, 0};
  return poll(&wanted, 1, patience_ms) > 0;
}

int launcher_handle() {
  const std::optional<int> process = launcher_process();
  return process ? handle_of(*process) : -1;
}

void end(int handle) {
  syscall(SYS_pidfd_send_signal, handle, SIGKILL, nullptr, 0);
}

/// In the child of a process with threads: system calls only.
[[noreturn]] void reap(int launcher, int rank, int patience_ms) {
  // mpirun kills the group of a rank, and waits until nobody holds its pipes.
  setpgid(0, 0);
  for (int file = 0; file < 3; ++file) close(file);
  launcher = launcher < 0 ? -1 : dup2(launcher, 0);
  rank = dup2(rank, 1);
  syscall(SYS_close_range, 2U, ~0U, 0U);
  // Without a launcher this just waits. One that is asked to end instead does not, or crashes.
  const bool is_over = has_ended(launcher, patience_ms);
  if (!is_over) end(launcher);
  if (!has_ended(rank, is_over ? patience_ms : 0)) end(rank);
  _exit(0);
}

}  // namespace

std::optional<int> launcher_process() {
  constexpr std::array<std::string_view, 6> names = {"mpirun", "mpiexec", "orterun", "orted", "prterun", "prted"};
  constexpr int most_wrappers = 8;
  int process = getppid();
  for (int i = 0; i < most_wrappers && process > 1; ++i) {
    const std::optional<Process> found = look_up(process);
    if (!found) return std::nullopt;
    if (std::find(names.begin(), names.end(), found->name) != names.end()) return process;
    process = found->parent;
  }
  return std::nullopt;
}

bool leave_reaper(double patience_seconds) {
  static std::atomic_flag is_there;
  if (is_there.test_and_set()) return true;
  const int launcher = launcher_handle(), rank = handle_of(getpid());
  const int patience_ms = static_cast<int>(patience_seconds * 1000);
  const pid_t child = fork();
  if (child == 0) reap(launcher, rank, patience_ms);
  return child > 0;
}

void end_launcher_and_self(int exit_code) {
  end(launcher_handle());
  std::_Exit(exit_code);
}

}  // namespace dcheck
