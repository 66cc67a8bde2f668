#include "support/explored.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "dcheck/net/net_builder.hpp"

namespace dcheck::test {

std::uint64_t depth_of(const NaiveGraph& graph) {
  std::vector<std::uint64_t> level(graph.states(), 0);  // states are in breadth-first order
  for (std::size_t from = 0; from < graph.states(); ++from)
    for (const NaiveArc& arc : graph.successors[from])
      if (arc.target > from && level[arc.target] == 0) level[arc.target] = level[from] + 1;
  return *std::max_element(level.begin(), level.end());
}

void expect_complete_counts(const Exploration& result, const NaiveGraph& truth, bool levels) {
  EXPECT_EQ(result.levels, levels ? std::optional(depth_of(truth)) : std::nullopt);
  EXPECT_TRUE(result.complete) << result.stop_reason;
  EXPECT_EQ(result.states, truth.states());
  EXPECT_EQ(result.arcs, truth.arcs);
  EXPECT_EQ(result.deadlocks, truth.deadlocks);
  EXPECT_EQ(result.max_tokens, truth.most_in_place);
  EXPECT_EQ(result.max_tokens_in_marking, truth.most_in_marking);
  EXPECT_GE(result.row_visits, result.rows);
  EXPECT_LE(result.row_operations, result.arcs);
}

Net guarded_net() {
  using E = Expression;
  NetBuilder build("guarded");
  const Place a = build.add_place("a");
  const Place b = build.add_place("b");
  const auto product_below = [](Place x, Place y, Tokens limit) {
    return E::of(E::Kind::less, {E::of(E::Kind::multiply, {E::tokens_in(x), E::tokens_in(y)}), E::constant_of(limit)});
  };
  const auto up = [&](const char* name, Place place, Expression guard) {
    const Transition t = build.add_transition(name);
    build.add_output(t, place, 1);
    build.add_guard(t, std::move(guard));
  };
  up("more_a", a, product_below(a, a, 90'000));
  up("more_b", b, E::of(E::Kind::conjunction, {product_below(a, b, 500), product_below(b, b, 100)}));
  build.add_input(build.add_transition("less_a"), a, 1);
  build.add_input(build.add_transition("less_b"), b, 1);
  return build.build();
}

}  // namespace dcheck::test
