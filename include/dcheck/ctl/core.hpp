#pragma once
// Formulas made ready to be decided: rewritten to the core operators, simplified, equal parts shared.
//
//   EF f = E[true U f]   AF f = A[true U f]   AX f = !EX !f   AG f = !EF !f   EG f = !AF !f
//
// Every reachable marking satisfies a formula iff it satisfies its node; unreachable ones may differ,
// since bounds and invariants have decided what they can.

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "dcheck/base/truth.hpp"
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

inline bool is_boolean(CoreKind kind) {
  return kind == CoreKind::negation || kind == CoreKind::conjunction || kind == CoreKind::disjunction;
}
/// What is true of a boolean node by what of_child(id) says of its children; unknown for any other node.
template <typename OfChild>
Truth truth_of_boolean(const CoreNode& node, OfChild&& of_child) {
  if (node.kind == CoreKind::negation) return opposite(of_child(node.children[0]));
  if (node.kind == CoreKind::conjunction) return all_of(node.children, of_child);
  if (node.kind == CoreKind::disjunction) return any_of(node.children, of_child);
  return Truth::unknown;
}

class PredicateSimplifier;

/// Nodes are never equal to each other. A boolean combination of atoms is one atom; of an atom and its opposite
/// one is the atom, the other its negation. Simplifying may leave nodes that no formula needs: what does is
/// found by walking from the nodes that intern() gave.
class CorePool {
 public:
  static constexpr CoreId always = 0, never = 1;

  /// The net and its structure must outlive the pool.
  CorePool(const Net& net, const Structure& structure);
  CorePool(CorePool&&) noexcept;
  ~CorePool();

  /// The node of a formula. Asked again for the same formula, or for one that simplifies to the same,
  /// it gives the same node.
  CoreId intern(const Formula& formula);

  const CoreNode& operator[](CoreId id) const { return _nodes[id]; }
  std::size_t size() const { return _nodes.size(); }

 private:
  CoreId atom(const Expression& predicate);
  /// Of a predicate that is simplified already.
  CoreId simple_atom(Expression predicate);
  CoreId negation(CoreId child);
  CoreId combination(CoreKind kind, const std::vector<CoreId>& children);
  CoreId ex(CoreId child);
  CoreId eu(CoreId lasts, CoreId ends);
  CoreId au(CoreId lasts, CoreId ends);
  CoreId add(CoreNode node);

  CoreId intern_combination(CoreKind kind, const Formula& formula);
  void flatten(CoreKind kind, CoreId child, bool is_negated, std::vector<CoreId>& flat);
  void merge_atoms(CoreKind kind, std::vector<CoreId>& children);
  bool merge_temporal(CoreKind kind, std::vector<CoreId>& children);
  CoreId sorted_combination(CoreKind kind, std::vector<CoreId> children);
  CoreId ends_without_untils(CoreId lasts, CoreId ends);
  bool is_predicate(CoreId id) const;
  bool are_opposites(CoreId a, CoreId b) const;
  bool implies(CoreId narrow, CoreId wide) const { return narrow == wide || wide == always || narrow == never; }

  std::vector<CoreNode> _nodes;
  std::unordered_multimap<std::size_t, CoreId> _by_hash;
  std::unique_ptr<PredicateSimplifier> _simplifier;
};

/// The predicate with everything decided that bounds, invariants and dead transitions decide in all
/// reachable markings: `always` or `never` where that is the whole of it.
Expression simplified(const Expression& predicate, const Net& net, const Structure& structure);

/// The largest value a linear sum can have as far as bounds and invariants tell; none where nothing does.
std::optional<Tokens> proven_maximum(const LinearForm& sum, const Structure& structure);

}  // namespace dcheck
