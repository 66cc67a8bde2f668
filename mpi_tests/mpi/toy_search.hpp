#pragma once
// Engines in miniature: a forward search (idempotent records) and a countdown (records that count) over
// toy graphs, as one rank runs them. Tests run them in the loopback and under mpirun.

#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "dcheck/comm/exchange/exchange.hpp"
#include "mpi/toy_graph.hpp"

namespace dcheck::toy {

inline Rank owner(std::uint32_t row, int ranks) {
  return static_cast<Rank>((row * 2654435761U >> 8) % static_cast<unsigned>(ranks));
}

/// Options that make an exchange hard: from one record a buffer to all of them, from one batch under way.
inline ExchangeOptions random_options(std::mt19937_64& random) {
  ExchangeOptions options;
  options.buffer_bytes = std::size_t{8} << (random() % 12);
  options.flush_after_ms = random() % 3 == 0 ? 0 : random() % 50;
  options.cache_bytes = std::size_t{1} << (random() % 16);
  options.max_in_flight = random() % 4;
  return options;
}

class ForwardSearch {
 public:
  ForwardSearch(Cluster& cluster, Exchange& exchange, const Graph& graph, Merging merging = Merging::idempotent)
      : reached(graph.rows, graph.no_lanes()),
        _cluster(cluster),
        _exchange(exchange),
        _graph(graph),
        _merging(merging),
        _pending(graph.rows, graph.no_lanes()) {
    if (owns(0)) find(0, first_lane(graph));
  }

  Sets reached;                       // of the rows this rank owns
  std::uint64_t visits = 0;           // of rows
  std::function<void()> after_visit;  // may ask to stop, or fail

  /// One phase; goes on where the last one paused.
  void run_phase(std::uint32_t plan = 1) {
    _exchange.begin(_graph.shape, _merging, plan, [this](const Records& records) {
      for (std::size_t i = 0; i < records.count; ++i) find(_graph.row_of(records.key(i)), lanes_of(records.mask(i)));
    });
    while (!_exchange.is_over(_waiting.empty() || _exchange.stop() != Stop::none))
      for (int i = 0; i < 5 && !_waiting.empty() && _exchange.stop() == Stop::none; ++i) visit();
  }

  bool has_work() const { return !_waiting.empty(); }

 private:
  bool owns(std::uint32_t row) const { return owner(row, _cluster.size()) == _cluster.rank(); }
  Lanes lanes_of(const std::uint64_t* mask) const {
    return _graph.shape.mask_words == 0 ? Lanes{1} : Lanes(mask, mask + _graph.shape.mask_words);
  }

  void find(std::uint32_t row, const Lanes& lanes) {
    const Lanes fresh = add(reached[row], lanes);
    if (!any(fresh)) return;
    if (!any(_pending[row])) _waiting.push_back(row);
    add(_pending[row], fresh);
  }

  void visit() {
    const std::uint32_t row = _waiting.back();
    _waiting.pop_back();
    const Lanes lanes = std::exchange(_pending[row], _graph.no_lanes());
    for (const std::uint32_t i : _graph.arcs_from[row]) {
      const Arc& arc = _graph.arcs[i];
      const Lanes found = _graph.after(arc, lanes);
      if (!any(found)) continue;
      if (owns(arc.to))
        find(arc.to, found);
      else
        send(arc.to, found);
    }
    ++visits;
    if (after_visit) after_visit();
  }

  /// Through the code for known numbers of words where there is such code.
  void send(std::uint32_t row, const Lanes& lanes) {
    const Rank to = owner(row, _cluster.size());
    _graph.write_key(row, _exchange.record(to));
    if (_graph.shape.key_words == 1 && _graph.shape.mask_words == 0)
      _exchange.commit<1, 0>(to, row);
    else if (_graph.shape.key_words == 2 && _graph.shape.mask_words == 1)
      _exchange.commit<2, 1>(to, row, lanes.data());
    else
      _exchange.commit(to, row, lanes.data());
  }

  Cluster& _cluster;
  Exchange& _exchange;
  const Graph& _graph;
  Merging _merging;
  Sets _pending;
  std::vector<std::uint32_t> _waiting;
};

/// Every arc counts once: a state joins when all its arcs lead to states that joined.
class Countdown {
 public:
  Countdown(Cluster& cluster, Exchange& exchange, const Graph& graph, const Sets& goals)
      : joined(graph.rows, graph.no_lanes()), _cluster(cluster), _exchange(exchange), _graph(graph) {
    _open.resize(graph.rows);
    for (std::uint32_t row = 0; row < graph.rows; ++row) {
      if (owner(row, cluster.size()) != cluster.rank()) continue;
      _open[row].resize(graph.lane_words() * 64);
      for (const std::uint32_t i : graph.arcs_from[row])
        for_each_lane(graph.arcs[i].enabled, [&](std::size_t lane) { ++_open[row][lane]; });
      join(row, goals[row]);
    }
  }

  Sets joined;  // of the rows this rank owns

  void run_phase() {
    RecordShape shape = _graph.shape;
    shape.has_transition = true;
    _exchange.begin(shape, Merging::counting, 1, [this](const Records& records) {
      for (std::size_t i = 0; i < records.count; ++i) {
        const std::uint64_t* mask = records.mask(i);
        const std::size_t words = _graph.shape.mask_words;
        count_down(_graph.row_of(records.key(i)), words == 0 ? Lanes{1} : Lanes(mask, mask + words));
      }
    });
    while (!_exchange.is_over(_waiting.empty()))
      for (int i = 0; i < 5 && !_waiting.empty(); ++i) notify();
  }

 private:
  template <typename Visit>
  static void for_each_lane(const Lanes& lanes, Visit visit) {
    for (std::size_t lane = 0; lane < lanes.size() * 64; ++lane)
      if ((lanes[lane / 64] >> (lane % 64) & 1) != 0) visit(lane);
  }

  void join(std::uint32_t row, const Lanes& lanes) {
    const Lanes fresh = add(joined[row], lanes);
    if (any(fresh)) _waiting.emplace_back(row, fresh);
  }

  void count_down(std::uint32_t row, const Lanes& lanes) {
    Lanes done = _graph.no_lanes();
    for_each_lane(lanes, [&](std::size_t lane) {
      if (--_open[row][lane] == 0) done[lane / 64] |= std::uint64_t{1} << (lane % 64);
    });
    join(row, done);
  }

  void notify() {
    const auto [row, lanes] = _waiting.back();
    _waiting.pop_back();
    for (const std::uint32_t i : _graph.arcs_into[row]) {
      const std::uint32_t from = _graph.arcs[i].from;
      const Lanes notified = _graph.before(_graph.arcs[i], lanes);
      if (!any(notified)) continue;
      const Rank to = owner(from, _cluster.size());
      if (to == _cluster.rank()) {
        count_down(from, notified);
        continue;
      }
      _graph.write_key(from, _exchange.record(to));
      if (_graph.shape.key_words == 1 && _graph.shape.mask_words == 2)
        _exchange.commit<1, 2>(to, from, i, notified.data());
      else
        _exchange.commit(to, from, i, notified.data());
    }
  }

  Cluster& _cluster;
  Exchange& _exchange;
  const Graph& _graph;
  std::vector<std::vector<std::uint32_t>> _open;  // arcs that do not lead to joined states, by row and lane
  std::vector<std::pair<std::uint32_t, Lanes>> _waiting;
};

/// How many rows that this rank owns differ from what they should be.
inline std::size_t differences(const Cluster& cluster, const Sets& found, const Sets& expected) {
  std::size_t count = 0;
  for (std::uint32_t row = 0; row < expected.size(); ++row)
    if (owner(row, cluster.size()) == cluster.rank() && found[row] != expected[row]) ++count;
  return count;
}

}  // namespace dcheck::toy
