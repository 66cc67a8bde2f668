#pragma once
// Somebody outside wants a checkpoint, and says so by a signal. The run need not stop for it (stop_request.hpp).

#include <atomic>

namespace dcheck {

class CheckpointWish {
 public:
  /// May be called by a signal handler, and from any thread.
  void ask() noexcept { _times.fetch_add(1, std::memory_order_relaxed); }
  /// How often somebody has asked.
  unsigned times() const noexcept { return _times.load(std::memory_order_relaxed); }

 private:
  static_assert(std::atomic<unsigned>::is_always_lock_free);
  std::atomic<unsigned> _times = 0;
};

}  // namespace dcheck
