#include "dcheck/comm/transport/loopback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "comm/transport/turns.hpp"

namespace dcheck {

namespace {

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

/// All that the ranks share. Only the rank whose turn it is touches it.
class Network {
 public:
  explicit Network(const LoopbackOptions& options)
      : _options(options),
        _random(options.seed),
        _temper(_random),
        _ranks(static_cast<std::size_t>(options.ranks)),
        _turns(_ranks.size()) {
    for (Member& rank : _ranks) {
      rank.weight = percent(_temper.slow_rank_percent) ? 1 : 100;
      rank.from.resize(_ranks.size());
      for (std::size_t i = 0; i < _ranks.size(); ++i)
        rank.slowness.push_back(percent(_temper.slow_pair_percent) ? 100 : 1);
    }
  }

  int size() const { return _options.ranks; }
  std::uint64_t now() const { return _now; }

  /// Runs all ranks until they have ended.
  void run(const std::function<void(std::size_t)>& program) {
    _turns.run(choose(), program, [&](std::size_t ended) {
      _ranks[ended].has_ended = true;
      return choose();
    });
    for (const Member& rank : _ranks)
      if (rank.unfinished != 0) throw LoopbackError("batches that nobody received: " + describe());
  }

  void step(std::size_t me) {
    if (++_steps > _options.max_steps)
      throw LoopbackError(fmt::format("no end after {} steps; {}", _steps, describe()));
    _now += below(20'000);
    if (!_ranks[me].is_idle && percent(_temper.stay_percent)) return;
    _turns.hand_over(me, choose());
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

 private:
  struct Parcel {
    Batch batch;
    std::uint64_t due;
  };
  struct Member {
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
  Turns _turns;
};

class LoopbackTransport final : public Transport {
 public:
  LoopbackTransport(Network& network, Rank rank)
      : Transport(rank, network.size(), network.size(), network.size()), _network(network), _me(index(rank)) {}

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

void run_loopback(const LoopbackOptions& options, const std::function<void(Transport&)>& program) {
  if (options.ranks < 1) throw std::logic_error("a cluster has at least one rank");
  Network network(options);
  network.run([&](std::size_t rank) {
    LoopbackTransport transport(network, static_cast<Rank>(rank));
    program(transport);
  });
}

}  // namespace dcheck
