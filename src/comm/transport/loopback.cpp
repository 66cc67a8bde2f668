#include "dcheck/comm/transport/loopback.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace dcheck {

namespace {

/// Unwinds the programs of the other ranks when one has failed. Not a std::exception, so that programs do
/// not take it for a failure of their own.
struct Unwind {};

/// What is hostile about this run, drawn from the seed once.
struct Temper {
  explicit Temper(std::mt19937_64& random) {
    stay_percent = 5 + random() % 90;
    hide_percent = random() % 60;
    delay_ns = std::uint64_t{1} << (random() % 24);
    slow_rank_percent = random() % 50;
    slow_pair_percent = random() % 50;
  }
  std::uint64_t stay_percent;       // of calls after which the same rank goes on
  std::uint64_t hide_percent;       // of calls of receive() that show nothing
  std::uint64_t delay_ns;           // of a batch, at most
  std::uint64_t slow_rank_percent;  // of ranks that run a hundredth as often
  std::uint64_t slow_pair_percent;  // of pairs whose batches take up to a hundred times longer
};

/// All that the ranks share. Only the rank whose turn it is touches anything but `_turn`.
class Network {
 public:
  explicit Network(const LoopbackOptions& options)
      : _options(options), _random(options.seed), _temper(_random), _ranks(static_cast<std::size_t>(options.ranks)) {
    for (Member& rank : _ranks) {
      rank.weight = percent(_temper.slow_rank_percent) ? 1 : 100;
      rank.from.resize(_ranks.size());
      for (std::size_t i = 0; i < _ranks.size(); ++i)
        rank.slowness.push_back(percent(_temper.slow_pair_percent) ? 100 : 1);
    }
    _turn = choose();
  }

  int size() const { return _options.ranks; }
  std::uint64_t now() const { return _now; }

  /// The life of one rank, in its own thread.
  void live(std::size_t me, const std::function<void()>& program) {
    try {
      wait_for_turn(me);
      program();
    } catch (const Unwind&) {
    } catch (...) {
      const std::lock_guard lock(_mutex);
      if (!_failure) _failure = std::current_exception();
    }
    end(me);
  }

  void step(std::size_t me) {
    if (++_steps > _options.max_steps)
      throw LoopbackError(fmt::format("no end after {} steps; {}", _steps, describe()));
    _now += below(20'000);
    if (!_ranks[me].is_idle && percent(_temper.stay_percent)) return;
    pass_turn(choose());
    wait_for_turn(me);
  }

  void send(std::size_t me, std::size_t to, Batch batch) {
    step(me);
    if (to == me || to >= _ranks.size()) throw std::logic_error("a batch was sent to no other rank");
    Member& receiver = _ranks[to];
    const std::uint64_t delay = below(_temper.delay_ns * receiver.slowness[me]);
    receiver.from[me].push_back({std::move(batch), _now + delay});
    ++_ranks[me].unfinished;
    note_progress(me);
  }

  std::optional<Arrival> receive(std::size_t me) {
    step(me);
    if (percent(_temper.hide_percent)) return std::nullopt;
    std::vector<std::size_t> senders;
    for (std::size_t i = 0; i < _ranks.size(); ++i)
      if (const auto& queue = _ranks[me].from[i]; !queue.empty() && queue.front().due <= _now) senders.push_back(i);
    if (senders.empty()) return std::nullopt;
    const std::size_t from = senders[below(senders.size())];
    Arrival arrival{static_cast<Rank>(from), std::move(_ranks[me].from[from].front().batch)};
    _ranks[me].from[from].pop_front();
    --_ranks[from].unfinished;
    note_progress(me);
    return arrival;
  }

  std::size_t unfinished(std::size_t me) {
    step(me);
    return _ranks[me].unfinished;
  }

  /// Where everybody has nothing to do, only time can help: a batch comes due, or a deadline passes. Where
  /// that does not help either, nothing will, also where batches are there that nobody takes.
  void idle(std::size_t me) {
    ++_ranks[me].idle_calls;
    _ranks[me].is_idle = true;
    if (is_stuck()) throw LoopbackError("deadlock: " + describe());
    if (std::all_of(_ranks.begin(), _ranks.end(), [](const Member& rank) { return rank.is_idle || rank.has_ended; })) {
      const std::optional<std::uint64_t> due = next_due();
      _now = due ? std::max(_now, *due) : _now + 1'000'000'000;
    }
    step(me);
  }

  /// After all threads have ended.
  void finish() {
    if (_failure) std::rethrow_exception(_failure);
    for (const Member& rank : _ranks)
      if (rank.unfinished != 0) throw LoopbackError("batches that nobody received: " + describe());
  }

 private:
  struct Parcel {
    Batch batch;
    std::uint64_t due;
  };
  struct Member {
    std::condition_variable turn;
    std::uint64_t weight = 1;
    std::vector<std::uint64_t> slowness;   // by sender
    std::vector<std::deque<Parcel>> from;  // by sender
    std::size_t unfinished = 0;
    std::uint64_t idle_calls = 0;  // since anybody sent or received anything
    bool is_idle = false;          // it sent and received nothing since it was
    bool has_ended = false;
  };

  std::uint64_t below(std::uint64_t limit) { return _random() % limit; }
  bool percent(std::uint64_t chance) { return below(100) < chance; }

  /// Ranks with nothing to do are rarely asked whether that has changed: it would take most of the time.
  std::uint64_t chance_of(const Member& rank) const {
    if (rank.has_ended) return 0;
    return !rank.is_idle || has_due(rank) ? 100 * rank.weight : rank.weight;
  }

  std::size_t choose() {
    std::uint64_t sum = 0;
    for (const Member& rank : _ranks) sum += chance_of(rank);
    if (sum == 0) return _ranks.size();
    std::uint64_t ticket = below(sum);
    for (std::size_t i = 0;; ++i) {
      const std::uint64_t chance = chance_of(_ranks[i]);
      if (ticket < chance) return i;
      ticket -= chance;
    }
  }

  bool has_due(const Member& rank) const {
    return std::any_of(rank.from.begin(), rank.from.end(),
                       [&](const auto& queue) { return !queue.empty() && queue.front().due <= _now; });
  }

  void pass_turn(std::size_t to) {
    const std::lock_guard lock(_mutex);
    _turn = to;
    if (to < _ranks.size()) _ranks[to].turn.notify_one();
  }

  void wait_for_turn(std::size_t me) {
    std::unique_lock lock(_mutex);
    _ranks[me].turn.wait(lock, [&] { return _turn == me; });
    if (_failure) throw Unwind{};
  }

  void end(std::size_t me) {
    _ranks[me].has_ended = true;
    pass_turn(choose());
  }

  void note_progress(std::size_t me) {
    for (Member& rank : _ranks) rank.idle_calls = 0;
    _ranks[me].is_idle = false;
  }

  bool is_stuck() const {
    return std::all_of(_ranks.begin(), _ranks.end(),
                       [](const Member& rank) { return rank.has_ended || rank.idle_calls >= 100; });
  }

  /// When the next batch may be delivered to a rank that has not ended; none where none is under way.
  std::optional<std::uint64_t> next_due() const {
    std::optional<std::uint64_t> due;
    for (const Member& rank : _ranks)
      for (const auto& queue : rank.from)
        if (!rank.has_ended && !queue.empty()) due = std::min(due.value_or(queue.front().due), queue.front().due);
    return due;
  }

  std::string describe() const {
    std::string text = fmt::format("seed {}, {} ranks", _options.seed, _ranks.size());
    for (std::size_t me = 0; me < _ranks.size(); ++me) {
      const Member& rank = _ranks[me];
      text += fmt::format("; rank {} {}, {} idle calls", me, rank.has_ended ? "has ended" : "runs", rank.idle_calls);
      for (std::size_t from = 0; from < _ranks.size(); ++from)
        if (!rank.from[from].empty()) text += fmt::format(", {} batches from rank {}", rank.from[from].size(), from);
    }
    return text;
  }

  const LoopbackOptions _options;
  std::mt19937_64 _random;
  const Temper _temper;
  std::vector<Member> _ranks;
  std::uint64_t _now = 0, _steps = 0;
  std::mutex _mutex;
  std::size_t _turn = 0;
  std::exception_ptr _failure;
};

class LoopbackTransport final : public Transport {
 public:
  LoopbackTransport(Network& network, Rank rank)
      : Transport(rank, network.size()), _network(network), _me(index(rank)) {}

  // Memory is never used twice: a sanitizer sees who touches a batch that is not his any more.
  void set_batch_words(std::size_t) override {}
  Batch take_batch(std::size_t payload_words) override { return Batch(payload_words); }
  void give_back(Batch) override {}

  void send(Rank to, Batch batch) override { _network.send(_me, index(to), std::move(batch)); }
  std::optional<Arrival> receive() override { return _network.receive(_me); }
  std::size_t unfinished() override { return _network.unfinished(_me); }
  void idle() override { _network.idle(_me); }
  std::uint64_t now() override { return _network.now(); }
  [[noreturn]] void abort(const std::string& message, int exit_code) override {
    throw LoopbackError(fmt::format("rank {} aborts with {}: {}", _me, exit_code, message));
  }
  void set_closed() override {}

 private:
  Network& _network;
  std::size_t _me;
};

}  // namespace

namespace {

/// Only one thread runs at a time: handing over is several times faster on one core than across cores.
void stay_on_core(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<unsigned>(core), &cores);
  pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

}  // namespace

void run_loopback(const LoopbackOptions& options, const std::function<void(Transport&)>& program) {
  if (options.ranks < 1) throw std::logic_error("a cluster has at least one rank");
  Network network(options);
  const int core = sched_getcpu();
  std::vector<std::thread> threads;
  for (const Rank rank : FirstIds<Rank>(static_cast<std::size_t>(options.ranks)))
    threads.emplace_back([&network, &program, rank, core] {
      if (core >= 0) stay_on_core(core);
      LoopbackTransport transport(network, rank);
      network.live(index(rank), [&] { program(transport); });
    });
  for (std::thread& thread : threads) thread.join();
  network.finish();
}

}  // namespace dcheck
