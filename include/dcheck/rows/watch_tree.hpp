#pragma once
// Which of many transitions a key can wake. Each sleeps until the fields that it needs are marked; the tree asks for
// these fields one after another, the rarest first, and asks only once for all that need it. So a look at a key costs
// what is marked in it and woken by it, not what the net has: of thousands that share places, most are never touched.
//
// A node is reached where all fields on the way to it are marked. Whoever sleeps in it still has to be tested for the
// fields that are not on this way: known_fields() says which are.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "dcheck/base/narrow.hpp"

namespace dcheck {

class WatchTree {
 public:
  /// Where a field lies in the key, and about how often it is marked: 0 never, 1 always.
  struct Field {
    std::uint32_t word = 0;
    std::uint64_t mask = 0;
    float share = 0;
  };
  /// The fields, by number, that must be marked before somebody can wake.
  using Needs = std::vector<std::uint32_t>;

  WatchTree() = default;
  /// The tree in which `needs[i]` is what number i needs: nothing at all is possible, fields without bits are not.
  WatchTree(std::span<const Field> fields, std::vector<Needs> needs);

  /// Who sleeps, by number, in the order in which for_each_woken() names them; each stands there once.
  const std::vector<std::uint32_t>& sleepers() const { return _sleepers; }
  /// The fields that are marked wherever for_each_woken() names this number.
  std::span<const std::uint32_t> known_fields(std::uint32_t number) const {
    return std::span(_needs[number]).first(_known[number]);
  }

  /// visit(range of sleepers()) for all who may be awake, in short runs.
  template <typename Visit>
  void for_each_woken(const std::uint64_t* key, Visit&& visit) const {
    if (_nodes.empty()) return;
    visit(_nodes.front().sleepers);
    descend(_nodes.front(), key, visit);
  }

 private:
  struct Node {
    std::uint64_t mask = 0;  // of the field that led here
    Range branches, sleepers;
  };
  /// The next fields to look at in one word: the node for the field at a bit is _children[children + bit].
  struct Branch {
    std::uint64_t mask = 0;
    std::uint32_t word = 0;
    std::uint32_t children = 0;  // modulo 2^32, since bits begin at the lowest of the mask
  };
  class Builder;

  template <typename Visit>
  void descend(const Node& node, const std::uint64_t* key, Visit& visit) const {
    for (std::uint32_t b = node.branches.begin; b < node.branches.end; ++b) {
      const Branch& branch = _branches[b];
      for (std::uint64_t marked = key[branch.word] & branch.mask; marked != 0;) {
        const Node& child = _nodes[_children[branch.children + static_cast<unsigned>(std::countr_zero(marked))]];
        marked &= ~child.mask;
        visit(child.sleepers);
        if (child.branches.begin != child.branches.end) descend(child, key, visit);
      }
    }
  }

  std::vector<Node> _nodes;  // the root first
  std::vector<Branch> _branches;
  std::vector<std::uint32_t> _children;
  std::vector<std::uint32_t> _sleepers;
  std::vector<Needs> _needs;          // per number, the rarest first
  std::vector<std::uint32_t> _known;  // per number: so many of them are marked in its node
};

}  // namespace dcheck
