#pragma once
// Formulas made ready to be decided: rewritten to the core operators, simplified, equal parts shared.
//
//   EF f = E[true U f]   AF f = A[true U f]   AX f = !EX !f   AG f = !EF !f   EG f = !AF !f
//
// Every reachable marking satisfies a formula iff it satisfies its node; unreachable ones may differ,
// since bounds and invariants have decided what they can.

#include <cstdint>
#include <map>
#include <vector>

#include "dcheck/ctl/formula.hpp"
#include "dcheck/net/structure.hpp"

namespace dcheck {

enum class CoreKind : std::uint8_t { always, never, atom, negation, conjunction, disjunction, ex, eu, au };

/// A number into CorePool; children have smaller numbers than their parents.
using CoreId = std::uint32_t;

struct CoreNode {
  CoreKind kind = CoreKind::always;
  Expression predicate;          // atom: neither constant nor a negation
  std::vector<CoreId> children;  // eu, au: the one that lasts, then the one that ends it

  bool operator==(const CoreNode&) const = default;
};

class CorePool {
 public:
  static constexpr CoreId always = 0, never = 1;

  /// The net and its structure must outlive the pool.
  CorePool(const Net& net, const Structure& structure);

  /// The node of a formula. Asked again for the same formula, or for one that simplifies to the same,
  /// it gives the same node.
  CoreId intern(const Formula& formula);

  const CoreNode& operator[](CoreId id) const { return _nodes[id]; }
  std::size_t size() const { return _nodes.size(); }

 private:
  CoreId atom(const Expression& predicate);
  CoreId negation(CoreId child);
  CoreId combination(CoreKind kind, std::vector<CoreId> children);
  CoreId ex(CoreId child);
  CoreId eu(CoreId lasts, CoreId ends);
  CoreId au(CoreId lasts, CoreId ends);
  CoreId add(CoreNode node);

  const Net& _net;
  const Structure& _structure;
  std::vector<CoreNode> _nodes;
  std::multimap<std::size_t, CoreId> _by_hash;
};

/// The predicate with everything decided that bounds, invariants and dead transitions decide in all
/// reachable markings: `always` or `never` where that is the whole of it.
Expression simplified(const Expression& predicate, const Net& net, const Structure& structure);

/// The largest value a linear sum can have as far as bounds and invariants tell; none where nothing does.
std::optional<Tokens> proven_maximum(const LinearForm& sum, const Structure& structure);

}  // namespace dcheck
