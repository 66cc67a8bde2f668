#include "dcheck/comm/transport/virtual_time.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <limits>
#include <queue>

#include "comm/transport/batch_pool.hpp"
#include "comm/transport/turns.hpp"
#include "dcheck/base/page_array.hpp"
#include "dcheck/base/run_clock.hpp"
#include "dcheck/comm/transport/loopback.hpp"

namespace dcheck {

namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t step_ns = 1'000;  // of a clock that counts calls
// A rank that waits for a moment, not for a batch, sleeps in naps, longer ones the more there are in a row.
constexpr std::uint64_t nap_ns = 1'000'000, naps_of_one_length = 8, most_doublings = 7;
constexpr std::uint64_t work_ns = 1'000'000;               // a rank that runs for so long has something to do
constexpr std::uint64_t stillness_ns = 1'000'000'000'000;  // after so long nothing will come any more

std::uint64_t processor_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

/// All that the ranks share. Only the rank whose turn it is touches it.
class VirtualNetwork {
 public:
  explicit VirtualNetwork(const VirtualTimeOptions& options)
      : _options(options), _ranks(static_cast<std::size_t>(options.ranks)), _turns(_ranks.size()) {}

  int size() const { return _options.ranks; }

  std::vector<RankTimes> run(const std::function<void(std::size_t)>& program) {
    const auto life = [&](std::size_t me) {
      _ranks[me].resumed_at = processor_ns();
      program(me);
      charge(me);
    };
    _turns.run(0, life, [&](std::size_t ended) {
      _ranks[ended].state = State::ended;
      return behind_all();
    });
    std::vector<RankTimes> times;
    for (Member& rank : _ranks) {
      if (!rank.coming.empty()) throw LoopbackError("virtual time: batches that nobody received");
      rank.times.end = rank.clock;
      times.push_back(rank.times);
    }
    return times;
  }

  std::uint64_t now(std::size_t me) const {
    const Member& rank = _ranks[me];
    return rank.clock + (_options.clock == ClockKind::processor ? processor_ns() - rank.resumed_at : 0);
  }

  void send(std::size_t me, std::size_t to, Batch batch) {
    wait_until_behind(me);
    Member& sender = _ranks[me];
    Member& receiver = _ranks[to];
    sender.clock += _options.network.handling_ns;
    const std::uint64_t bytes = batch.wire_words() * 8;
    sender.link_free = std::max(sender.link_free, sender.clock) + bytes * 1'000 / _options.network.bytes_per_us;
    const std::uint64_t due = sender.link_free + _options.network.latency_ns;
    receiver.coming.push({due, _sent++, me, std::make_unique<Batch>(std::move(batch))});
    ++sender.unfinished;
    note_progress(sender);
    if (receiver.state == State::asleep) receiver.wakes_at = std::min(receiver.wakes_at, due);
    resume(me);
  }

  std::optional<Arrival> receive(std::size_t me) {
    wait_until_behind(me);
    Member& rank = _ranks[me];
    std::optional<Arrival> arrival;
    if (!rank.coming.empty() && rank.coming.top().due <= rank.clock) {
      const Parcel& parcel = rank.coming.top();
      rank.clock += _options.network.handling_ns;
      Member& sender = _ranks[parcel.from];
      --sender.unfinished;
      if (sender.state == State::asleep) sender.wakes_at = std::min(sender.wakes_at, rank.clock);
      arrival = Arrival{static_cast<Rank>(parcel.from), std::move(*parcel.batch)};
      rank.coming.pop();
      note_progress(rank);
    }
    resume(me);
    return arrival;
  }

  std::size_t unfinished(std::size_t me) {
    wait_until_behind(me);
    resume(me);
    return _ranks[me].unfinished;
  }

  void idle(std::size_t me) {
    charge(me);
    Member& rank = _ranks[me];
    if (rank.clock > _last_progress + stillness_ns) throw LoopbackError("virtual time: all ranks wait for each other");
    rank.state = State::asleep;
    const std::uint64_t nap = nap_ns << std::min(rank.naps++ / naps_of_one_length, most_doublings);
    const std::uint64_t due = rank.coming.empty() ? never : rank.coming.top().due;
    rank.wakes_at = std::max(rank.clock, std::min(due, rank.clock + nap));
    _turns.hand_over(me, behind_all());
    rank.state = State::awake;
    rank.times.idle += rank.wakes_at - rank.clock;
    rank.clock = rank.wakes_at;
    resume(me);
  }

 private:
  enum class State : std::uint8_t { awake, asleep, ended };
  struct Parcel {
    std::uint64_t due, number;  // numbered as they were sent
    std::size_t from;
    std::unique_ptr<Batch> batch;  // moved from at the top of the queue, which is const
    bool operator<(const Parcel& other) const { return due != other.due ? due > other.due : number > other.number; }
  };
  struct Member {
    State state = State::awake;
    std::uint64_t clock = 0;
    std::uint64_t wakes_at = 0;    // where asleep
    std::uint64_t resumed_at = 0;  // in processor time of its thread
    std::uint64_t link_free = 0;
    std::priority_queue<Parcel> coming;
    std::size_t unfinished = 0;
    std::uint64_t naps = 0;  // in a row
    RankTimes times;
  };

  /// The rank's program has run since it was resumed: that much is on its clock.
  void charge(std::size_t me) {
    Member& rank = _ranks[me];
    const std::uint64_t ran = _options.clock == ClockKind::processor ? processor_ns() - rank.resumed_at : step_ns;
    rank.clock += ran;
    rank.times.busy += ran;
    if (ran >= work_ns) note_progress(rank);
  }
  void resume(std::size_t me) { _ranks[me].resumed_at = processor_ns(); }

  /// So that nobody can still send what this rank should have got by now.
  void wait_until_behind(std::size_t me) {
    charge(me);
    _turns.hand_over(me, behind_all());
  }
  /// The rank that runs next: of the one that is behind all others in time.
  std::size_t behind_all() const {
    std::size_t next = _ranks.size();
    std::uint64_t least = never;
    for (std::size_t i = 0; i < _ranks.size(); ++i) {
      const Member& rank = _ranks[i];
      if (rank.state == State::ended) continue;
      const std::uint64_t time = rank.state == State::asleep ? rank.wakes_at : rank.clock;
      if (time < least) {
        least = time;
        next = i;
      }
    }
    return next;
  }
  void note_progress(Member& rank) {
    rank.naps = 0;
    _last_progress = std::max(_last_progress, rank.clock);
  }

  const VirtualTimeOptions _options;
  std::vector<Member> _ranks;
  Turns _turns;
  std::uint64_t _sent = 0;
  std::uint64_t _last_progress = 0;  // when anything was sent, received or worked at last
};

/// A rank's transport, and its clock for everything else that it measures.
class VirtualTransport final : public Transport, public RunClock::Source {
 public:
  VirtualTransport(VirtualNetwork& network, Rank rank)
      : Transport(rank, network.size(), network.size(), network.size()), _network(network), _me(index(rank)) {}

  void set_batch_words(std::size_t payload_words) override { _pool.set_usual(payload_words); }
  Batch take_batch(std::size_t payload_words) override { return _pool.take(payload_words); }
  void give_back(Batch batch) override { _pool.give_back(std::move(batch)); }

  void send(Rank to, Batch batch) override { _network.send(_me, index(to), std::move(batch)); }
  std::optional<Arrival> receive() override { return _network.receive(_me); }
  std::size_t unfinished() override { return _network.unfinished(_me); }
  void idle() override { _network.idle(_me); }
  std::uint64_t now() override { return _network.now(_me); }
  std::uint64_t now_ns() override { return now(); }
  [[noreturn]] void abort(const std::string& message, int exit_code) override {
    throw LoopbackError(fmt::format("rank {} aborts with {}: {}", _me, exit_code, message));
  }
  void set_closed() override {}

 private:
  VirtualNetwork& _network;
  std::size_t _me;
  BatchPool _pool;
};

}  // namespace

std::vector<RankTimes> run_in_virtual_time(const VirtualTimeOptions& options,
                                           const std::function<void(Transport&)>& program) {
  if (options.ranks < 1) throw std::logic_error("a cluster has at least one rank");
  share_address_space(options.ranks);
  VirtualNetwork network(options);
  return network.run([&](std::size_t rank) {
    VirtualTransport transport(network, static_cast<Rank>(rank));
    const RunClock::Replaced clock(transport);
    program(transport);
  });
}

}  // namespace dcheck
