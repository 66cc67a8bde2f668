#pragma once
// What each rank did, as the smallest, mean and largest figure over all of them.

#include <cstdint>
#include <span>

#include "dcheck/ranks/figures.hpp"
#include "report/buffer.hpp"

namespace dcheck {

/// The time that is neither sending, receiving nor idle. Handling what came is part of it.
std::uint64_t computing_ns(const RankFigures& figures);

/// A line a figure in aligned columns, with a remark where a share says more than a number.
void put_rank_table(Buffer& out, std::span<const RankFigures> ranks);

}  // namespace dcheck
