#pragma once
// What cold code asks of masks of any size.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "dcheck/base/ids.hpp"

namespace dcheck {

std::uint64_t lanes_in(const std::uint64_t* mask, std::size_t words);
/// Nothing where the mask is empty.
std::optional<Lane> first_lane(const std::uint64_t* mask, std::size_t words);

}  // namespace dcheck
