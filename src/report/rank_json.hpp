#pragma once
// What each rank did, for programs. The fields are in docs/json.md.

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "dcheck/ranks/figures.hpp"

namespace dcheck {

/// "each" rank's figures, and "min", "mean" and "max" of every one; null where there are no ranks.
nlohmann::ordered_json rank_json(std::span<const RankFigures> ranks);

/// The totals: messages, records, bytes and arcs between ranks.
nlohmann::ordered_json traffic_json(std::span<const RankFigures> ranks);

}  // namespace dcheck
