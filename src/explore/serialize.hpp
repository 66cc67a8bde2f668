#pragma once
// Requests for plans, for Boost.Serialization.

#include <boost/serialization/map.hpp>
#include <boost/serialization/vector.hpp>

#include "dcheck/space/relayout.hpp"

namespace dcheck {

template <typename Archive>
void serialize(Archive& archive, PlanRequest& request, unsigned) {
  archive& request.leaf& request.min_width& request.largest_key_part& request.known_lanes& request.open_lanes& request
      .trial_lanes& request.marked_share;
}

}  // namespace dcheck
