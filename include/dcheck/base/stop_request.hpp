#pragma once
// Somebody outside wants the run to stop, and says so by a signal: a person, a batch system. The program passes one
// such request along with the limits of a run; what takes long looks at it now and then and stops where it can be gone
// on from or reported about. Who installs handlers is the program's matter: a library never does.

#include <atomic>
#include <string>

namespace dcheck {

class StopRequest {
 public:
  /// The first signal stays. May be called by a signal handler, and from any thread.
  void ask(int signal) noexcept {
    int nobody = 0;
    _signal.compare_exchange_strong(nobody, signal, std::memory_order_relaxed);
  }
  /// 0: nobody has asked. Costs a load.
  int signal() const noexcept { return _signal.load(std::memory_order_relaxed); }

 private:
  static_assert(std::atomic<int>::is_always_lock_free);
  std::atomic<int> _signal = 0;
};

/// "SIGTERM".
std::string signal_name(int signal);
/// "stopped by SIGTERM": the reason for what is not known then.
std::string stopped_by(int signal);

}  // namespace dcheck
