// Formulas as core nodes: one test a rule, and what is large.

#include <gtest/gtest.h>

#include "dcheck/ctl/core.hpp"
#include "dcheck/net/net_builder.hpp"
#include "support/random_net.hpp"
#include "unit/parse_test_support.hpp"

namespace dcheck::test {
namespace {

class CoreFormula : public testing::Test {
 protected:
  CoreId node(std::string_view text) { return _pool.intern(parse_formula(text, "--ctl", _model)); }
  bool is_predicate(CoreId id) const {
    const CoreNode& node = _pool[id];
    return node.kind == CoreKind::atom ||
           (node.kind == CoreKind::negation && _pool[node.children[0]].kind == CoreKind::atom);
  }
  CoreKind kind(std::string_view text) { return _pool[node(text)].kind; }
  const CorePool& pool() const { return _pool; }
  void expect_same(std::string_view text, std::string_view other) { EXPECT_EQ(node(text), node(other)) << text; }
  void expect_different(std::string_view text, std::string_view other) { EXPECT_NE(node(text), node(other)) << text; }

 private:
  // a, b, c, d have no bound.
  const Model _model = spn(R"(
    place a init 1, b, c, d, left init 2, right;
    trans grow : a -> a + b + c + d;
    trans shrink : b + c + d ->;
    trans step : left -> right;
    trans never : 5 * left -> 5 * right;)");
  const Structure _structure = analyse(_model.net);
  CorePool _pool{_model.net, _structure};
};

TEST_F(CoreFormula, OtherOperatorsAreRewrittenToTheCore) {
  expect_same("EF b == 1", "E[true U b == 1]");
  expect_same("AF b == 1", "A[true U b == 1]");
  expect_same("AX b == 1", "!EX b != 1");
  expect_same("AG b == 1", "!EF b != 1");
  expect_same("EG b == 1", "!AF b != 1");
  EXPECT_EQ(kind("EX b == 1"), CoreKind::ex);
  EXPECT_EQ(kind("E[b == 1 U c == 1]"), CoreKind::eu);
  EXPECT_EQ(kind("A[b == 1 U c == 1]"), CoreKind::au);
}

TEST_F(CoreFormula, UntilKeepsTheOrderOfItsChildren) {
  const CoreNode until = pool()[node("E[b >= 1 U c >= 1]")];
  EXPECT_EQ(until.children, (std::vector{node("b >= 1"), node("c >= 1")}));
}

TEST_F(CoreFormula, ConstantsFoldAway) {
  for (const char* text : {"true", "EF true", "E[b == 1 U true]", "A[b == 1 U true]", "AG true", "EG true", "AX true",
                           "EF b == 1 || true", "left <= 2", "!fireable(never)"}) {
    EXPECT_EQ(node(text), CorePool::always) << text;
  }
  for (const char* text : {"false", "EX false", "E[b == 1 U false]", "A[b == 1 U false]", "AF false", "AG false",
                           "EX b == 1 && false", "left + right != 2", "EX fireable(never)"}) {
    EXPECT_EQ(node(text), CorePool::never) << text;
  }
  expect_same("E[false U b == 1]", "b == 1");
  expect_same("A[false U b == 1]", "b == 1");
  expect_same("EX b == 1 && true", "EX b == 1");
}

TEST_F(CoreFormula, ASuccessorExistsUnlessDead) {
  expect_same("EX true", "!deadlock");
  expect_same("AX false", "deadlock");
  EXPECT_EQ(kind("deadlock"), CoreKind::atom);
  EXPECT_EQ(kind("!deadlock"), CoreKind::negation);
}

TEST_F(CoreFormula, DoubleNegationsCancel) {
  expect_same("!!EX b == 1", "EX b == 1");
  expect_same("!AX !(b == 1)", "EX b == 1");
  expect_same("!(EX b == 1 && EX c == 1)", "!EX b == 1 || !EX c == 1");
  expect_same("!(AX b == 1 && EX c == 1)", "EX !(b == 1) || !EX c == 1");
}

TEST_F(CoreFormula, CombinationsAreFlatSortedAndWithoutDuplicates) {
  expect_same("EX b == 1 && AF c == 1 && EX b == 1", "AF c == 1 && EX b == 1");
  expect_same("(EX b == 1 && AF c == 1) && AF d == 1", "AF d == 1 && (EX b == 1 && AF c == 1)");
  expect_same("EX b == 1 && !(!AF c == 1 || !AF d == 1)", "EX b == 1 && AF c == 1 && AF d == 1");
  const CoreNode all = pool()[node("AF b == 1 && AF c == 1 && AF d == 1")];
  EXPECT_EQ(all.children.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(all.children));
}

TEST_F(CoreFormula, AFormulaAndItsNegationDecide) {
  EXPECT_EQ(node("EX b == 1 && c == 1 && !EX b == 1"), CorePool::never);
  EXPECT_EQ(node("EX b == 1 || AX b != 1"), CorePool::always);
  EXPECT_EQ(node("AF b == 1 || (c == 1 || EG b != 1)"), CorePool::always);
}

TEST_F(CoreFormula, CombinationsOfAtomsAreOneAtom) {
  EXPECT_TRUE(is_predicate(node("b == 1 && c == 1 || d == 1")));
  EXPECT_TRUE(is_predicate(node("!(b == 1) && !fireable(step) && c == 1")));
  const CoreNode mixed = pool()[node("b == 1 && EX c == 1 && !fireable(step) && d == 1")];
  ASSERT_EQ(mixed.kind, CoreKind::conjunction);
  EXPECT_EQ(std::set(mixed.children.begin(), mixed.children.end()),
            (std::set{node("b == 1 && !fireable(step) && d == 1"), node("EX c == 1")}));
  EXPECT_EQ(node("b == 1 && EX c == 1 && b == 2"), CorePool::never);
}

TEST_F(CoreFormula, OfAnAtomAndItsOppositeOneIsTheNegation) {
  for (const auto& [text, opposite] : {std::pair{"b >= 2", "b < 2"},
                                       {"fireable(step)", "!fireable(step)"},
                                       {"b == 1 && c == 1", "b != 1 || c != 1"},
                                       {"b * c < 3", "b * c >= 3"}}) {
    CoreId atom = node(text), other = node(opposite);
    if (pool()[atom].kind != CoreKind::atom) std::swap(atom, other);
    EXPECT_EQ(pool()[atom].kind, CoreKind::atom) << text;
    ASSERT_EQ(pool()[other].kind, CoreKind::negation) << text;
    EXPECT_EQ(pool()[other].children, std::vector{atom}) << text;
  }
}

TEST_F(CoreFormula, UntilsThatEndInUntilsCollapse) {
  expect_same("EF EF b == 1", "EF b == 1");
  expect_same("AF AF b == 1", "AF b == 1");
  expect_same("EF AF b == 1", "EF b == 1");
  expect_same("AF EF b == 1", "EF b == 1");
  expect_same("AG AG b == 1", "AG b == 1");
  expect_same("EG EG b == 1", "EG b == 1");
  expect_same("EG AG b == 1", "AG b == 1");
  expect_same("E[c == 1 U E[c == 1 U b == 1]]", "E[c == 1 U b == 1]");
  expect_same("E[c == 1 U A[c == 1 U b == 1]]", "E[c == 1 U b == 1]");
  expect_same("A[c == 1 U A[c == 1 U b == 1]]", "A[c == 1 U b == 1]");
  expect_same("A[c == 1 U E[c == 1 U b == 1]]", "E[c == 1 U b == 1]");
  expect_same("EF E[c == 1 U b == 1]", "EF b == 1");
  expect_same("EF A[c == 1 U b == 1]", "EF b == 1");
  expect_same("AF A[c == 1 U b == 1]", "AF b == 1");
  expect_same("E[c == 1 U EF b == 1]", "EF b == 1");
  expect_same("A[c == 1 U EF b == 1]", "EF b == 1");
  expect_same("A[c == 1 U AF b == 1]", "AF b == 1");
  expect_same("EF (d == 1 || AF b == 1)", "EF (d == 1 || b == 1)");
}

TEST_F(CoreFormula, WhatDoesNotCollapseStaysApart) {
  expect_different("E[c == 1 U AF b == 1]", "EF b == 1");
  expect_different("E[c == 1 U AF b == 1]", "AF b == 1");
  expect_different("AF E[c == 1 U b == 1]", "EF b == 1");
  expect_different("EF AG b == 1", "AG b == 1");
  expect_different("EF EX b == 1", "EF b == 1");
  expect_different("E[c == 1 U E[d == 1 U b == 1]]", "E[c == 1 U b == 1]");
}

TEST_F(CoreFormula, AnUntilOverItsOwnEndIsSimpler) {
  expect_same("E[b == 1 U b == 1]", "b == 1");
  expect_same("A[b == 1 U b == 1]", "b == 1");
  expect_same("E[b != 1 U b == 1]", "EF b == 1");
  expect_same("A[b != 1 U b == 1]", "AF b == 1");
}

TEST_F(CoreFormula, SearchesForOneOfSeveralEndsAreOneSearch) {
  expect_same("EF b == 1 || EF c == 1", "EF (b == 1 || c == 1)");
  expect_same("AG b == 1 && AG c == 1", "AG (b == 1 && c == 1)");
  expect_same("EX b == 1 || EX c == 1", "EX (b == 1 || c == 1)");
  expect_same("AX b == 1 && AX c == 1", "AX (b == 1 && c == 1)");
  expect_same("E[d == 1 U b == 1] || E[d == 1 U c == 1]", "E[d == 1 U b == 1 || c == 1]");
  EXPECT_EQ(node("EF b == 1 || EF b != 1"), CorePool::always);
  expect_different("EF b == 1 && EF c == 1", "EF (b == 1 && c == 1)");
  expect_different("AF b == 1 || AF c == 1", "AF (b == 1 || c == 1)");
}

TEST_F(CoreFormula, ASearchForAPredicateStaysOne) {
  const CoreId search = node("EF b == 1");
  const CoreNode either = pool()[node("EF b == 1 || EF EX c == 1")];
  ASSERT_EQ(either.kind, CoreKind::disjunction);
  EXPECT_NE(std::ranges::find(either.children, search), either.children.end());
}

TEST_F(CoreFormula, EqualFormulasShareTheirNode) {
  const CoreId first = node("AG (b + c <= d -> EF EX (c >= 2 && b == 1))");
  const std::size_t size = pool().size();
  EXPECT_EQ(node("AG (d >= c + b -> EF EX (b == 1 && 4 <= 2 * c))"), first);
  EXPECT_EQ(pool().size(), size);
}

TEST_F(CoreFormula, ChildrenHaveSmallerNumbers) {
  node("AG (b + c <= d -> E[EX c == 3 U A[!deadlock U c >= 2 && EG b == 1]])");
  for (CoreId id = 0; id < pool().size(); ++id) {
    for (const CoreId child : pool()[id].children) EXPECT_LT(child, id);
  }
}

/// Moves where a braced list would copy.
template <typename Tree, typename Kind>
void wrap(Tree& tree, Kind kind) {
  std::vector<Tree> child;
  child.push_back(std::move(tree));
  tree = Tree::of(kind, std::move(child));
}

TEST(CoreFormulaLimits, DeepFormulasAreInterned) {
  const Model model = spn("place p init 1, q, r; trans t : p -> p + q; trans u : q -> r; trans v : p -> r;");
  const Structure structure = analyse(model.net);
  CorePool pool(model.net, structure);
  constexpr int depth = 10'000;
  Formula chain = parse_formula("q >= 1", "f", model), ladder = chain, alternation = chain;
  const Formula step = parse_formula("EX r >= 2", "f", model);
  Expression predicate = chain.predicate;
  for (int i = 0; i < depth; ++i) {
    wrap(chain, Formula::Kind::ex);
    wrap(ladder, Formula::Kind::conjunction);
    ladder.children.push_back(step);
    wrap(alternation, i % 2 == 0 ? Formula::Kind::eg : Formula::Kind::ef);
    wrap(predicate, Expression::Kind::negation);
  }
  EXPECT_EQ(pool[pool.intern(chain)].kind, CoreKind::ex);
  EXPECT_EQ(pool[pool.intern(ladder)].children.size(), 2U);
  EXPECT_EQ(pool[pool.intern(alternation)].kind, CoreKind::eu);
  EXPECT_EQ(pool.intern(Formula::atom_of(std::move(predicate))), pool.intern(parse_formula("q >= 1", "f", model)));
  EXPECT_LT(pool.size(), 4U * depth);
}

TEST(CoreFormulaLimits, ManyFormulasWithManyAtomsAreInternedQuickly) {
  NetBuilder builder("wide");
  for (int p = 0; p < 1'000; ++p) builder.add_place("p" + std::to_string(p), 1);
  const Transition t = builder.add_transition("t");
  for (std::uint32_t p = 0; p < 1'000; ++p) builder.add_output(t, Place{p}, 1);
  const Net net = builder.build();
  const Structure structure = analyse(net);
  CorePool pool(net, structure);
  Dice dice(7);
  for (int i = 0; i < 1'000; ++i) {
    std::vector<Formula> parts;
    for (int k = 0; k < 200; ++k) {
      parts.push_back(Formula::atom_of(
          Expression::of(Expression::Kind::less_equal,
                         {Expression::constant_of(dice.between(1, 9)),
                          Expression::tokens_in(Place{static_cast<std::uint32_t>(dice.between(0, 999))})})));
      parts.push_back(Formula::of(Formula::Kind::ex, {parts.back()}));
    }
    pool.intern(Formula::of(Formula::Kind::conjunction, std::move(parts)));
  }
  EXPECT_GT(pool.size(), 1'000U);
}

}  // namespace
}  // namespace dcheck::test
