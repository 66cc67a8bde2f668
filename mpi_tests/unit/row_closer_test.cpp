// Closing a row: the lanes that join are the same by whole masks, by single arcs and by whatever is less work, for an
// operator that needs one successor and for one that needs all of them.

#include "dcheck/walk/row_closer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "dcheck/base/bits.hpp"
#include "dcheck/rows/firing.hpp"
#include "support/random_rows.hpp"

namespace dcheck::test {
namespace {

struct LaneMove {
  std::size_t from, to;
};

/// All arcs between lanes by transitions that stay, straight from their masks.
std::vector<LaneMove> moves_inside(const Plan& plan) {
  std::vector<LaneMove> moves;
  for (const RowTransition& t : plan.transitions()) {
    if (!t.stays) continue;
    std::vector<std::size_t> from, to;
    const std::uint64_t* const domain = plan.lane_masks() + t.masks;
    for_each_lane(domain, plan.words(), [&](Lane lane) { from.push_back(index(lane)); });
    for_each_lane(domain + plan.words(), plan.words(), [&](Lane lane) { to.push_back(index(lane)); });
    for (std::size_t i = 0; i < from.size(); ++i) moves.push_back({from[i], to[i]});
  }
  return moves;
}

/// Open lanes of one row; each joins when as many of its successors have joined as it needs.
template <int W>
struct Joining {
  const MaskOps<W>& ops;
  Mask<W> open;
  std::vector<std::size_t> needed;  // per lane

  Mask<W> open_lanes(Row) const { return open; }
  bool wants(Row) const { return ops.any(open); }
  bool wants(Row, const std::uint64_t*, WordRange) const { return true; }
  Mask<W> notify(Row row, Mask<W> lanes) {
    Mask<W> now = ops.zero();
    for_each_lane(lanes.word.data(), ops.count(),
                  [&](Lane lane) { add_lane(now.word.data(), lane, notify(row, lane)); });
    return now;
  }
  bool notify(Row, Lane lane) {
    if (!has_lane(open.word.data(), lane) || needed[index(lane)] == 0) return false;
    return --needed[index(lane)] == 0;
  }
  void join(Row, const Mask<W>& lanes) { ops.drop(open, lanes.word.data()); }
};

/// What must have joined in the end, by going over all arcs until nothing changes.
std::vector<bool> joined_naively(const std::vector<LaneMove>& moves, const std::vector<std::size_t>& needed,
                                 const std::vector<bool>& open, std::vector<bool> joined) {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    std::vector<std::size_t> count(joined.size());
    for (const LaneMove& move : moves) count[move.from] += joined[move.to] && move.from != move.to ? 1 : 0;
    for (std::size_t lane = 0; lane < joined.size(); ++lane) {
      if (joined[lane] || !open[lane] || needed[lane] == 0 || count[lane] < needed[lane]) continue;
      joined[lane] = has_changed = true;
    }
  }
  return joined;
}

template <int W>
void expect_same_lanes(const Plan& plan, Dice& dice) {
  const MaskOps<W> ops(plan.words());
  const std::vector<LaneMove> moves = moves_inside(plan);
  const auto share = dice.between(1, 6);
  std::vector<bool> open(plan.lane_count()), joined(plan.lane_count());
  std::vector<std::size_t> needed(plan.lane_count());
  const bool needs_all = dice.one_in(2);
  for (const LaneMove& move : moves) needed[move.from] += needs_all && move.from != move.to ? 1 : 0;
  Mask<W> first = ops.zero(), may_join = ops.zero();
  for (const Lane lane : plan.lanes().all()) {
    joined[index(lane)] = dice.between(0, 6) < share;
    open[index(lane)] = !joined[index(lane)] && !dice.one_in(5);
    add_lane(first.word.data(), lane, joined[index(lane)]);
    add_lane(may_join.word.data(), lane, open[index(lane)]);
    if (!needs_all) needed[index(lane)] = 1;
  }
  const std::vector<bool> expected = joined_naively(moves, needed, open, joined);
  for (const double mask_cost : {-1e9, 4.0, 1e9}) {
    SCOPED_TRACE(mask_cost);
    RowCloser<W> closer(plan, mask_cost);
    for (int round = 0; round < 2; ++round) {  // the second time with what the first has left behind
      Joining<W> op{ops, may_join, needed};
      Mask<W> lanes = first;
      closer.begin_row();
      for (const RowTransition& t : plan.transitions())
        if (t.stays) closer.add({&t, plan.lane_masks() + t.masks, true}, dice.one_in(2));
      closer.close(op, Row{0}, lanes, [&](const OperationKinds::Kind& kind, const Mask<W>& of) {
        return lanes_before<PortableBits>(plan, *kind.transition, ops, of);
      });
      for (const Lane lane : plan.lanes().all())
        ASSERT_EQ(has_lane(lanes.word.data(), lane), expected[index(lane)]) << "lane " << index(lane);
    }
  }
}

TEST(RowCloser, FindsTheSameLanesByMasksAndByArcs) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    SCOPED_TRACE(seed);
    const Net net = random_net(seed);
    const Structure structure = analyse(net);
    Dice dice(seed);
    PlanRequest request;
    for (const Place place : FirstIds<Place>(net.place_count()))
      if (structure.bounds[index(place)] && dice.one_in(2)) request.leaf.push_back(place);
    if (request.leaf.empty() || count_lanes(net, structure, request.leaf, 1000) > 1000) continue;
    Patience patience;
    const Plan plan = make_plan(net, structure, request, patience);
    if (moves_inside(plan).empty()) continue;
    ++compared;
    with_width(plan.words(), [&](auto width) { expect_same_lanes<width()>(plan, dice); });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace dcheck::test
