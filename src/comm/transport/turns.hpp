#pragma once
// The ranks of one process: each has a thread of its own, but only one of them runs at a time. Whoever has the turn
// says who gets it next; so nothing that the ranks share needs a lock.

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace dcheck {

class Turns {
 public:
  using Member = std::size_t;  // a rank; the number of ranks: nobody

  explicit Turns(std::size_t members) : _members(members) {}

  /// Runs life(member) for every member, beginning with `first`, and returns when all have ended. When one ends,
  /// next_after(member) says who goes on. The first exception that leaves a life ends all others and is thrown here.
  void run(Member first, const std::function<void(Member)>& life, const std::function<Member(Member)>& next_after);

  /// Called in a life: another goes on, until the turn comes back.
  void hand_over(Member me, Member to);

 private:
  /// Unwinds the others when one has failed. Not a std::exception, so that nobody takes it for a failure of his own.
  struct Unwind {};

  void live(Member me, const std::function<void(Member)>& life);
  void pass(Member to);
  void wait(Member me);

  std::vector<std::condition_variable> _members;
  std::mutex _mutex;
  Member _turn = 0;
  std::exception_ptr _failure;
};

}  // namespace dcheck
