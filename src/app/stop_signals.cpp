#include "app/stop_signals.hpp"

#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>

#include "dcheck/base/error.hpp"

namespace dcheck {

namespace {

constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
constexpr std::int64_t same_signal_ns = 200'000'000;

enum class Mode : std::uint8_t { ask_silently, end_at_once, ask };

/// All that a handler can get at: it has no arguments.
struct Shared {
  StopRequest request;
  CheckpointWish checkpoint;
  std::atomic<Mode> mode = Mode::ask_silently;
  std::atomic<std::int64_t> first_ns = 0;  // when a signal came to this process first; 0: none has
};
static_assert(std::atomic<Mode>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free);

constinit Shared shared;

// From here on to install(): only what may be called in a handler.

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec + 1;
}

void write_all(const char* text) {
  const ssize_t ignored = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(ignored);
}

/// One line, on an empty one where a live line stands on the terminal.
void say(int signal, const char* what) {
  write_all(isatty(STDERR_FILENO) != 0 ? "\r\033[Kdcheck: " : "dcheck: ");
  write_all(signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP");
  write_all(what);
}

void handle_first(int signal) {
  const Mode mode = shared.mode.load();
  if (mode == Mode::end_at_once) {
    say(signal, ": stopped before anything was explored\n");
    _exit(128 + signal);
  }
  shared.request.ask(signal);
  if (mode == Mode::ask) say(signal, ": stopping; another signal ends the run at once\n");
}

void handle(int signal) {
  const int before = errno;
  const std::int64_t now = now_ns();
  std::int64_t first = 0;
  if (shared.first_ns.compare_exchange_strong(first, now)) {
    handle_first(signal);
  } else if (now - first > same_signal_ns) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  errno = before;
}

void wish_for_checkpoint(int) {
  shared.checkpoint.ask();
}

void install(int signal, void (*handler)(int)) {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  for (const int signal : signals) install(signal, handle);
  install(SIGUSR1, wish_for_checkpoint);
}

StopSignals::~StopSignals() {
  for (const int signal : signals) install(signal, SIG_DFL);
  install(SIGUSR1, SIG_IGN);  // somebody may still wish for a checkpoint
}

StopRequest& StopSignals::request() {
  return shared.request;
}

Wishes StopSignals::wishes() {
  return {&shared.request, &shared.checkpoint};
}

void StopSignals::end_at_once() {
  shared.mode = Mode::end_at_once;
  if (const int signal = request().signal()) throw ResourceError(stopped_by(signal), signal);
}

void StopSignals::ask_to_stop() {
  shared.mode = Mode::ask;
}

}  // namespace dcheck
