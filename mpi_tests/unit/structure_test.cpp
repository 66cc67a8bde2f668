// What analyse() says, against the reference explorer and against textbook algorithms too slow for use.

#include "dcheck/net/structure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "dcheck/net/net_builder.hpp"
#include "support/naive_explorer.hpp"
#include "support/random_net.hpp"

namespace dcheck {
namespace {

using test::explore_naively;
using test::NaiveGraph;
using test::random_net;

using Vector = std::vector<Tokens>;

Vector dense(const Invariant& invariant, std::size_t places) {
  Vector result(places, 0);
  for (const LinearForm::Term& term : invariant.terms) result[index(term.place)] = term.coefficient;
  return result;
}

Tokens value_in(const Invariant& invariant, const Vector& marking) {
  Tokens sum = 0;
  for (const LinearForm::Term& term : invariant.terms) sum += term.coefficient * marking[index(term.place)];
  return sum;
}

Vector effect_of(const Net& net, std::uint32_t t) {
  Vector result(net.place_count(), 0);
  for (const Arc& arc : net.effect(Transition{t})) result[index(arc.place)] = arc.weight;
  return result;
}

/// Textbook elimination modulo a prime; small matrices of small numbers keep their rank there.
std::size_t rank_of(std::vector<Vector> rows) {
  constexpr Tokens prime = 1'000'000'007;
  const auto inverse = [](Tokens a) {
    Tokens result = 1;
    for (Tokens e = prime - 2; e > 0; e /= 2, a = a * a % prime) {
      if (e % 2 == 1) result = result * a % prime;
    }
    return result;
  };
  std::size_t rank = 0;
  const std::size_t columns = rows.empty() ? 0 : rows[0].size();
  for (Vector& row : rows) {
    for (Tokens& x : row) x = (x % prime + prime) % prime;
  }
  for (std::size_t c = 0; c < columns && rank < rows.size(); ++c) {
    const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(rank), rows.end(),
                                    [&](const Vector& row) { return row[c] != 0; });
    if (pivot == rows.end()) continue;
    std::swap(*pivot, rows[rank]);
    for (std::size_t r = rank + 1; r < rows.size(); ++r) {
      const Tokens factor = rows[r][c] * inverse(rows[rank][c]) % prime;
      for (std::size_t k = c; k < columns; ++k) {
        rows[r][k] = ((rows[r][k] - factor * rows[rank][k]) % prime + prime) % prime;
      }
    }
    ++rank;
  }
  return rank;
}

/// Farkas' algorithm as in the textbooks, then the rows of minimal support, primitive.
std::set<Vector> farkas(const Net& net) {
  struct Row {
    Vector effects, places;
  };
  std::vector<Row> rows(net.place_count(), {Vector(net.transition_count(), 0), Vector(net.place_count(), 0)});
  for (std::size_t p = 0; p < rows.size(); ++p) rows[p].places[p] = 1;
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    for (const Arc& arc : net.effect(Transition{t})) rows[index(arc.place)].effects[t] = arc.weight;
  }
  const auto is_within = [](const Vector& a, const Vector& b) {
    for (std::size_t p = 0; p < a.size(); ++p) {
      if (a[p] != 0 && b[p] == 0) return false;
    }
    return true;
  };
  for (std::uint32_t t = 0; t < net.transition_count(); ++t) {
    std::vector<Row> next;
    for (const Row& row : rows) {
      if (row.effects[t] == 0) next.push_back(row);
    }
    for (const Row& up : rows) {
      for (const Row& down : rows) {
        if (up.effects[t] <= 0 || down.effects[t] >= 0) continue;
        Row sum = up;
        Tokens divisor = 0;
        const auto combine = [&](Vector& to, const Vector& other) {
          for (std::size_t i = 0; i < to.size(); ++i) {
            to[i] = -down.effects[t] * to[i] + up.effects[t] * other[i];
            divisor = std::gcd(divisor, to[i]);
          }
        };
        combine(sum.effects, down.effects);
        combine(sum.places, down.places);
        for (Tokens& x : sum.effects) x /= divisor;
        for (Tokens& x : sum.places) x /= divisor;
        next.push_back(std::move(sum));
      }
    }
    rows.clear();
    for (std::size_t i = 0; i < next.size(); ++i) {
      const bool is_minimal = std::ranges::none_of(next, [&](const Row& other) {
        return is_within(other.places, next[i].places) && !is_within(next[i].places, other.places);
      });
      const bool is_first = std::none_of(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(i),
                                         [&](const Row& other) { return other.places == next[i].places; });
      if (is_minimal && is_first) rows.push_back(next[i]);
    }
  }
  std::set<Vector> result;
  for (Row& row : rows) {
    const Tokens divisor = std::accumulate(row.places.begin(), row.places.end(), Tokens{0},
                                           [](Tokens a, Tokens b) { return std::gcd(a, b); });
    for (Tokens& x : row.places) x /= divisor;
    result.insert(row.places);
  }
  return result;
}

Net kanban(Tokens n) {
  NetBuilder builder("kanban");
  const auto cell = [&](const char* kind, Tokens tokens) {
    std::vector<Place> places;
    for (int i = 1; i <= 4; ++i) places.push_back(builder.add_place(kind + std::to_string(i), tokens));
    return places;
  };
  const auto pm = cell("pm", 0), pback = cell("pback", 0), pout = cell("pout", 0), pkan = cell("pkan", n);
  const auto add = [&](const std::string& name, const std::vector<Place>& in, const std::vector<Place>& out) {
    const Transition t = builder.add_transition(name);
    for (const Place p : in) builder.add_input(t, p, 1);
    for (const Place p : out) builder.add_output(t, p, 1);
  };
  for (std::size_t i = 0; i < 4; ++i) {
    add("ok" + std::to_string(i), {pm[i]}, {pout[i]});
    add("back" + std::to_string(i), {pm[i]}, {pback[i]});
    add("redo" + std::to_string(i), {pback[i]}, {pm[i]});
  }
  add("in", {pkan[0]}, {pm[0]});
  add("out", {pout[3]}, {pkan[3]});
  add("sync1", {pout[0], pkan[1], pkan[2]}, {pkan[0], pm[1], pm[2]});
  add("sync2", {pout[1], pout[2], pkan[3]}, {pkan[1], pkan[2], pm[3]});
  return builder.build();
}

TEST(Analyse, InvariantsAreAPrimitiveBasisThatHoldsInEveryReachableMarking) {
  std::size_t invariants = 0;
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    const Net net = random_net(seed);
    const Structure structure = analyse(net);
    const NaiveGraph graph = explore_naively(net, {.states = 300, .tokens = 50});
    std::vector<Vector> basis, effects;
    for (std::uint32_t t = 0; t < net.transition_count(); ++t) effects.push_back(effect_of(net, t));
    for (const Invariant& invariant : structure.invariants) {
      basis.push_back(dense(invariant, net.place_count()));
      Tokens divisor = 0;
      for (const LinearForm::Term& term : invariant.terms) divisor = std::gcd(divisor, term.coefficient);
      ASSERT_EQ(divisor, 1) << "seed " << seed;
      for (const Vector& marking : graph.markings) ASSERT_EQ(value_in(invariant, marking), invariant.constant);
      for (const Vector& effect : effects) ASSERT_EQ(value_in(invariant, effect), 0) << "seed " << seed;
    }
    ASSERT_EQ(basis.size(), net.place_count() - rank_of(effects)) << "seed " << seed;
    ASSERT_EQ(rank_of(basis), basis.size()) << "seed " << seed;
    invariants += basis.size();
  }
  EXPECT_GT(invariants, 1'500U);
}

TEST(Analyse, SemiflowsAreThoseOfFarkas) {
  std::size_t semiflows = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    const Net net = random_net(seed);
    std::set<Vector> found;
    for (const Invariant& semiflow : analyse(net).semiflows) found.insert(dense(semiflow, net.place_count()));
    ASSERT_EQ(found, farkas(net)) << "seed " << seed;
    semiflows += found.size();
  }
  EXPECT_GT(semiflows, 1'000U);
}

TEST(Analyse, SemiflowsOfASmallBudgetAreSomeOfAll) {
  std::size_t fewer = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Net net = random_net(seed);
    const std::set<Vector> all = farkas(net);
    for (const std::size_t budget : {0, 1, 2}) {
      const auto semiflows = analyse(net, budget).semiflows;
      for (const Invariant& semiflow : semiflows) {
        ASSERT_TRUE(all.contains(dense(semiflow, net.place_count()))) << "seed " << seed;
      }
      fewer += semiflows.size() < all.size() ? 1 : 0;
    }
  }
  EXPECT_GT(fewer, 10U);
}

TEST(Analyse, BoundsAreNeverExceededAndDeadTransitionsNeverFire) {
  std::size_t bounds = 0, exact = 0, dead = 0;
  for (std::uint64_t seed = 0; seed < 1'500; ++seed) {
    const Net net = random_net(seed);
    const Structure structure = analyse(net);
    const NaiveGraph graph = explore_naively(net, {.states = 1'000, .tokens = 50});
    for (std::size_t p = 0; p < net.place_count(); ++p) {
      if (!structure.bounds[p]) continue;
      ASSERT_LE(graph.most_in_place[p], *structure.bounds[p]) << "seed " << seed;
      ++bounds;
      exact += graph.most_in_place[p] == *structure.bounds[p] ? 1 : 0;
    }
    for (const auto& arcs : graph.successors) {
      for (const test::NaiveArc& arc : arcs) {
        ASSERT_FALSE(std::ranges::binary_search(structure.dead, arc.transition)) << "seed " << seed;
      }
    }
    dead += structure.dead.size();
  }
  EXPECT_GT(bounds, 2'500U);
  EXPECT_GT(exact, bounds / 2);
  EXPECT_GT(dead, 500U);
}

/// One semiflow a cell, and two more: cells 2 and 3 take and give back their cards together, so that
/// either's card completes the other's places.
TEST(Analyse, KanbanHasFiveInvariantsAndSixSemiflows) {
  const Net net = kanban(5);
  const Structure structure = analyse(net);
  ASSERT_EQ(structure.semiflows.size(), 6U);
  EXPECT_EQ(structure.invariants.size(), 5U);
  EXPECT_EQ(farkas(net).size(), 6U);
  for (const Invariant& semiflow : structure.semiflows) {
    EXPECT_EQ(semiflow.terms.size(), 4U);
    EXPECT_EQ(semiflow.constant, 5);
  }
  for (const auto& bound : structure.bounds) EXPECT_EQ(bound, 5);
  EXPECT_TRUE(structure.dead.empty());
}

TEST(Analyse, IsTheSameEveryTime) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Net net = random_net(seed);
    const Structure a = analyse(net), b = analyse(net);
    ASSERT_EQ(a.invariants.size(), b.invariants.size());
    for (std::size_t i = 0; i < a.invariants.size(); ++i) ASSERT_EQ(a.invariants[i].terms, b.invariants[i].terms);
    ASSERT_EQ(a.semiflows.size(), b.semiflows.size());
    for (std::size_t i = 0; i < a.semiflows.size(); ++i) ASSERT_EQ(a.semiflows[i].terms, b.semiflows[i].terms);
  }
}

TEST(Analyse, NetsWithoutPlacesOrTransitionsAreFine) {
  const Structure nothing = analyse(NetBuilder("n").build());
  EXPECT_TRUE(nothing.invariants.empty());
  EXPECT_TRUE(nothing.bounds.empty());
  NetBuilder builder("n");
  builder.add_place("p", 3);
  const Structure lonely = analyse(builder.build());
  ASSERT_EQ(lonely.invariants.size(), 1U);
  EXPECT_EQ(lonely.invariants[0].constant, 3);
  EXPECT_EQ(lonely.bounds[0], 3);
  builder.add_transition("t");
  EXPECT_TRUE(analyse(builder.build()).invariants.empty());
}

TEST(Bounds, PlacesThatAreOnlyTakenFromKeepTheirInitialTokensAtMost) {
  NetBuilder builder("n");
  const Place from = builder.add_place("from", 7);
  const Place to = builder.add_place("to", 1);
  const Transition t = builder.add_transition("t");
  builder.add_input(t, from, 2);
  builder.add_output(t, to, 3);
  const Transition drop = builder.add_transition("drop");
  builder.add_input(drop, to, 1);
  const Structure structure = analyse(builder.build());
  EXPECT_EQ(structure.bounds[index(from)], 7);
  EXPECT_EQ(structure.bounds[index(to)], 1 + 3 * 3);  // t fires three times at most
}

TEST(Bounds, AnUnmarkedSiphonStaysEmptyAndItsTransitionsAreDead) {
  NetBuilder builder("n");
  const Place a = builder.add_place("a"), b = builder.add_place("b"), c = builder.add_place("c", 1);
  const Transition there = builder.add_transition("there"), back = builder.add_transition("back");
  builder.add_input(there, a, 1);
  builder.add_output(there, b, 2);
  builder.add_input(back, b, 1);
  builder.add_output(back, a, 1);
  builder.add_output(back, c, 1);
  const Structure structure = analyse(builder.build());
  EXPECT_EQ(structure.bounds[index(a)], 0);
  EXPECT_EQ(structure.bounds[index(b)], 0);
  EXPECT_EQ(structure.bounds[index(c)], 1);
  EXPECT_EQ(structure.dead, (std::vector<Transition>{there, back}));
}

TEST(Bounds, ACycleThatLosesTokensIsBoundedWithoutASemiflow) {
  NetBuilder builder("n");
  const Place a = builder.add_place("a", 2), b = builder.add_place("b", 1);
  const Transition there = builder.add_transition("there"), back = builder.add_transition("back"),
                   lose = builder.add_transition("lose");
  builder.add_input(there, a, 1);
  builder.add_output(there, b, 1);
  builder.add_input(back, b, 1);
  builder.add_output(back, a, 1);
  builder.add_input(lose, b, 1);
  const Structure structure = analyse(builder.build());
  EXPECT_TRUE(structure.invariants.empty());
  EXPECT_EQ(structure.bounds[index(a)], 3);
  EXPECT_EQ(structure.bounds[index(b)], 3);
}

TEST(Bounds, TheStateEquationSharpensWhatSemiflowsSay) {
  // a + c = 2 allows two tokens in c, but c takes one from a and one from d at a time, and d has one.
  NetBuilder builder("n");
  const Place a = builder.add_place("a", 2), c = builder.add_place("c"), d = builder.add_place("d", 1);
  const Transition t = builder.add_transition("t"), back = builder.add_transition("back");
  builder.add_input(t, a, 1);
  builder.add_input(t, d, 1);
  builder.add_output(t, c, 1);
  builder.add_input(back, c, 1);
  builder.add_output(back, a, 1);
  const Structure structure = analyse(builder.build());
  ASSERT_EQ(structure.semiflows.size(), 1U);
  EXPECT_EQ(structure.semiflows[0].constant, 2);
  EXPECT_EQ(structure.bounds[index(c)], 1);
}

TEST(Bounds, AnUnboundedPlaceHasNone) {
  NetBuilder builder("n");
  const Place on = builder.add_place("on", 1), count = builder.add_place("count");
  const Transition t = builder.add_transition("t");
  builder.add_input(t, on, 1);
  builder.add_output(t, on, 1);
  builder.add_output(t, count, 1);
  const Structure structure = analyse(builder.build());
  EXPECT_EQ(structure.bounds[index(on)], 1);
  EXPECT_EQ(structure.bounds[index(count)], std::nullopt);
}

TEST(Bounds, InhibitorArcsAndGuardsOnAllProducersBoundAPlace) {
  NetBuilder builder("n");
  const Place p = builder.add_place("p"), q = builder.add_place("q"), r = builder.add_place("r");
  const Transition fill = builder.add_transition("fill");
  builder.add_output(fill, p, 3);
  builder.add_inhibitor(fill, p, 5);
  const Transition pour = builder.add_transition("pour");
  builder.add_output(pour, q, 2);
  builder.add_guard(
      pour, Expression::of(Expression::Kind::less,
                           {Expression::of(Expression::Kind::add, {Expression::tokens_in(q), Expression::tokens_in(p)}),
                            Expression::constant_of(9)}));
  const Transition leak = builder.add_transition("leak");
  builder.add_output(leak, r, 1);
  builder.add_inhibitor(leak, p, 1);
  const Net net = builder.build();
  const Structure structure = analyse(net);
  EXPECT_EQ(structure.bounds[index(p)], 7);
  EXPECT_EQ(structure.bounds[index(q)], 10);
  EXPECT_EQ(structure.bounds[index(r)], std::nullopt);
}

}  // namespace
}  // namespace dcheck
