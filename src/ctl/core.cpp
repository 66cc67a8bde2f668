// The pool: how formulas become nodes. Every rule below holds for maximal paths; each state has at least one,
// so that A[p U q] implies E[p U q].

#include "dcheck/ctl/core.hpp"

#include <stdexcept>
#include <utility>

#include "ctl/expression_order.hpp"
#include "ctl/predicate_simplifier.hpp"
#include "dcheck/base/narrow.hpp"

namespace dcheck {

namespace {

std::size_t hash_of(const CoreNode& node) {
  std::size_t hash = mixed(static_cast<std::size_t>(node.kind), hash_of(node.predicate));
  for (const CoreId child : node.children) hash = mixed(hash, child);
  return hash;
}

std::size_t negations_in(const Expression& predicate) {
  using Kind = Expression::Kind;
  std::size_t count = predicate.kind == Kind::negation || predicate.kind == Kind::not_equal ? 1 : 0;
  for (const Expression& child : predicate.children) count += negations_in(child);
  return count;
}

/// Of a predicate and its opposite, exactly one is the atom.
bool is_preferred(const Expression& predicate, const Expression& opposite) {
  const std::size_t own = negations_in(predicate), other = negations_in(opposite);
  return own != other ? own < other : comes_before(predicate, opposite);
}

}  // namespace

CorePool::CorePool(const Net& net, const Structure& structure)
    : _simplifier(std::make_unique<PredicateSimplifier>(net, structure)) {
  add({CoreKind::always, {}, {}});
  add({CoreKind::never, {}, {}});
}

CorePool::CorePool(CorePool&&) noexcept = default;
CorePool::~CorePool() = default;

CoreId CorePool::add(CoreNode node) {
  const std::size_t hash = hash_of(node);
  const auto [first, last] = _by_hash.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) {
    if (_nodes[entry->second] == node) return entry->second;
  }
  const CoreId id = end_of(_nodes);
  _nodes.push_back(std::move(node));
  _by_hash.emplace(hash, id);
  return id;
}

CoreId CorePool::intern(const Formula& formula) {
  using Kind = Formula::Kind;
  const auto child = [&](std::size_t i) { return intern(formula.children[i]); };
  switch (formula.kind) {
    case Kind::atom:
      return atom(formula.predicate);
    case Kind::negation:
      return negation(child(0));
    case Kind::conjunction:
      return intern_combination(CoreKind::conjunction, formula);
    case Kind::disjunction:
      return intern_combination(CoreKind::disjunction, formula);
    case Kind::ex:
      return ex(child(0));
    case Kind::ax:
      return negation(ex(negation(child(0))));
    case Kind::ef:
      return eu(always, child(0));
    case Kind::af:
      return au(always, child(0));
    case Kind::eg:
      return negation(au(always, negation(child(0))));
    case Kind::ag:
      return negation(eu(always, negation(child(0))));
    case Kind::eu:
    case Kind::au: {
      const CoreId lasts = child(0), ends = child(1);
      return formula.kind == Kind::eu ? eu(lasts, ends) : au(lasts, ends);
    }
  }
  throw std::logic_error("a formula of no known kind");
}

/// Nested combinations of the same kind are gathered first: node by node they would be merged again and again.
CoreId CorePool::intern_combination(CoreKind kind, const Formula& formula) {
  std::vector<CoreId> children;
  std::vector<const Formula*> open{&formula};
  while (!open.empty()) {
    const Formula& next = *open.back();
    open.pop_back();
    for (const Formula& child : next.children) {
      if (child.kind == formula.kind) {
        open.push_back(&child);
      } else {
        children.push_back(intern(child));
      }
    }
  }
  return combination(kind, children);
}

CoreId CorePool::atom(const Expression& predicate) {
  return simple_atom(_simplifier->simplified(predicate));
}

CoreId CorePool::simple_atom(Expression predicate) {
  if (predicate.kind == Expression::Kind::always) return always;
  if (predicate.kind == Expression::Kind::never) return never;
  Expression opposite = _simplifier->complement(predicate);
  if (is_preferred(predicate, opposite)) return add({CoreKind::atom, std::move(predicate), {}});
  return add({CoreKind::negation, {}, {add({CoreKind::atom, std::move(opposite), {}})}});
}

bool CorePool::is_predicate(CoreId id) const {
  const CoreNode& node = _nodes[id];
  return node.kind == CoreKind::atom ||
         (node.kind == CoreKind::negation && _nodes[node.children.front()].kind == CoreKind::atom);
}

bool CorePool::are_opposites(CoreId a, CoreId b) const {
  const auto negates = [&](CoreId id, CoreId other) {
    return _nodes[id].kind == CoreKind::negation && _nodes[id].children.front() == other;
  };
  return negates(a, b) || negates(b, a);
}

CoreId CorePool::ex(CoreId child) {
  if (child == never) return never;
  if (child == always) return negation(simple_atom(Expression::of(Expression::Kind::deadlock)));
  return add({CoreKind::ex, {}, {child}});
}

/// E[p U (f || E[r U g])] = E[p U (f || g)] where r implies p, and the same with A[r U g]: from a state of either,
/// a path through p leads to g, and g implies both. So a part of the end that is an until gives way to its own end.
CoreId CorePool::ends_without_untils(CoreId lasts, CoreId ends) {
  const auto replaced = [&](CoreId part) {
    const CoreNode& node = _nodes[part];
    const bool is_until = node.kind == CoreKind::eu || node.kind == CoreKind::au;
    return is_until && implies(node.children[0], lasts) ? node.children[1] : part;
  };
  if (_nodes[ends].kind != CoreKind::disjunction) return replaced(ends);
  std::vector<CoreId> parts = _nodes[ends].children;
  for (CoreId& part : parts) part = replaced(part);
  return combination(CoreKind::disjunction, parts);
}

CoreId CorePool::eu(CoreId lasts, CoreId ends) {
  if (ends == never || ends == always || lasts == never || lasts == ends) return ends;
  const CoreNode& end = _nodes[ends];
  // E[p U E[r U q]] = E[r U q] where p implies r.
  if (end.kind == CoreKind::eu && implies(lasts, end.children[0])) return ends;
  if (const CoreId other = ends_without_untils(lasts, ends); other != ends) return eu(lasts, other);
  // E[!q U q] = E[true U q]: the first q ends it.
  if (are_opposites(lasts, ends)) return eu(always, ends);
  return add({CoreKind::eu, {}, {lasts, ends}});
}

CoreId CorePool::au(CoreId lasts, CoreId ends) {
  if (ends == never || ends == always || lasts == never || lasts == ends) return ends;
  const CoreNode& end = _nodes[ends];
  if (end.kind == CoreKind::eu || end.kind == CoreKind::au) {
    // A[p U f] = f for f = E[r U q] or A[r U q], where p implies r.
    if (implies(lasts, end.children[0])) return ends;
    // A[p U A[r U q]] = A[p U q] where r implies p.
    if (end.kind == CoreKind::au && implies(end.children[0], lasts)) return au(lasts, end.children[1]);
  }
  if (are_opposites(lasts, ends)) return au(always, ends);
  return add({CoreKind::au, {}, {lasts, ends}});
}

}  // namespace dcheck
