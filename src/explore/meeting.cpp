#include "explore/meeting.hpp"

#include <algorithm>
#include <boost/serialization/map.hpp>
#include <boost/serialization/set.hpp>
#include <boost/serialization/vector.hpp>

#include "dcheck/comm/collectives.hpp"
#include "dcheck/net/serialize.hpp"

namespace dcheck {

template <typename Archive>
void serialize(Archive& archive, GoalState& goals, unsigned) {
  archive& goals.found& goals.is_known& goals.is_enough;
  serialize_optionals(archive, goals.largest);
}
template <typename Archive>
void serialize(Archive& archive, Widening& widening, unsigned) {
  archive& widening.width& widening.key_part& widening.lanes;
}
template <typename Archive>
void serialize(Archive& archive, Standing& standing, unsigned) {
  archive& standing.reason& standing.signal& standing.states& standing.goals& standing.widening;
  serialize_optional(archive, standing.unbounded);
}
template <typename Archive>
void serialize(Archive& archive, PlanRequest& request, unsigned) {
  archive& request.leaf& request.min_width& request.largest_key_part& request.known_lanes& request.open_lanes& request
      .trial_lanes& request.marked_share;
}

namespace {

/// A rank that was stopped at once may have looked for nothing yet.
void join_goals(GoalState& all, GoalState other) {
  const std::size_t targets = std::max(all.found.size(), other.found.size());
  const std::size_t sums = std::max(all.largest.size(), other.largest.size());
  for (GoalState* goals : {&all, &other}) {
    goals->found.resize(targets, false);
    goals->largest.resize(sums);
    goals->is_known.resize(sums, false);
  }
  const auto is_either = [](bool a, bool b) { return a || b; };
  std::transform(all.found.begin(), all.found.end(), other.found.begin(), all.found.begin(), is_either);
  std::transform(all.is_known.begin(), all.is_known.end(), other.is_known.begin(), all.is_known.begin(), is_either);
  std::transform(all.largest.begin(), all.largest.end(), other.largest.begin(), all.largest.begin(),
                 [](const auto& a, const auto& b) { return std::max(a, b); });  // none is the smallest
}

}  // namespace

void Standing::join(const Standing& other) {
  if (reason.empty() || (signal == 0 && other.signal != 0)) {
    reason = other.reason;
    signal = other.signal;
  }
  states += other.states;
  join_goals(goals, other.goals);
  widening.join(other.widening);
}

Standing meet(Ranks& ranks, Standing own, const std::function<void(Standing&)>& conclude) {
  if (ranks.is_alone()) {
    conclude(own);
    return own;
  }
  const std::vector<Standing> each = gather(ranks.cluster(), own);
  for (std::size_t i = 1; i < each.size(); ++i) own.join(each[i]);
  if (ranks.rank() == 0) conclude(own);
  broadcast(ranks.cluster(), own);
  return own;
}

void share(Ranks& ranks, PlanRequest& request) {
  if (!ranks.is_alone()) broadcast(ranks.cluster(), request);
}

}  // namespace dcheck
