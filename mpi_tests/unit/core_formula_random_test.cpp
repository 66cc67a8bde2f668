// Random formulas as core nodes, against textbook labelling.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "dcheck/ctl/core.hpp"
#include "dcheck/ctl/text.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_formula.hpp"
#include "support/random_net.hpp"
#include "support/reference_checker.hpp"

namespace dcheck::test {
namespace {

/// Labels one node of the pool after the other, by the definition of its kind.
class NodeLabels {
 public:
  NodeLabels(const CorePool& pool, const Net& net, const NaiveGraph& graph) : _net(net), _graph(graph) {
    for (CoreId id = 0; id < pool.size(); ++id) _labels.push_back(labelled(pool[id]));
  }

  const std::vector<bool>& of(CoreId id) const { return _labels[id]; }

 private:
  std::vector<bool> labelled(const CoreNode& node) const {
    std::vector<bool> label(_graph.states());
    if (node.kind == CoreKind::eu || node.kind == CoreKind::au) {
      label = _labels[node.children[1]];
      for (bool is_changing = true; is_changing;) {
        is_changing = false;
        for (std::size_t state = 0; state < label.size(); ++state) {
          if (label[state] || !_labels[node.children[0]][state] || !steps_into(label, state, node.kind)) continue;
          label[state] = is_changing = true;
        }
      }
    } else {
      for (std::size_t state = 0; state < label.size(); ++state) label[state] = holds(node, state);
    }
    return label;
  }

  bool steps_into(const std::vector<bool>& label, std::size_t state, CoreKind kind) const {
    const auto& arcs = _graph.successors[state];
    const auto leads_in = [&](const NaiveArc& arc) { return label[arc.target]; };
    if (kind == CoreKind::au) return !arcs.empty() && std::ranges::all_of(arcs, leads_in);
    return std::ranges::any_of(arcs, leads_in);
  }

  bool holds(const CoreNode& node, std::size_t state) const {
    const auto child_holds = [&](CoreId child) { return _labels[child][state]; };
    switch (node.kind) {
      case CoreKind::always:
        return true;
      case CoreKind::atom:
        return holds_naively(node.predicate, _net, _graph.markings[state]);
      case CoreKind::negation:
        return !child_holds(node.children[0]);
      case CoreKind::conjunction:
        return std::ranges::all_of(node.children, child_holds);
      case CoreKind::disjunction:
        return std::ranges::any_of(node.children, child_holds);
      case CoreKind::ex:
        return steps_into(_labels[node.children[0]], state, CoreKind::eu);
      default:
        return false;
    }
  }

  const Net& _net;
  const NaiveGraph& _graph;
  std::vector<std::vector<bool>> _labels;
};

bool is_normal(const CorePool& pool, CoreId id) {
  using K = Expression::Kind;
  const CoreNode& node = pool[id];
  if (node.kind == CoreKind::atom) {
    return node.predicate.kind != K::negation && node.predicate.kind != K::always && node.predicate.kind != K::never;
  }
  if (node.kind == CoreKind::conjunction || node.kind == CoreKind::disjunction) {
    const auto is_nested = [&](CoreId child) { return pool[child].kind == node.kind || child <= CorePool::never; };
    return node.children.size() > 1 && std::ranges::is_sorted(node.children) &&
           std::ranges::adjacent_find(node.children) == node.children.end() &&
           std::ranges::none_of(node.children, is_nested);
  }
  if (node.kind == CoreKind::negation) {
    return node.children[0] > CorePool::never && pool[node.children[0]].kind != CoreKind::negation;
  }
  return true;
}

/// Interns formulas over one net and compares every node with the labels of its formula.
class RandomCase {
 public:
  explicit RandomCase(std::uint64_t seed)
      : _seed(seed), _net(random_net(seed)), _graph(explore_naively(_net, {.states = 300, .tokens = 50})) {}

  const Net& net() const { return _net; }
  bool is_complete() const { return _graph.is_complete(); }
  bool has_deadlocks() const { return _graph.deadlocks > 0; }

  /// True where the formula turned out to be constant.
  bool add(Formula formula) {
    const CoreId id = _pool.intern(formula);
    EXPECT_EQ(_pool.intern(formula), id);
    const Formula negation = Formula::of(Formula::Kind::negation, {formula});
    EXPECT_EQ(_pool.intern(Formula::of(Formula::Kind::negation, {negation})), id) << text_of(formula, _net);
    _interned.emplace_back(std::move(formula), id);
    return id <= CorePool::never;
  }

  void judge() const {
    for (CoreId id = 0; id < _pool.size(); ++id) ASSERT_TRUE(is_normal(_pool, id)) << "seed " << _seed;
    const NodeLabels labels(_pool, _net, _graph);
    for (const auto& [formula, id] : _interned) {
      ASSERT_EQ(labels.of(id), satisfying_states(formula, _net, _graph))
          << "seed " << _seed << ": " << text_of(formula, _net);
    }
  }

 private:
  std::uint64_t _seed;
  Net _net;
  NaiveGraph _graph;
  Structure _structure = analyse(_net);
  CorePool _pool{_net, _structure};
  std::vector<std::pair<Formula, CoreId>> _interned;
};

TEST(CoreFormulaRandom, NodesAgreeWithTheirFormulasInEveryReachableState) {
  std::size_t formulas = 0, with_deadlocks = 0, decided = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    RandomCase random(seed);
    if (!random.is_complete()) continue;
    with_deadlocks += random.has_deadlocks() ? 1 : 0;
    Dice dice(seed);
    for (int i = 0; i < 25; ++i) {
      decided += random.add(random_formula(dice, random.net(), 1 + i % 5)) ? 1 : 0;
      ++formulas;
    }
    random.judge();
  }
  EXPECT_GT(formulas, 5'000U);
  EXPECT_GT(with_deadlocks, 100U);
  EXPECT_LT(decided, formulas / 2);
}

/// Every operator over two atoms, so that equal and opposite parts meet all the time.
Formula crowded_formula(Dice& dice, const Net& net, int depth) {
  using Kind = Formula::Kind;
  if (depth == 0 || dice.one_in(8)) {
    if (dice.one_in(2)) return Formula::atom_of(Expression::fireable_of(Transition{0}));
    const auto place = static_cast<std::uint32_t>(net.place_count() - 1);
    return Formula::atom_of(Expression::of(Expression::Kind::less_equal,
                                           {Expression::constant_of(1), Expression::tokens_in(Place{place})}));
  }
  const auto kind = static_cast<Kind>(dice.between(static_cast<int>(Kind::negation), static_cast<int>(Kind::au)));
  const bool is_binary = kind == Kind::conjunction || kind == Kind::disjunction || kind == Kind::eu || kind == Kind::au;
  std::vector<Formula> children{crowded_formula(dice, net, depth - 1)};
  if (is_binary) children.push_back(crowded_formula(dice, net, depth - 1));
  return Formula::of(kind, std::move(children));
}

TEST(CoreFormulaRandom, RulesHoldWhereEqualPartsMeet) {
  std::size_t formulas = 0;
  for (std::uint64_t seed = 1'000; seed < 1'600; ++seed) {
    RandomCase random(seed);
    if (!random.is_complete()) continue;
    Dice dice(seed);
    for (int i = 0; i < 60; ++i, ++formulas) random.add(crowded_formula(dice, random.net(), 2 + i % 4));
    random.judge();
  }
  EXPECT_GT(formulas, 15'000U);
}

}  // namespace
}  // namespace dcheck::test
