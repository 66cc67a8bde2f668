#pragma once
// The transitions of an unfolded net while it is being made: arcs of all bindings, packed, equal ones of a coloured
// transition once; then only what can fire.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "colour/bindings.hpp"

namespace dcheck {

/// Places are numbers of marked colours.
struct PackedArc {
  std::uint32_t place = 0;
  Tokens weight = 0;
  bool operator==(const PackedArc&) const = default;
};

struct UnfoldedTransition {
  std::uint32_t transition = 0;            // of the coloured net
  std::uint32_t binding = 0;               // the first that does this
  std::uint32_t bindings = 1;              // how many do
  std::size_t pre = 0, post = 0, end = 0;  // its arcs: [pre, post) and [post, end)
};

class Unfolded {
 public:
  /// Throws UnfoldError where there are too many arcs, or an inscription asks for fewer than no tokens.
  Unfolded(const ColouredNet& net, const Bindings& bindings, const UnfoldLimits& limits);

  /// Per marked colour: its tokens in the initial marking.
  const std::vector<Tokens>& initial() const { return _initial; }
  std::span<const PackedArc> pre(const UnfoldedTransition& t) const {
    return std::span(_arcs).subspan(t.pre, t.post - t.pre);
  }
  std::span<const PackedArc> post(const UnfoldedTransition& t) const {
    return std::span(_arcs).subspan(t.post, t.end - t.post);
  }

  /// What can fire, and per marked colour whether it can be marked, if the numbers of tokens do not count.
  const std::vector<UnfoldedTransition>& transitions() const { return _transitions; }
  bool can_be_marked(std::uint32_t colour) const { return _can_be_marked[colour]; }

 private:
  void add_initial();
  void add_bindings(std::uint32_t transition);
  /// The arcs of one side; false where a colour is never marked, which one that is given always is.
  bool add_side(const std::vector<ColouredArc>& arcs, const ColouredTransition& transition, const Colour* binding);
  /// Leaves in _sum what tuples over a place stand for: codes ascending, no count of 0.
  void add_up(std::uint32_t place, const std::vector<ColourTuple>& tuples, const Colour* binding, Origin at);
  /// Adds the newest transition to one that does the same, if there is one.
  void merge_newest(CodeTable& known);
  void keep_what_can_fire();

  const ColouredNet& _net;
  const Bindings& _bindings;
  const UnfoldLimits& _limits;
  std::vector<Tokens> _initial;
  std::vector<std::pair<std::uint64_t, Tokens>> _sum;  // kept to save allocations
  std::vector<PackedArc> _arcs;
  std::vector<UnfoldedTransition> _transitions;
  std::vector<std::uint32_t> _same_hash;  // per transition: the one before it with an equal hash
  std::vector<bool> _can_be_marked;
};

/// `t[x=1,y=b]`, or `t` where it has no variables.
std::string name_of(const ColouredNet& net, const ColouredTransition& transition, const Colour* binding);

}  // namespace dcheck
