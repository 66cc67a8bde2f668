// The boolean half of the pool: not, and, or.

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "ctl/predicate_simplifier.hpp"
#include "dcheck/ctl/core.hpp"

namespace dcheck {

namespace {

CoreKind dual(CoreKind kind) {
  return kind == CoreKind::conjunction ? CoreKind::disjunction : CoreKind::conjunction;
}

bool is_combination(CoreKind kind) {
  return kind == CoreKind::conjunction || kind == CoreKind::disjunction;
}

}  // namespace

CoreId CorePool::negation(CoreId child) {
  if (child == always) return never;
  if (child == never) return always;
  const CoreNode& node = _nodes[child];
  if (node.kind == CoreKind::negation) return node.children.front();
  if (!is_combination(node.kind)) return add({CoreKind::negation, {}, {child}});
  const CoreKind kind = dual(node.kind);
  std::vector<CoreId> parts = node.children;
  for (CoreId& part : parts) part = negation(part);
  return sorted_combination(kind, std::move(parts));
}

CoreId CorePool::combination(CoreKind kind, const std::vector<CoreId>& children) {
  const CoreId neutral = kind == CoreKind::conjunction ? always : never;
  const CoreId decisive = kind == CoreKind::conjunction ? never : always;
  std::vector<CoreId> flat;
  for (const CoreId child : children) flatten(kind, child, false, flat);
  merge_atoms(kind, flat);
  std::erase(flat, neutral);
  if (std::ranges::find(flat, decisive) != flat.end()) return decisive;
  std::ranges::sort(flat);
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  if (merge_temporal(kind, flat)) return combination(kind, flat);  // what was merged may be simpler by itself
  for (const CoreId child : flat) {
    const CoreNode& node = _nodes[child];
    if (node.kind == CoreKind::negation && std::ranges::binary_search(flat, node.children.front())) return decisive;
  }
  if (flat.empty()) return neutral;
  return sorted_combination(kind, std::move(flat));
}

/// Takes apart what is itself a combination of this kind, or the negation of one of the other kind.
void CorePool::flatten(CoreKind kind, CoreId child, bool is_negated, std::vector<CoreId>& flat) {
  const CoreNode& node = _nodes[child];
  if (node.kind == CoreKind::negation) return flatten(kind, node.children.front(), !is_negated, flat);
  if (node.kind != (is_negated ? dual(kind) : kind)) {
    flat.push_back(is_negated ? negation(child) : child);
    return;
  }
  const std::vector<CoreId> parts = node.children;
  for (const CoreId part : parts) flatten(kind, part, is_negated, flat);
}

void CorePool::merge_atoms(CoreKind kind, std::vector<CoreId>& children) {
  std::vector<Expression> predicates;
  CoreId last = never;
  std::erase_if(children, [&](CoreId child) {
    if (!is_predicate(child)) return false;
    const CoreNode& node = _nodes[child];
    predicates.push_back(node.kind == CoreKind::atom
                             ? node.predicate
                             : _simplifier->complement(_nodes[node.children.front()].predicate));
    last = child;
    return true;
  });
  if (predicates.empty()) return;
  if (predicates.size() == 1) {
    children.push_back(last);
    return;
  }
  const auto as = kind == CoreKind::conjunction ? Expression::Kind::conjunction : Expression::Kind::disjunction;
  children.push_back(simple_atom(_simplifier->combined(as, std::move(predicates))));
}

/// EX f || EX g = EX (f || g) and E[p U f] || E[p U g] = E[p U (f || g)]; in a conjunction the same with
/// negations: AG f && AG g is one search. Predicates stay apart from what has to be labelled first, since
/// EF of a predicate can be decided by a search that stops early. True where something was merged.
bool CorePool::merge_temporal(CoreKind kind, std::vector<CoreId>& children) {
  using Group = std::tuple<CoreKind, CoreId, bool>;
  std::map<Group, std::vector<CoreId>> members;  // in a fixed order, so that numbers are the same in every run
  const bool is_conjunction = kind == CoreKind::conjunction;
  std::vector<CoreId> merged;
  for (const CoreId child : children) {
    const bool is_negation = _nodes[child].kind == CoreKind::negation;
    const CoreNode& node = _nodes[is_negation ? _nodes[child].children.front() : child];
    const bool is_temporal = node.kind == CoreKind::ex || node.kind == CoreKind::eu;
    if (!is_temporal || is_negation != is_conjunction) {
      merged.push_back(child);
    } else {
      const CoreId lasts = node.kind == CoreKind::ex ? always : node.children.front();
      members[{node.kind, lasts, is_predicate(node.children.back())}].push_back(child);
    }
  }
  for (const auto& [group, alike] : members) {
    if (alike.size() == 1) {
      merged.push_back(alike.front());
      continue;
    }
    std::vector<CoreId> ends;
    for (const CoreId child : alike) {
      const CoreId claim = is_conjunction ? _nodes[child].children.front() : child;
      ends.push_back(_nodes[claim].children.back());
    }
    const CoreId end = combination(CoreKind::disjunction, ends);
    const CoreId whole = std::get<CoreKind>(group) == CoreKind::ex ? ex(end) : eu(std::get<CoreId>(group), end);
    merged.push_back(is_conjunction ? negation(whole) : whole);
  }
  if (merged.size() == children.size()) return false;
  children = std::move(merged);
  return true;
}

/// Children that are simplified already. Of the two ways to write it by De Morgan, the one with fewer negations.
CoreId CorePool::sorted_combination(CoreKind kind, std::vector<CoreId> children) {
  if (children.size() == 1) return children.front();
  const auto is_negation = [&](CoreId child) { return _nodes[child].kind == CoreKind::negation; };
  const auto negations = static_cast<std::size_t>(std::ranges::count_if(children, is_negation));
  const bool is_turned = 2 * negations > children.size();
  if (is_turned) {
    for (CoreId& child : children) child = negation(child);
    kind = dual(kind);
  }
  std::ranges::sort(children);
  const CoreId made = add({kind, {}, std::move(children)});
  return is_turned ? add({CoreKind::negation, {}, {made}}) : made;
}

}  // namespace dcheck
