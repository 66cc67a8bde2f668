#pragma once
// Random graphs of rows and lanes, small enough to be searched by the plainest code, for tests of the
// exchange: an arc leads from the lanes of one row, those it is enabled in, to the lanes of another,
// shifted round. And the answers that distributed searches must give.

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "dcheck/comm/exchange/records.hpp"

namespace dcheck::toy {

using Lanes = std::vector<std::uint64_t>;

struct Arc {
  std::uint32_t from, to;
  unsigned shift;  // of words, and of bits inside each word
  Lanes enabled;
};

struct Graph {
  std::size_t rows = 1;
  RecordShape shape;  // without a transition
  std::vector<Arc> arcs;
  std::vector<std::vector<std::uint32_t>> arcs_from, arcs_into;  // by row

  std::size_t lane_words() const { return shape.mask_words == 0 ? 1 : shape.mask_words; }
  Lanes no_lanes() const { return Lanes(lane_words(), 0); }

  /// The lanes an arc leads to, and back. A mask that is not there stands for one lane.
  Lanes after(const Arc& arc, const Lanes& lanes) const {
    Lanes out = no_lanes();
    for (std::size_t w = 0; w < out.size(); ++w)
      out[(w + arc.shift) % out.size()] = rotated(lanes[w] & arc.enabled[w], static_cast<int>(arc.shift));
    return out;
  }
  Lanes before(const Arc& arc, const Lanes& lanes) const {
    Lanes out = no_lanes();
    for (std::size_t w = 0; w < out.size(); ++w)
      out[w] = rotated(lanes[(w + arc.shift) % out.size()], -static_cast<int>(arc.shift)) & arc.enabled[w];
    return out;
  }

  /// Keys that differ in their last word, or in all.
  void write_key(std::uint32_t row, std::uint64_t* key) const {
    for (std::size_t w = 0; w < shape.key_words; ++w) key[w] = rows % 2 == 0 ? 7 : row * (w + 3);
    key[shape.key_words - 1] = row;
  }
  std::uint32_t row_of(const std::uint64_t* key) const { return static_cast<std::uint32_t>(key[shape.key_words - 1]); }

 private:
  std::uint64_t rotated(std::uint64_t word, int by) const { return shape.mask_words == 0 ? word : std::rotl(word, by); }
};

inline Graph random_graph(std::uint64_t seed, std::size_t max_rows) {
  std::mt19937_64 random(seed);
  Graph graph;
  graph.rows = 1 + random() % max_rows;
  graph.shape.key_words = 1 + random() % 3;
  graph.shape.mask_words = random() % 4;
  graph.arcs_from.resize(graph.rows);
  graph.arcs_into.resize(graph.rows);
  // Few arcs in few lanes, so that most states count down to zero; or many, so that most are reached.
  const bool is_dense = random() % 2 == 0;
  const std::size_t arcs = random() % ((is_dense ? 6 : 2) * graph.rows + 1);
  for (std::uint32_t i = 0; i < arcs; ++i) {
    Arc arc{static_cast<std::uint32_t>(random() % graph.rows), static_cast<std::uint32_t>(random() % graph.rows),
            static_cast<unsigned>(random() % 64), graph.no_lanes()};
    for (std::uint64_t& word : arc.enabled)
      word = graph.shape.mask_words == 0 ? 1 : is_dense ? random() | random() : random() & random();
    graph.arcs_from[arc.from].push_back(i);
    graph.arcs_into[arc.to].push_back(i);
    graph.arcs.push_back(std::move(arc));
  }
  return graph;
}

/// Lanes of all rows, one row after another.
using Sets = std::vector<Lanes>;

/// ORs `lanes` to a row's and returns those that it did not have.
inline Lanes add(Lanes& set, const Lanes& lanes) {
  Lanes fresh = lanes;
  for (std::size_t w = 0; w < set.size(); ++w) {
    fresh[w] &= ~set[w];
    set[w] |= fresh[w];
  }
  return fresh;
}
inline bool any(const Lanes& lanes) {
  for (const std::uint64_t word : lanes)
    if (word != 0) return true;
  return false;
}

/// The first lane of row 0 is where searches begin.
inline Lanes first_lane(const Graph& graph) {
  Lanes lanes = graph.no_lanes();
  lanes[0] = 1;
  return lanes;
}

inline Sets reachable(const Graph& graph) {
  Sets reached(graph.rows, graph.no_lanes());
  reached[0] = first_lane(graph);
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (const Arc& arc : graph.arcs) has_grown |= any(add(reached[arc.to], graph.after(arc, reached[arc.from])));
  }
  return reached;
}

/// Some states, the same on all ranks: where countdowns begin.
inline Sets random_goals(const Graph& graph, std::uint64_t seed) {
  std::mt19937_64 random(seed ^ 0x5EED);
  Sets goals(graph.rows, graph.no_lanes());
  for (Lanes& lanes : goals)
    for (std::uint64_t& word : lanes)
      word = random() % 3 == 0 ? 0 : graph.shape.mask_words == 0 ? 1 : random() | random();
  return goals;
}

/// The least set with all goals and every state that has arcs, all of them into the set.
inline Sets inevitable(const Graph& graph, const Sets& goals) {
  Sets sure = goals;
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (std::uint32_t row = 0; row < graph.rows; ++row) {
      Lanes alive = graph.no_lanes(), open = graph.no_lanes();
      for (const std::uint32_t i : graph.arcs_from[row]) {
        const Arc& arc = graph.arcs[i];
        const Lanes closed = graph.before(arc, sure[arc.to]);
        for (std::size_t w = 0; w < open.size(); ++w) {
          alive[w] |= arc.enabled[w];
          open[w] |= arc.enabled[w] & ~closed[w];
        }
      }
      for (std::size_t w = 0; w < open.size(); ++w) alive[w] &= ~open[w];
      has_grown |= any(add(sure[row], alive));
    }
  }
  return sure;
}

}  // namespace dcheck::toy
