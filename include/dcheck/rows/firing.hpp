#pragma once
// Transitions on the lanes of a row, forwards and backwards: which lanes may fire, where they come from.
// Small inline pieces for hot loops; nothing allocates.

#include "dcheck/rows/mask.hpp"
#include "dcheck/rows/plan.hpp"

namespace dcheck {

/// Beyond so many transitions, looking only at those that a marked field wakes pays.
constexpr std::size_t watch_threshold = 40;

/// Whether the key passes the tests that no lane takes part in.
inline bool key_passes(const Plan& plan, const Tests& tests, const std::uint64_t* working) {
  for (std::uint32_t i = tests.floors.begin; i < tests.floors.end; ++i) {
    const FloorTest& test = plan.floors()[i];
    if ((((working[test.word] | test.guard) - test.subtract) & test.guard) != test.guard) return false;
  }
  for (std::uint32_t i = tests.ceilings.begin; i < tests.ceilings.end; ++i) {
    const CeilingTest& test = plan.ceilings()[i];
    if ((((test.ceiling | test.guard) - (working[test.word] & test.fields)) & test.guard) != test.guard) return false;
  }
  return true;
}

/// Keeps the lanes that pass the tests of places that depend on key and lane.
template <int W>
void keep_passing(const Plan& plan, const Tests& tests, const std::uint64_t* working, const MaskOps<W>& ops,
                  Mask<W>& lanes) {
  for (std::uint32_t i = tests.mixed.begin; i < tests.mixed.end; ++i) {
    const MixedTest& test = plan.mixed()[i];
    const PlaceView& view = plan.views()[test.view];
    const Tokens key = plan.layout().field(static_cast<std::size_t>(view.field)).value(working);
    const std::uint64_t* mask =
        plan.quantities()[static_cast<std::size_t>(view.quantity)].at_least(test.threshold - key);
    if (test.below)
      ops.drop(lanes, mask);
    else
      ops.keep(lanes, mask);
  }
}

/// Keeps the lanes in which t is enabled, whether their image is a lane or not; the key has passed.
template <int W>
void keep_enabled(const Plan& plan, const RowTransition& t, const std::uint64_t* working, const MaskOps<W>& ops,
                  Mask<W>& lanes) {
  keep_passing(plan, t.before, working, ops, lanes);
  if (t.tests_lanes) {
    const std::uint64_t* domain = plan.lane_masks() + t.masks;
    const std::uint64_t* escape = domain + 2 * ops.count();
    for (std::size_t w = 0; w < ops.count(); ++w) lanes.word[w] &= domain[w] | escape[w];
  }
  if (t.guard < 0 || !ops.any(lanes)) return;
  plan.guards()[static_cast<std::size_t>(t.guard)].lanes(plan, working, lanes.word.data(), lanes.word.data());
}

/// The lanes that t leads to from `lanes`, which are in its domain.
template <typename Bits, int W>
Mask<W> lanes_after(const Plan& plan, const RowTransition& t, const MaskOps<W>& ops, const Mask<W>& lanes) {
  const std::uint64_t* domain = plan.lane_masks() + t.masks;
  return t.moves_lanes ? ops.template move<Bits>(lanes, domain, t.domain, domain + ops.count(), t.image) : lanes;
}

/// The lanes from which t leads into `lanes`, which pass whatever depends on the key.
template <typename Bits, int W>
Mask<W> lanes_before(const Plan& plan, const RowTransition& t, const MaskOps<W>& ops, Mask<W> lanes) {
  if (!t.tests_lanes) return lanes;
  const std::uint64_t* domain = plan.lane_masks() + t.masks;
  if (!t.moves_lanes) {
    ops.keep(lanes, domain);
    return lanes;
  }
  ops.keep(lanes, domain + ops.count());
  return ops.any(lanes) ? ops.template move<Bits>(lanes, domain + ops.count(), t.image, domain, t.domain) : lanes;
}

/// The lanes from which t may lead into `lanes` of a row whose key passes t.after; the guard is not
/// looked at, since it is about another row.
template <typename Bits, int W>
Mask<W> lanes_before(const Plan& plan, const RowTransition& t, const std::uint64_t* working, const MaskOps<W>& ops,
                     Mask<W> lanes) {
  keep_passing(plan, t.after, working, ops, lanes);
  return lanes_before<Bits>(plan, t, ops, lanes);
}

/// visit(transition) for all transitions that the watch cannot rule out in the row.
template <typename Visit>
void for_each_woken(const Plan& plan, const Plan::Watch& watch, const std::uint64_t* working, Visit&& visit) {
  for (const PlanTransition t : watch.always) visit(plan.transition(t));
  for (std::size_t w = 0; w < plan.layout().working_words(); ++w)
    for (std::uint64_t marked = working[w] & watch.watched_bits[w]; marked != 0;) {
      const std::uint32_t field = watch.field_of_bit[w * 64 + static_cast<unsigned>(std::countr_zero(marked))];
      marked &= ~plan.layout().field(field).mask();
      const Range run = watch.list_of_field[field];
      for (std::uint32_t i = run.begin; i < run.end; ++i) visit(plan.transition(watch.list[i]));
    }
}

/// visit(transition) for the transitions whose key passes: all that may be enabled in the row. Keys are tested only of
/// transitions for which wanted(transition) is true when they are reached.
template <typename Wanted, typename Visit>
void for_each_left(const Plan& plan, const std::uint64_t* working, Wanted&& wanted, Visit&& visit) {
  const auto look = [&](const RowTransition& t) {
    if (wanted(t) && key_passes(plan, t.before, working)) visit(t);
  };
  if (plan.transitions().size() > watch_threshold) return for_each_woken(plan, plan.watch_before(), working, look);
  for (const RowTransition& t : plan.transitions()) look(t);
}
template <typename Visit>
void for_each_left(const Plan& plan, const std::uint64_t* working, Visit&& visit) {
  for_each_left(
      plan, working, [](const RowTransition&) { return true; }, visit);
}
/// The same for those by which the row may be entered.
template <typename Visit>
void for_each_entered(const Plan& plan, const std::uint64_t* working, Visit&& visit) {
  const auto look = [&](const RowTransition& t) {
    if (key_passes(plan, t.after, working)) visit(t);
  };
  if (plan.transitions().size() > watch_threshold) return for_each_woken(plan, plan.watch_after(), working, look);
  for (const RowTransition& t : plan.transitions()) look(t);
}

}  // namespace dcheck
