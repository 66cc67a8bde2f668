#pragma once
// A boolean expression over places, made ready to be decided on a whole row at once.
//
// A linear comparison a.m >= 0 splits into K(key) + L(lane) >= 0: one mask looked up by one number.
// `fireable` and `deadlock` are the plan's own tests. Everything else that mixes key and leaf is evaluated
// lane by lane.

#include <cstdint>
#include <span>
#include <vector>

#include "dcheck/net/expression.hpp"
#include "dcheck/rows/row_sum.hpp"

namespace dcheck {

class Plan;

class FireableGroups;

class RowPredicate {
 public:
  /// The plan's views, lanes and layout must be finished, and must outlive the predicate.
  RowPredicate(const Expression& predicate, const Plan& plan);

  /// Writes the lanes of `among` that satisfy the predicate in the row with this working key.
  void lanes(const Plan& plan, const std::uint64_t* working, const std::uint64_t* among, std::uint64_t* out) const;
  /// Has what it asks about transitions answered by these groups. @pre The plan has one lane.
  void ask_in_groups(FireableGroups& groups);
  /// Whether the row with this working key, which the groups have read, satisfies it. After ask_in_groups().
  bool holds(const Plan& plan, const std::uint64_t* working, const FireableGroups& groups) const {
    return holds(_root, plan, working, groups);
  }

 private:
  enum class Kind : std::uint8_t {
    always,
    never,
    linear,
    fireable,
    deadlock,
    one_marking,
    lane_by_lane,
    negation,
    conjunction,
    disjunction
  };
  struct Node {
    Kind kind = Kind::always;
    std::vector<std::uint32_t> children;
    Expression expression;                    // lane_by_lane
    std::uint32_t sum = 0;                    // linear: it is at least 0
    PlanTransition transition{};              // fireable
    std::optional<std::uint32_t> group = {};  // fireable, or a disjunction of them: where asked in groups
    // one_marking
    std::vector<std::uint64_t> working;
    Lane lane{};
  };

  std::uint32_t compile(const Expression& predicate, const Plan& plan);
  std::uint32_t compile_fireable(Transition transition, const Plan& plan);
  std::uint32_t compile_marking(std::span<const Tokens> marking, const Plan& plan);
  std::uint32_t compile_comparison(const Expression& comparison, const Plan& plan);
  std::uint32_t compile_at_least_zero(const LinearForm& form, const Expression& original, const Plan& plan);
  std::uint32_t add(Node node);
  std::uint32_t lane_by_lane(const Expression& predicate);
  bool holds(std::uint32_t at, const Plan& plan, const std::uint64_t* working, const FireableGroups& groups) const;
  void evaluate(std::uint32_t node, const Plan& plan, const std::uint64_t* working, const std::uint64_t* among,
                std::uint64_t* out) const;
  void combine(const Node& node, const Plan& plan, const std::uint64_t* working, const std::uint64_t* among,
               std::uint64_t* out) const;
  void evaluate_linear(const Node& node, const Plan& plan, const std::uint64_t* working, const std::uint64_t* among,
                       std::uint64_t* out) const;
  void evaluate_lanes(const Node& node, const Plan& plan, const std::uint64_t* working, const std::uint64_t* among,
                      std::uint64_t* out) const;

  std::vector<Node> _nodes;
  std::vector<RowSum> _sums;
  std::uint32_t _root = 0;
};

}  // namespace dcheck
