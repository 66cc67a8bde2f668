#include "dcheck/owners/partition.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

namespace dcheck {

namespace {

/// Splits the classes of one part into two, in about a given ratio.
class Bisection {
 public:
  /// `part`: per class of the graph; those in part `here` are split.
  Bisection(const ClassGraph& graph, const std::vector<std::uint32_t>& part, std::uint32_t here,
            std::span<const std::uint32_t> classes, double first_share)
      : _graph(graph), _part(part), _here(here), _classes(classes), _is_first(graph.size()), _gain(graph.size()) {
    std::uint64_t total = 0;
    for (const std::uint32_t c : classes) {
      total += graph.weight[c];
      _heaviest = std::max(_heaviest, graph.weight[c]);
    }
    _wanted = static_cast<std::int64_t>(static_cast<double>(total) * first_share);
    _slack = static_cast<std::int64_t>(static_cast<double>(total) * 0.002);
  }

  /// Per class: whether it belongs to the first half.
  const std::vector<char>& split(Effort effort) {
    const int attempts = effort == Effort::full ? 3 : 1;
    _most_bad_moves = effort == Effort::full ? 200 : 40;
    std::vector<char> best;
    Balance best_balance;
    std::uint32_t seed = _classes[0];
    for (int attempt = 0; attempt < attempts; ++attempt) {
      seed = grow(seed);
      Balance now = balance();
      while (improve(now)) {
      }
      if (best.empty() || now < best_balance) {
        best = _is_first;
        best_balance = now;
      }
    }
    _is_first = std::move(best);
    return _is_first;
  }

 private:
  /// How good a split is: weights first, as far as they are out of the slack, then the cut.
  struct Balance {
    std::int64_t excess = std::numeric_limits<std::int64_t>::max();
    std::int64_t cut = 0;
    bool operator<(const Balance& other) const {
      return excess != other.excess ? excess < other.excess : cut < other.cut;
    }
  };
  struct Candidate {
    std::int64_t gain;
    std::uint32_t c;
    bool operator<(const Candidate& other) const { return gain != other.gain ? gain < other.gain : c > other.c; }
  };

  bool is_inside(std::uint32_t c) const { return _part[c] == _here; }
  std::int64_t excess_of(std::int64_t first_weight) const {
    return std::max<std::int64_t>(0, std::abs(first_weight - _wanted) - _slack);
  }

  /// What moving the class to the other side takes off the cut.
  void compute_gain(std::uint32_t c) {
    std::int64_t gain = 0;
    for (const ClassGraph::Edge& edge : _graph.edges_of(c))
      if (is_inside(edge.to)) gain += _is_first[edge.to] != _is_first[c] ? edge.weight : -std::int64_t{edge.weight};
    _gain[c] = gain;
  }

  Balance balance() {
    Balance now{0, 0};
    _first_weight = 0;
    for (const std::uint32_t c : _classes) {
      if (_is_first[c] != 0) _first_weight += static_cast<std::int64_t>(_graph.weight[c]);
      for (const ClassGraph::Edge& edge : _graph.edges_of(c))
        if (edge.to > c && is_inside(edge.to) && _is_first[edge.to] != _is_first[c]) now.cut += edge.weight;
    }
    now.excess = excess_of(_first_weight);
    return now;
  }

  /// The first half grows around the seed. Returns the class that was reached last: a good seed for the next attempt.
  std::uint32_t grow(std::uint32_t seed) {
    for (const std::uint32_t c : _classes) _is_first[c] = 0;
    for (const std::uint32_t c : _classes) compute_gain(c);
    std::priority_queue<Candidate> border;
    border.push({0, seed});
    std::size_t next = 0;
    std::uint32_t last = seed;
    for (std::int64_t weight = 0; weight < _wanted;) {
      while (border.empty() && next < _classes.size()) {
        if (_is_first[_classes[next]] == 0) border.push({0, _classes[next]});
        ++next;
      }
      if (border.empty()) break;
      const std::uint32_t c = border.top().c;
      border.pop();
      if (_is_first[c] != 0) continue;
      _is_first[c] = 1;
      last = c;
      weight += static_cast<std::int64_t>(_graph.weight[c]);
      for (const ClassGraph::Edge& edge : _graph.edges_of(c)) {
        if (!is_inside(edge.to) || _is_first[edge.to] != 0) continue;
        _gain[edge.to] += 2 * std::int64_t{edge.weight};
        border.push({_gain[edge.to], edge.to});
      }
    }
    return last;
  }

  /// One pass (Fiduccia and Mattheyses): every class is moved at most once, the one that helps most first; then
  /// everything after the best moment is taken back. False where nothing became better.
  bool improve(Balance& best) {
    std::priority_queue<Candidate> queue;
    for (const std::uint32_t c : _classes) {
      compute_gain(c);
      queue.push({_gain[c], c});
    }
    std::vector<std::uint32_t> moved;
    std::vector<char> is_moved(_graph.size());
    Balance now = best;
    std::size_t kept = 0;
    std::vector<Candidate> held;  // do not fit now
    while (!queue.empty() && moved.size() < kept + _most_bad_moves) {
      const Candidate next = queue.top();
      queue.pop();
      if (is_moved[next.c] != 0 || next.gain != _gain[next.c]) continue;
      const auto weight = static_cast<std::int64_t>(_graph.weight[next.c]);
      const std::int64_t first_weight = _first_weight + (_is_first[next.c] != 0 ? -weight : weight);
      if (excess_of(first_weight) > now.excess && excess_of(first_weight) > static_cast<std::int64_t>(_heaviest)) {
        held.push_back(next);
        if (held.size() > 64) break;
        continue;
      }
      for (const Candidate& again : held) queue.push(again);
      held.clear();
      now = {excess_of(first_weight), now.cut - next.gain};
      _first_weight = first_weight;
      move(next.c, is_moved, queue);
      moved.push_back(next.c);
      if (now < best) {
        best = now;
        kept = moved.size();
      }
    }
    for (std::size_t i = kept; i < moved.size(); ++i) _is_first[moved[i]] ^= 1;
    balance();
    return kept != 0;
  }

  void move(std::uint32_t c, std::vector<char>& is_moved, std::priority_queue<Candidate>& queue) {
    _is_first[c] ^= 1;
    is_moved[c] = 1;
    _gain[c] = -_gain[c];
    for (const ClassGraph::Edge& edge : _graph.edges_of(c)) {
      if (!is_inside(edge.to)) continue;
      const std::int64_t change = 2 * std::int64_t{edge.weight};
      _gain[edge.to] += _is_first[edge.to] == _is_first[c] ? -change : change;
      if (is_moved[edge.to] == 0) queue.push({_gain[edge.to], edge.to});
    }
  }

  const ClassGraph& _graph;
  const std::vector<std::uint32_t>& _part;
  std::uint32_t _here;
  std::span<const std::uint32_t> _classes;
  std::vector<char> _is_first;
  std::vector<std::int64_t> _gain;
  std::uint64_t _heaviest = 0;
  std::size_t _most_bad_moves = 0;
  std::int64_t _wanted = 0, _slack = 0, _first_weight = 0;
};

/// `part`: where every class is now: the first rank of its part.
void split(const ClassGraph& graph, std::vector<std::uint32_t>& part, std::vector<std::uint32_t> classes,
           std::uint32_t first_rank, std::uint32_t ranks, Effort effort) {
  if (ranks == 1 || classes.empty()) return;
  const std::uint32_t half = ranks / 2;
  std::vector<std::uint32_t> first, second;
  {
    Bisection bisection(graph, part, first_rank, classes, static_cast<double>(half) / ranks);
    const std::vector<char>& is_first = bisection.split(effort);
    for (const std::uint32_t c : classes) (is_first[c] != 0 ? first : second).push_back(c);
  }
  for (const std::uint32_t c : second) part[c] = first_rank + half;
  split(graph, part, std::move(first), first_rank, half, effort);
  split(graph, part, std::move(second), first_rank + half, ranks - half, effort);
}

/// Which class of the heaviest rank to give to whom.
class Mover {
 public:
  Mover(const ClassGraph& graph, int ranks, std::vector<std::uint16_t>& owner)
      : _graph(graph), _owner(owner), _weight(weights_of_ranks(graph, ranks, owner)), _classes(_weight.size()) {
    for (std::uint32_t c = 0; c < owner.size(); ++c) _classes[owner[c]].push_back(c);
  }
  double imbalance() const { return dcheck::imbalance(_weight); }

  /// Takes weight off the heaviest rank, or gives some to the lightest. False where no class fits.
  bool move_one() {
    const auto [light, heavy] = std::minmax_element(_weight.begin(), _weight.end());
    const auto from = static_cast<std::size_t>(heavy - _weight.begin());
    const auto to = static_cast<std::size_t>(light - _weight.begin());
    Move best;
    for (std::size_t other = 0; other < _weight.size(); ++other) {
      if (_weight[other] + 1 < *heavy) best = std::max(best, best_move(from, other));
      if (other != from && *light + 1 < _weight[other]) best = std::max(best, best_move(other, to));
    }
    if (!best.is_possible) return false;
    auto& classes = _classes[best.from];
    classes.erase(std::find(classes.begin(), classes.end(), best.c));
    _classes[best.to].push_back(best.c);
    _weight[best.from] -= _graph.weight[best.c];
    _weight[best.to] += _graph.weight[best.c];
    _owner[best.c] = static_cast<std::uint16_t>(best.to);
    return true;
  }

 private:
  struct Move {
    bool is_possible = false;
    double value = 0;
    std::uint32_t c = 0;
    std::size_t from = 0, to = 0;
    bool operator<(const Move& other) const {
      return is_possible != other.is_possible ? other.is_possible : value < other.value;
    }
  };

  /// A class that fits into half of the difference, or at least does not turn it around.
  Move best_move(std::size_t from, std::size_t to) const {
    Move best;
    const std::uint64_t difference = _weight[from] - std::min(_weight[from], _weight[to]);
    for (const std::uint32_t c : _classes[from]) {
      const std::uint64_t weight = _graph.weight[c];
      if (weight == 0 || weight >= difference) continue;
      const std::uint64_t after = weight * 2 > difference ? weight * 2 - difference : difference - weight * 2;
      const auto moved = static_cast<double>(difference - after);
      double lost = 0;
      for (const ClassGraph::Edge& edge : _graph.edges_of(c)) {
        if (_owner[edge.to] == from) lost += edge.weight;
        if (_owner[edge.to] == to) lost -= edge.weight;
      }
      // Cut edges a unit of weight; what joins its neighbours comes first.
      const double value = lost <= 0 ? -lost * moved : -lost / moved;
      best = std::max(best, Move{true, value, c, from, to});
    }
    return best;
  }

  const ClassGraph& _graph;
  std::vector<std::uint16_t>& _owner;
  std::vector<std::uint64_t> _weight;
  std::vector<std::vector<std::uint32_t>> _classes;  // by rank
};

}  // namespace

ClassGraph make_class_graph(std::vector<std::uint64_t> weight, std::vector<ClassArcs> arcs) {
  ClassGraph graph;
  graph.weight = std::move(weight);
  std::erase_if(arcs, [](const ClassArcs& a) { return a.from == a.to; });
  const std::size_t seen = arcs.size();
  for (std::size_t i = 0; i < seen; ++i) arcs.push_back({arcs[i].to, arcs[i].from, arcs[i].count});
  std::sort(arcs.begin(), arcs.end(),
            [](const ClassArcs& a, const ClassArcs& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  graph.first.assign(graph.size() + 1, 0);
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (i != 0 && arcs[i].from == arcs[i - 1].from && arcs[i].to == arcs[i - 1].to) {
      graph.edges.back().weight += arcs[i].count;
      continue;
    }
    graph.edges.push_back({arcs[i].to, arcs[i].count});
    ++graph.first[arcs[i].from + 1];
  }
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  return graph;
}

std::vector<std::uint16_t> partition(const ClassGraph& graph, int ranks, Effort effort) {
  std::vector<std::uint32_t> part(graph.size(), 0), classes(graph.size());
  std::iota(classes.begin(), classes.end(), 0U);
  split(graph, part, std::move(classes), 0, static_cast<std::uint32_t>(ranks), effort);
  return {part.begin(), part.end()};
}

std::size_t rebalance(const ClassGraph& graph, int ranks, double tolerance, std::vector<std::uint16_t>& owner) {
  Mover mover(graph, ranks, owner);
  std::size_t moved = 0;
  while (moved < 4 * graph.size() && mover.imbalance() > tolerance && mover.move_one()) ++moved;
  return moved;
}

double imbalance(std::span<const std::uint64_t> weights) {
  const auto [light, heavy] = std::minmax_element(weights.begin(), weights.end());
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  return total == 0 ? 0 : static_cast<double>(*heavy - *light) * static_cast<double>(weights.size()) / total;
}

std::vector<std::uint64_t> weights_of_ranks(const ClassGraph& graph, int ranks, std::span<const std::uint16_t> owner) {
  std::vector<std::uint64_t> weights(static_cast<std::size_t>(ranks), 0);
  for (std::size_t c = 0; c < owner.size(); ++c) weights[owner[c]] += graph.weight[c];
  return weights;
}

std::uint64_t cut_weight(const ClassGraph& graph, std::span<const std::uint16_t> owner) {
  std::uint64_t cut = 0;
  for (std::size_t c = 0; c < graph.size(); ++c)
    for (const ClassGraph::Edge& edge : graph.edges_of(c))
      if (edge.to > c && owner[c] != owner[edge.to]) cut += edge.weight;
  return cut;
}

}  // namespace dcheck
