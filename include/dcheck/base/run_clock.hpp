#pragma once
// The clock of a run: what is reported, limited or waited for is measured by it. It is the machine's, unless this
// thread was given another one: a rank in virtual time has a clock of its own.

#include <chrono>
#include <cstdint>

namespace dcheck {

class RunClock {
 public:
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<RunClock>;
  static constexpr bool is_steady = true;

  /// Another clock. now() never goes back.
  class Source {
   public:
    virtual ~Source() = default;
    virtual std::uint64_t now_ns() = 0;
  };

  /// For as long as it lives, this thread's clock is the given one, which must live longer.
  class Replaced {
   public:
    explicit Replaced(Source& source) : _before(replacement) { replacement = &source; }
    ~Replaced() { replacement = _before; }
    Replaced(const Replaced&) = delete;
    Replaced& operator=(const Replaced&) = delete;

   private:
    Source* _before;
  };

  static time_point now() noexcept {
    if (replacement != nullptr) return time_point(duration(replacement->now_ns()));
    return time_point(std::chrono::duration_cast<duration>(std::chrono::steady_clock::now().time_since_epoch()));
  }

 private:
  static inline thread_local Source* replacement = nullptr;
};

}  // namespace dcheck
