#include "explore/meeting.hpp"

#include <boost/serialization/map.hpp>
#include <boost/serialization/set.hpp>
#include <boost/serialization/vector.hpp>

#include "dcheck/net/serialize.hpp"
#include "dcheck/ranks/share.hpp"
#include "explore/serialize.hpp"

namespace dcheck {

template <typename Archive>
void serialize(Archive& archive, Widening& widening, unsigned) {
  archive& widening.width& widening.key_part& widening.lanes;
}
template <typename Archive>
void serialize(Archive& archive, Standing& standing, unsigned) {
  archive& standing.reason& standing.signal& standing.wants_checkpoint& standing.states& standing.widening;
  archive& standing.is_leaf_due;
  serialize_optional(archive, standing.unbounded);
}

void Standing::join(const Standing& other) {
  if (reason.empty() || (signal == 0 && other.signal != 0)) {
    reason = other.reason;
    signal = other.signal;
  }
  wants_checkpoint |= other.wants_checkpoint;
  states += other.states;
  widening.join(other.widening);
  is_leaf_due |= other.is_leaf_due;
}

Standing meet(Ranks& ranks, Standing own, const std::function<void(Standing&)>& conclude) {
  if (ranks.is_alone()) {
    conclude(own);
    return own;
  }
  const std::vector<Standing> each = gather(ranks, own);
  for (std::size_t i = 1; i < each.size(); ++i) own.join(each[i]);
  if (ranks.rank() == rank_0) conclude(own);
  share(ranks, own);
  return own;
}

void share_request(const Ranks& ranks, PlanRequest& request) {
  share(ranks, request);
}

}  // namespace dcheck
