#include "dcheck/rows/lane_arcs.hpp"

#include "dcheck/base/narrow.hpp"
#include "dcheck/rows/mask.hpp"

namespace dcheck {

namespace {

constexpr std::size_t most_arcs = std::size_t{1} << 20;  // 16 MiB

struct LanePair {
  Lane from, to;
};

std::vector<Lane> lanes_of(const std::uint64_t* mask, std::size_t words) {
  std::vector<Lane> lanes;
  for_each_lane(mask, words, [&](Lane lane) { lanes.push_back(lane); });
  return lanes;
}

/// The arcs that move from one lane to another: the i-th lane of the domain leads to the i-th of the image.
std::vector<LanePair> moves_of(const Plan& plan, const RowTransition& t) {
  std::vector<LanePair> moves;
  if (!t.moves_lanes) return moves;
  const std::uint64_t* const domain = plan.lane_masks() + t.masks;
  const std::vector<Lane> from = lanes_of(domain, plan.words());
  const std::vector<Lane> to = lanes_of(domain + plan.words(), plan.words());
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != to[i]) moves.push_back({from[i], to[i]});
  return moves;
}

}  // namespace

LaneArcs::LaneArcs(const Plan& plan) : _numbers(plan.transitions().size()) {
  std::vector<std::vector<Arc>> into(plan.lane_count()), out_of(plan.lane_count());
  std::size_t count = 0;
  for (const PlanTransition t : plan.all_transitions()) {
    if (!plan.transition(t).stays) continue;
    const auto number = narrow<std::uint32_t>(_staying_count++);
    _numbers[index(t)] = number;
    if (count > most_arcs) continue;
    for (const LanePair& move : moves_of(plan, plan.transition(t))) {
      into[index(move.to)].push_back({number, move.from});
      out_of[index(move.from)].push_back({number, move.to});
      ++count;
    }
  }
  if (count > most_arcs) return;
  _into.set(into);
  _out_of.set(out_of);
  _per_lane = static_cast<double>(count) / static_cast<double>(plan.lane_count());
}

void LaneArcs::Lists::set(const std::vector<std::vector<Arc>>& of_lanes) {
  first.push_back(0);
  for (const std::vector<Arc>& list : of_lanes) {
    arcs.insert(arcs.end(), list.begin(), list.end());
    first.push_back(narrow<std::uint32_t>(arcs.size()));
  }
}

}  // namespace dcheck
