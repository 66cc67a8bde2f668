#pragma once
// Who may call MPI now: the thread that computes, or the heart's. MPI is begun for one thread at a time.

#include <sched.h>

#include <atomic>
#include <chrono>
#include <mutex>

namespace dcheck {

/// A mutex that the heart gets as soon as it wants it: without that, a rank that does nothing but look for batches
/// would keep it for long where ranks outnumber cores, since it gives its core away inside MPI.
class MpiTurns {
 public:
  // For the thread that computes.
  void lock() {
    while (_is_wanted.load(std::memory_order_relaxed)) sched_yield();
    _mutex.lock();
  }
  void unlock() { _mutex.unlock(); }

  /// The heart's view of it.
  class Urgent {
   public:
    explicit Urgent(MpiTurns& turns) : _turns(turns) {}
    void lock() {
      _turns._is_wanted.store(true, std::memory_order_relaxed);
      _turns._mutex.lock();
      _turns._is_wanted.store(false, std::memory_order_relaxed);
    }
    template <typename Rep, typename Period>
    bool try_lock_for(const std::chrono::duration<Rep, Period>& patience) {
      _turns._is_wanted.store(true, std::memory_order_relaxed);
      const bool is_locked = _turns._mutex.try_lock_for(patience);
      _turns._is_wanted.store(false, std::memory_order_relaxed);
      return is_locked;
    }
    void unlock() { _turns._mutex.unlock(); }

   private:
    MpiTurns& _turns;
  };

 private:
  std::timed_mutex _mutex;
  std::atomic<bool> _is_wanted = false;
};

}  // namespace dcheck
