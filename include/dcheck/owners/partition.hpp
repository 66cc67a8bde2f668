#pragma once
// Classes of rows, and how they are shared out among ranks: about the same weight for each rank, few arcs between
// ranks. Deterministic. Cold code, for graphs of some thousand classes.

#include <cstdint>
#include <span>
#include <vector>

namespace dcheck {

struct ClassGraph {
  struct Edge {
    std::uint32_t to;
    std::uint32_t weight;
  };
  std::vector<std::uint64_t> weight;    // per class
  std::vector<std::uint32_t> first{0};  // per class and one more: where its edges begin
  std::vector<Edge> edges;              // every edge stands at both of its ends

  std::size_t size() const { return weight.size(); }
  std::span<const Edge> edges_of(std::size_t c) const {
    return std::span(edges).subspan(first[c], first[c + 1] - first[c]);
  }
};

/// Arcs seen in a sample, from class to class; the graph has one edge for all arcs between two classes.
struct ClassArcs {
  std::uint32_t from, to, count;
};
ClassGraph make_class_graph(std::vector<std::uint64_t> weight, std::vector<ClassArcs> arcs);

enum class Effort : std::uint8_t { little, full };

/// The rank of each class: by halves, each half grown from one class and then improved by moving single classes.
std::vector<std::uint16_t> partition(const ClassGraph& graph, int ranks, Effort effort = Effort::full);

/// Moves classes from heavy ranks to lighter ones, those that cost the fewest cut edges first, until the ranks'
/// weights differ by at most `tolerance` of their mean or no move helps. Returns how many classes were moved.
std::size_t rebalance(const ClassGraph& graph, int ranks, double tolerance, std::vector<std::uint16_t>& owner);

/// (largest - smallest) / mean of the ranks' weights.
double imbalance(std::span<const std::uint64_t> weights);
std::vector<std::uint64_t> weights_of_ranks(const ClassGraph& graph, int ranks, std::span<const std::uint16_t> owner);

/// The weight of the edges between ranks, each counted once.
std::uint64_t cut_weight(const ClassGraph& graph, std::span<const std::uint16_t> owner);

}  // namespace dcheck
