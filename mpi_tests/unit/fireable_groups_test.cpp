// What predicates ask about transitions, answered in groups, against each transition by itself.

#include "dcheck/rows/fireable_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "dcheck/parse/model.hpp"
#include "dcheck/rows/firing.hpp"
#include "dcheck/rows/predicate.hpp"
#include "support/naive_explorer.hpp"
#include "support/paths.hpp"
#include "support/random_net.hpp"

namespace dcheck::test {
namespace {

/// A net with a plan for rows of one lane, and markings of it.
struct Case {
  Case(Net of, const PlanRequest& request, std::vector<std::vector<Tokens>> found)
      : net(std::move(of)), plan(make_plan(net, analyse(net), request)), markings(std::move(found)) {}
  Case(const Case&) = delete;  // the plan knows where the net is
  Case& operator=(const Case&) = delete;

  const Net net;
  const Plan plan;
  const std::vector<std::vector<Tokens>> markings;

  std::vector<std::uint64_t> working(std::span<const Tokens> marking) const {
    std::vector<std::uint64_t> key(plan.layout().working_words());
    plan.layout().decode(plan.stored_key(marking).data(), key.data());
    return key;
  }
};

/// All states of a small net, and a plan whose fields hold them; null where the net is not small.
std::unique_ptr<Case> random_case(std::uint64_t seed) {
  Net net = random_net(seed);
  NaiveGraph truth = explore_naively(net, {300, 300});
  if (!truth.is_complete() || net.place_count() == 0) return nullptr;
  PlanRequest request;
  for (std::size_t p = 0; p < net.place_count(); ++p) request.min_width.push_back(9);
  return std::make_unique<Case>(std::move(net), request, std::move(truth.markings));
}

/// So many transitions that only those are looked at which a marked field wakes.
std::unique_ptr<Case> philosophers() {
  Net net = read_model(source_dir() + "/models/philosophers.spn", {{"N", "12"}}).net;
  NaiveGraph part = explore_naively(net, {500, 300});
  return std::make_unique<Case>(std::move(net), PlanRequest{}, std::move(part.markings));
}

std::vector<PlanTransition> random_group(Dice& dice, const Plan& plan) {
  std::vector<PlanTransition> group;
  if (plan.transitions().empty()) return group;
  for (auto n = dice.between(0, dice.one_in(4) ? 30 : 3); n > 0; --n)
    group.push_back(static_cast<PlanTransition>(dice.next() % plan.transitions().size()));
  return group;
}

void expect_groups(const Case& of, Dice& dice) {
  FireableGroups groups(of.plan);
  std::vector<std::vector<PlanTransition>> asked;
  std::vector<std::uint32_t> numbers;
  for (auto n = dice.between(1, 200); n > 0; --n) {  // more than a word has bits
    asked.push_back(random_group(dice, of.plan));
    numbers.push_back(groups.add(asked.back()));
  }
  groups.add_deadlock();
  groups.finish();
  for (const std::vector<Tokens>& marking : of.markings) {
    const auto is_enabled = [&](PlanTransition t) {
      return is_naively_enabled(of.net, of.plan.transition(t).id, marking);
    };
    groups.read(of.working(marking).data());
    for (std::size_t i = 0; i < asked.size(); ++i)
      ASSERT_EQ(groups.is_fireable(numbers[i]), std::ranges::any_of(asked[i], is_enabled));
    bool is_deadlock = true;
    for (const PlanTransition t : of.plan.all_transitions()) is_deadlock = is_deadlock && !is_enabled(t);
    ASSERT_EQ(groups.is_deadlock(), is_deadlock);
  }
}

TEST(FireableGroups, SayWhetherOneOfTheirTransitionsIsEnabled) {
  std::size_t cases = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const std::unique_ptr<Case> random = random_case(seed);
    if (!random) continue;
    Dice dice(seed);
    expect_groups(*random, dice);
    if (HasFatalFailure()) return;
    ++cases;
  }
  EXPECT_GT(cases, 100U);
}

TEST(FireableGroups, SayTheSameWhereMarkedFieldsWakeTransitions) {
  const std::unique_ptr<Case> large = philosophers();
  ASSERT_GT(large->plan.transitions().size(), watch_threshold);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Dice dice(seed);
    expect_groups(*large, dice);
  }
}

TEST(FireableGroups, AreTheSameWhereTheyHaveTheSameTransitions) {
  const std::unique_ptr<Case> large = philosophers();
  FireableGroups groups(large->plan);
  const PlanTransition a{1}, b{2}, c{3};
  const std::uint32_t first = groups.add({a, b});
  EXPECT_EQ(groups.add({b, a, b}), first);
  EXPECT_NE(groups.add({a, c}), first);
  EXPECT_NE(groups.add({}), first);
}

/// Much about transitions, under and, or, not.
Expression random_question(Dice& dice, const Net& net, int depth) {
  using Kind = Expression::Kind;
  if (depth == 0 || dice.one_in(6)) {
    if (dice.one_in(6)) return Expression::of(Kind::deadlock);
    if (dice.one_in(8)) return Expression::of(Kind::initial);
    if (dice.one_in(4) || net.transition_count() == 0) return random_predicate(dice, net.place_count());
    return Expression::fireable_of(static_cast<Transition>(dice.next() % net.transition_count()));
  }
  if (dice.one_in(3)) return Expression::of(Kind::negation, {random_question(dice, net, depth - 1)});
  std::vector<Expression> children;
  for (auto n = dice.between(0, 5); n > 0; --n) children.push_back(random_question(dice, net, depth - 1));
  return Expression::of(dice.one_in(2) ? Kind::conjunction : Kind::disjunction, std::move(children));
}

TEST(FireableGroups, AnswerManyPredicatesInOneReadingOfARow) {
  std::size_t answers[2] = {};
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::unique_ptr<Case> random = random_case(seed);
    if (!random) continue;
    Dice dice(seed);
    std::vector<Expression> predicates;
    for (auto n = dice.between(1, 70); n > 0; --n) predicates.push_back(random_question(dice, random->net, 3));
    FireableGroups groups(random->plan);
    std::vector<RowPredicate> compiled;
    for (const Expression& predicate : predicates) {
      compiled.emplace_back(predicate, random->plan);
      compiled.back().ask_in_groups(groups);
    }
    groups.finish();
    for (const std::vector<Tokens>& marking : random->markings) {
      const std::vector<std::uint64_t> working = random->working(marking);
      groups.read(working.data());
      for (std::size_t i = 0; i < predicates.size(); ++i) {
        const bool expected = holds_naively(predicates[i], random->net, marking);
        ASSERT_EQ(compiled[i].holds(random->plan, working.data(), groups), expected) << "seed " << seed << ", " << i;
        ++answers[expected ? 1 : 0];
      }
    }
  }
  EXPECT_GT(answers[0], 10'000U);
  EXPECT_GT(answers[1], 10'000U);
}

}  // namespace
}  // namespace dcheck::test
