#pragma once
// The markings that a net can reach, as a decision diagram: found by saturation (Ciardo, Luettgen, Siminiecescu 2001).
// A node is saturated when no transition whose highest tier is its own or lower leads out of its set; nodes below
// are saturated before, so that few nodes are made that are not part of the result.

#include <optional>
#include <span>
#include <vector>

#include "dcheck/net/net.hpp"
#include "estimate/diagram.hpp"

namespace dcheck {

class Saturation {
 public:
  /// `order` names each place once, that of the highest tier last. Net and diagram must outlive this. The net has no
  /// guards. `dead` transitions are left out.
  Saturation(const Net& net, std::span<const Place> order, std::span<const Transition> dead, Diagram& diagram);

  /// All markings that can be reached. Throws ResourceError where the diagram grows too large, its patience ends, or a
  /// place gets too many tokens.
  Diagram::Node reach();

  std::size_t tier_of(Place p) const { return _tiers[index(p)]; }

 private:
  using Node = Diagram::Node;
  /// What a transition asks of one tier and does there.
  struct Part {
    std::uint32_t tier;
    std::uint32_t least, limit;  // tokens: at least so many, fewer than so many
    std::int32_t change;
  };
  struct Event {
    std::vector<Part> parts;  // highest tier first
  };
  struct Fired {
    std::uint32_t event = ~std::uint32_t{0};
    Node node = Diagram::none, result = Diagram::none;
  };

  void add(const Net& net, Transition t);
  /// The children of a node of this tier that is to be saturated, on top of the stack from `begin` on; takes them off.
  Node saturate(std::uint32_t tier, std::size_t begin);
  Node fire(std::uint32_t event, std::size_t part, Node node);
  void put(std::size_t begin, std::size_t tokens, Node node);

  const Net& _net;
  Diagram& _diagram;
  std::vector<std::uint32_t> _tiers;  // by place
  std::vector<Place> _order;          // by tier - 1
  std::vector<Event> _events;
  std::vector<std::vector<std::uint32_t>> _by_top;  // by tier
  std::vector<Fired> _fired;
  std::vector<Node> _stack;  // children by tokens from 0 on, of nodes that are being made
};

}  // namespace dcheck
