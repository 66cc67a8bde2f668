#include "comm/transport/turns.hpp"

#include <pthread.h>
#include <sched.h>

#include <thread>

namespace dcheck {

namespace {

/// Only one thread runs at a time: handing over is several times faster on one core than across cores.
void stay_on_core(int core) {
  if (core < 0) return;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<unsigned>(core), &cores);
  pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

}  // namespace

void Turns::run(Member first, const std::function<void(Member)>& life,
                const std::function<Member(Member)>& next_after) {
  _turn = first;
  const int core = sched_getcpu();
  std::vector<std::thread> threads;
  for (Member me = 0; me < _members.size(); ++me)
    threads.emplace_back([&, me] {
      stay_on_core(core);
      live(me, life);
      pass(next_after(me));
    });
  for (std::thread& thread : threads) thread.join();
  if (_failure) std::rethrow_exception(_failure);
}

void Turns::live(Member me, const std::function<void(Member)>& life) {
  try {
    wait(me);
    life(me);
  } catch (const Unwind&) {
  } catch (...) {
    const std::lock_guard lock(_mutex);
    if (!_failure) _failure = std::current_exception();
  }
}

void Turns::hand_over(Member me, Member to) {
  if (to == me) return;
  pass(to);
  wait(me);
}

void Turns::pass(Member to) {
  const std::lock_guard lock(_mutex);
  _turn = to;
  if (to < _members.size()) _members[to].notify_one();
}

void Turns::wait(Member me) {
  std::unique_lock lock(_mutex);
  _members[me].wait(lock, [&] { return _turn == me; });
  if (_failure) throw Unwind{};
}

}  // namespace dcheck
