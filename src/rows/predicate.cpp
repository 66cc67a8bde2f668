#include "dcheck/rows/predicate.hpp"

#include <algorithm>
#include <array>

#include "dcheck/base/narrow.hpp"
#include "dcheck/rows/fireable_groups.hpp"
#include "dcheck/rows/firing.hpp"

namespace dcheck {

namespace {
using MaskBuffer = std::array<std::uint64_t, max_lanes / 64>;

void keep_fireable(const Plan& plan, const RowTransition& t, const std::uint64_t* working, const std::uint64_t* among,
                   std::uint64_t* out) {
  const MaskOps<0> ops(plan.words());
  if (!key_passes(plan, t.before, working)) return ops.store(out, ops.zero());
  Mask<0> lanes = ops.load(among);
  keep_enabled(plan, t, working, ops, lanes);
  ops.store(out, lanes);
}

void keep_dead(const Plan& plan, const std::uint64_t* working, const std::uint64_t* among, std::uint64_t* out) {
  const MaskOps<0> ops(plan.words());
  Mask<0> dead = ops.load(among);
  const auto is_open = [&](const RowTransition&) { return ops.any(dead); };
  for_each_left(plan, working, is_open, [&](const RowTransition& t) {
    Mask<0> enabled = dead;
    keep_enabled(plan, t, working, ops, enabled);
    ops.drop(dead, enabled.word.data());
  });
  ops.store(out, dead);
}

}  // namespace

RowPredicate::RowPredicate(const Expression& predicate, const Plan& plan) {
  _root = compile(predicate, plan);
}

std::uint32_t RowPredicate::add(Node node) {
  _nodes.push_back(std::move(node));
  return narrow<std::uint32_t>(_nodes.size() - 1);
}

std::uint32_t RowPredicate::lane_by_lane(const Expression& predicate) {
  Node node;
  node.kind = Kind::lane_by_lane;
  node.expression = predicate;
  return add(std::move(node));
}

std::uint32_t RowPredicate::compile(const Expression& predicate, const Plan& plan) {
  using E = Expression::Kind;
  Node node;
  switch (predicate.kind) {
    case E::always:
      return add(std::move(node));
    case E::never:
      node.kind = Kind::never;
      return add(std::move(node));
    case E::negation:
    case E::conjunction:
    case E::disjunction:
      node.kind = predicate.kind == E::negation      ? Kind::negation
                  : predicate.kind == E::conjunction ? Kind::conjunction
                                                     : Kind::disjunction;
      for (const Expression& child : predicate.children) node.children.push_back(compile(child, plan));
      return add(std::move(node));
    case E::less:
    case E::less_equal:
    case E::equal:
    case E::not_equal:
      return compile_comparison(predicate, plan);
    case E::fireable:
      return compile_fireable(predicate.transition, plan);
    case E::deadlock:
      node.kind = Kind::deadlock;
      return add(std::move(node));
    case E::initial:
      return compile_marking(plan.net().initial(), plan);
    default:
      return lane_by_lane(predicate);
  }
}

/// A transition that the plan left out can never fire.
std::uint32_t RowPredicate::compile_fireable(Transition transition, const Plan& plan) {
  const auto& all = plan.transitions();
  const auto found = std::lower_bound(all.begin(), all.end(), transition,
                                      [](const RowTransition& t, Transition id) { return t.id < id; });
  Node node;
  node.kind = found != all.end() && found->id == transition ? Kind::fireable : Kind::never;
  node.transition = static_cast<PlanTransition>(found - all.begin());
  return add(std::move(node));
}

std::uint32_t RowPredicate::compile_marking(std::span<const Tokens> marking, const Plan& plan) {
  Node node;
  node.kind = Kind::one_marking;
  node.working.resize(plan.layout().working_words());
  plan.layout().decode(plan.stored_key(marking).data(), node.working.data());
  node.lane = *plan.lanes().find(plan.leaf_marking(marking));
  return add(std::move(node));
}

std::uint32_t RowPredicate::compile_comparison(const Expression& comparison, const Plan& plan) {
  using E = Expression::Kind;
  const auto difference = [&](std::size_t from, std::size_t minus, Tokens shift) {
    auto form = linear_form(Expression::of(E::subtract, {comparison.children[from], comparison.children[minus]}));
    if (form && __builtin_add_overflow(form->constant, shift, &form->constant)) form.reset();
    return form;
  };
  const auto upper = difference(1, 0, comparison.kind == E::less ? -1 : 0);  // right - left >= 0
  const auto lower = difference(0, 1, 0);                                    // left - right >= 0
  if (!upper || !lower) return lane_by_lane(comparison);
  const std::uint32_t at_most = compile_at_least_zero(*upper, comparison, plan);
  if (_nodes[at_most].kind == Kind::lane_by_lane) return at_most;
  if (comparison.kind == E::less || comparison.kind == E::less_equal) return at_most;
  Node both;
  both.kind = Kind::conjunction;
  both.children = {at_most, compile_at_least_zero(*lower, comparison, plan)};
  const std::uint32_t equal = add(std::move(both));
  if (comparison.kind == E::equal) return equal;
  Node differ;
  differ.kind = Kind::negation;
  differ.children = {equal};
  return add(std::move(differ));
}

std::uint32_t RowPredicate::compile_at_least_zero(const LinearForm& form, const Expression& original,
                                                  const Plan& plan) {
  auto sum = RowSum::of(form, plan);
  if (!sum) return lane_by_lane(original);
  Node node;
  node.kind = Kind::linear;
  node.sum = narrow<std::uint32_t>(_sums.size());
  _sums.push_back(std::move(*sum));
  return add(std::move(node));
}

void RowPredicate::lanes(const Plan& plan, const std::uint64_t* working, const std::uint64_t* among,
                         std::uint64_t* out) const {
  evaluate(_root, plan, working, among, out);
}

void RowPredicate::evaluate(std::uint32_t at, const Plan& plan, const std::uint64_t* working,
                            const std::uint64_t* among, std::uint64_t* out) const {
  const Node& node = _nodes[at];
  const std::size_t words = plan.words();
  switch (node.kind) {
    case Kind::always:
    case Kind::never:
      for (std::size_t w = 0; w < words; ++w) out[w] = node.kind == Kind::always ? among[w] : 0;
      return;
    case Kind::linear:
      return evaluate_linear(node, plan, working, among, out);
    case Kind::lane_by_lane:
      return evaluate_lanes(node, plan, working, among, out);
    case Kind::fireable:
      return keep_fireable(plan, plan.transition(node.transition), working, among, out);
    case Kind::deadlock:
      return keep_dead(plan, working, among, out);
    case Kind::one_marking: {
      const bool is_here =
          has_lane(among, node.lane) && std::ranges::equal(node.working, std::span(working, node.working.size()));
      std::fill_n(out, words, 0);
      add_lane(out, node.lane, is_here);
      return;
    }
    case Kind::negation: {
      MaskBuffer child;
      evaluate(node.children[0], plan, working, among, child.data());
      for (std::size_t w = 0; w < words; ++w) out[w] = among[w] & ~child[w];
      return;
    }
    case Kind::conjunction:
    case Kind::disjunction:
      return combine(node, plan, working, among, out);
  }
}

/// The lanes that are not decided yet go from child to child: for `and` those that satisfied all before, for `or` those
/// that satisfied none.
void RowPredicate::combine(const Node& node, const Plan& plan, const std::uint64_t* working, const std::uint64_t* among,
                           std::uint64_t* out) const {
  const bool all = node.kind == Kind::conjunction;
  const std::size_t words = plan.words();
  MaskBuffer left, child;
  std::copy_n(among, words, left.data());
  std::uint64_t any = 1;
  for (std::size_t i = 0; i < node.children.size() && any != 0; ++i) {
    evaluate(node.children[i], plan, working, left.data(), child.data());
    any = 0;
    for (std::size_t w = 0; w < words; ++w) any |= left[w] &= all ? child[w] : ~child[w];
  }
  for (std::size_t w = 0; w < words; ++w) out[w] = all ? left[w] : among[w] & ~left[w];
}

void RowPredicate::ask_in_groups(FireableGroups& groups) {
  for (Node& node : _nodes) {
    const auto is_fireable = [&](std::uint32_t child) { return _nodes[child].kind == Kind::fireable; };
    if (node.kind == Kind::deadlock) groups.add_deadlock();
    std::vector<PlanTransition> some;
    if (node.kind == Kind::fireable) some = {node.transition};
    if (node.kind == Kind::disjunction && std::ranges::all_of(node.children, is_fireable))
      for (const std::uint32_t child : node.children) some.push_back(_nodes[child].transition);
    if (!some.empty()) node.group = groups.add(std::move(some));
  }
}

bool RowPredicate::holds(std::uint32_t at, const Plan& plan, const std::uint64_t* working,
                         const FireableGroups& groups) const {
  const Node& node = _nodes[at];
  if (node.group) return groups.is_fireable(*node.group);
  const auto child_holds = [&](std::uint32_t child) { return holds(child, plan, working, groups); };
  switch (node.kind) {
    case Kind::negation:
      return !child_holds(node.children[0]);
    case Kind::conjunction:
      return std::ranges::all_of(node.children, child_holds);
    case Kind::disjunction:
      return std::ranges::any_of(node.children, child_holds);
    case Kind::deadlock:
      return groups.is_deadlock();
    case Kind::linear:
      if (_sums[node.sum].lane_part() == nullptr) return _sums[node.sum].key_part(plan, working) >= 0;
      break;
    default:
      break;
  }
  const std::uint64_t only_lane = 1;
  std::uint64_t out = 0;
  evaluate(at, plan, working, &only_lane, &out);
  return out != 0;
}

void RowPredicate::evaluate_linear(const Node& node, const Plan& plan, const std::uint64_t* working,
                                   const std::uint64_t* among, std::uint64_t* out) const {
  const RowSum& sum = _sums[node.sum];
  const RowSum::Wide key = sum.key_part(plan, working);
  const std::size_t words = plan.words();
  if (sum.lane_part() == nullptr) {
    for (std::size_t w = 0; w < words; ++w) out[w] = key >= 0 ? among[w] : 0;
    return;
  }
  const RowSum::Wide threshold = std::clamp(-key, -RowSum::limit, RowSum::limit);
  const std::uint64_t* mask = sum.lane_part()->at_least(static_cast<Tokens>(threshold));
  for (std::size_t w = 0; w < words; ++w) out[w] = among[w] & mask[w];
}

void RowPredicate::evaluate_lanes(const Node& node, const Plan& plan, const std::uint64_t* working,
                                  const std::uint64_t* among, std::uint64_t* out) const {
  MaskBuffer result;
  std::fill_n(result.data(), plan.words(), 0);
  for_each_lane(among, plan.words(), [&](Lane lane) {
    add_lane(result.data(), lane,
             dcheck::evaluate(node.expression, plan.net(), plan.marking_of_working(working, lane)));
  });
  std::copy_n(result.data(), plan.words(), out);
}

}  // namespace dcheck
