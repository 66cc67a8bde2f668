#pragma once
// Sets of markings as a decision diagram, to count them without visiting each. Only estimates use it: what dcheck
// proves, it proves on states that it has explored.
//
// Places stand one above the other, each in a tier of its own; tier 0 is the end. A node of tier t stands for a set of
// markings of the tiers 1..t: it has a child for each number of tokens of its place, the markings of the tiers below
// that go with it. Equal sets are one node, so that they are compared, and joined once, by number.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dcheck/base/patience.hpp"

namespace dcheck {

class Diagram {
 public:
  using Node = std::uint32_t;
  static constexpr Node none = 0, end = 1;  // the empty set; the one marking of no places

  /// Spends a step of `patience`, which must outlive this, for every child looked at. Throws ResourceError where nodes
  /// take more than `most_bytes`.
  Diagram(std::size_t most_bytes, Patience& patience);

  /// Valid as long as the diagram. The first child is that of `first` tokens; there are none before and behind.
  struct Children {
    std::uint32_t first = 0;
    std::span<const Node> nodes;
    Node of(std::uint32_t tokens) const { return tokens - first < nodes.size() ? nodes[tokens - first] : none; }
    std::uint32_t limit() const { return first + static_cast<std::uint32_t>(nodes.size()); }
  };
  Children children(Node node) const;
  std::uint32_t tier(Node node) const { return _nodes[node][0]; }

  /// The node of the tier with these children, the first that of `first` tokens; holes at both ends are left out.
  Node make(std::uint32_t tier, std::uint32_t first, std::span<const Node> children);
  /// Both are of one tier, or `none`.
  Node unite(Node a, Node b);
  /// The set with the places of some tiers left out; is_kept[t] tells of tier t. Nodes keep their tiers.
  Node project(Node node, const std::vector<bool>& is_kept);
  /// How many markings there are: exact up to 2^63.
  long double size(Node node) const;

  std::size_t node_count() const { return _nodes.size(); }
  Patience& patience() { return _patience; }

 private:
  static constexpr std::size_t header = 3;  // tier, first, number of children
  struct United {
    Node a = none, b = none, both = none;
  };

  Node project(Node node, const std::vector<bool>& is_kept, std::vector<Node>& known);
  std::uint32_t* room_for(std::size_t words);
  void grow_index();
  static std::size_t hash_of(const std::uint32_t* node);

  std::size_t _most_words;
  Patience& _patience;
  std::vector<std::unique_ptr<std::uint32_t[]>> _chunks;
  std::size_t _left_in_chunk = 0, _words = 0;
  std::uint32_t* _next = nullptr;
  std::vector<std::uint32_t*> _nodes;  // by number: where it lies
  std::vector<Node> _index;            // by hash; none: free
  std::vector<United> _united;         // what was joined lately
  std::vector<Node> _scratch;          // children of nodes that are being made, one stack of all calls
};

}  // namespace dcheck
