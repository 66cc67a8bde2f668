#include "dcheck/rows/mask_words.hpp"

#include <bit>

namespace dcheck {

std::uint64_t lanes_in(const std::uint64_t* mask, std::size_t words) {
  std::uint64_t count = 0;
  for (std::size_t w = 0; w < words; ++w) count += static_cast<std::uint64_t>(std::popcount(mask[w]));
  return count;
}

std::optional<Lane> first_lane(const std::uint64_t* mask, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w)
    if (mask[w] != 0) return static_cast<Lane>(w * 64 + static_cast<unsigned>(std::countr_zero(mask[w])));
  return std::nullopt;
}

}  // namespace dcheck
